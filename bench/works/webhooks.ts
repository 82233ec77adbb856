import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import type { Service } from '../../src/usecases/service.ts'
import type { Child } from '../children.ts'
import type { Result, Round } from '../contestant.ts'
import { fillOrders } from '../fill-orders.ts'
import { fillStore } from '../fill-store.ts'
import { rateFloor } from '../floors.ts'
import { startPeer } from '../peer.ts'
import { cpuMicrosecondsOf } from '../process-tree.ts'
import { startCoopshare } from '../service.ts'
import type { Bench, Measured } from '../work.ts'

const work = 'webhook'
const [ours, loop, undici] = ['coopshare', 'ofetch, one by one', 'undici.request, 16 at once']

/** Sent before anything is measured: what V8 has not compiled yet takes several times as long. */
const warmUp = 1500

/** Each round in new processes, which have so many events to send. */
export async function measureWebhooks(bench: Bench): Promise<Measured> {
  const count = bench.isLong ? 20_000 : 3000
  const url = await startSink(bench)
  const filled = join(bench.directory, 'queued')
  const seeded = await fillStore(
    filled,
    fillOrders(count, (service, organizationId) => register(service, organizationId, url)),
  )
  const client = { client_id: seeded.clientId, client_secret: seeded.clientSecret }
  const startOurs = (round: number) => {
    const directory = join(bench.directory, `round-${round}`)
    cpSync(filled, directory, { recursive: true })
    return startCoopshare({ directory, client, flags: ['--allow-private-webhooks'] })
  }
  const send = (way: string) => () => startPeer('senders', way, url, String(count))
  const senders: readonly Sender[] = [
    { name: ours, start: startOurs, rounds: [] },
    { name: loop, start: send('ofetch'), rounds: [] },
    { name: undici, start: send('undici'), rounds: [] },
  ]
  for (let round = 0; round < bench.rounds; round++) {
    for (const { start, rounds } of senders) {
      rounds.push(await measureSender({ url, count }, () => start(round)))
    }
  }
  const results = senders.map(
    ({ name, rounds }): Result => ({ work, connections: 1, name, rounds }),
  )
  bench.show(results)
  return { results, floors: [rateFloor(results, { work, names: [ours, loop] }, 2)] }
}

interface Sender {
  readonly name: string
  readonly start: (round: number) => Promise<Child>
  readonly rounds: Round[]
}

export type Started = Pick<Child, 'pid' | 'stop'>

export interface Queue {
  readonly url: string
  readonly count: number
}

export async function startSink(bench: Bench): Promise<string> {
  const { said } = bench.stopAtEnd(await startPeer('sink', String(warmUp)))
  return said
}

export async function measureSender(
  { url, count }: Queue,
  start: () => Promise<Started>,
): Promise<Round> {
  await request(`${url}/figures`, { method: 'DELETE' })
  const sender = await start()
  const warm = await untilCame(url, warmUp)
  const warmCpu = cpuMicrosecondsOf([sender.pid])
  const { wrong, firstMs, lastMs } = await untilCame(url, count)
  const cpuMicroseconds = (cpuMicrosecondsOf([sender.pid]) - warmCpu) / (count - warm.count)
  await sender.stop()
  const answers = count - warmUp
  const perSecond = (answers / (lastMs - firstMs)) * 1000
  const firstWrong = wrong > 0 ? 'an event without signature, or one that came twice' : null
  const times = { p50Ms: Number.NaN, p99Ms: Number.NaN }
  return { answers, perSecond, ...times, cpuMicroseconds, wrong, firstWrong }
}

interface Figures {
  readonly count: number
  /** When the last came that is not measured. */
  readonly firstMs: number
  readonly lastMs: number
  readonly wrong: number
}

async function untilCame(url: string, count: number): Promise<Figures> {
  for (;;) {
    const { body } = await request(`${url}/figures`)
    const figures = (await body.json()) as Figures
    if (figures.count >= count) return figures
    await pause(50)
  }
}

/** Straight into the store, because it is loopback. */
export async function register(
  service: Service,
  organizationId: string,
  url: string,
): Promise<void> {
  const { store, vault, random, clock } = service
  const createdAt = clock.now()
  const sealedSigningSecret = vault.seal(`whsec_${random.secret()}`)
  const webhookEndpointId = random.id()
  const identity = { webhookEndpointId, organizationId, url, sealedSigningSecret }
  await store.write(({ webhookEndpoints }) =>
    webhookEndpoints.put({ ...identity, createdAt, updatedAt: createdAt }),
  )
}
