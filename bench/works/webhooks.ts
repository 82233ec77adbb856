import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { newEndpoint } from '../../src/domain/webhooks/webhook-endpoint.ts'
import type { Service } from '../../src/usecases/service.ts'
import type { Child } from '../children.ts'
import type { Result, Round } from '../contestant.ts'
import { fillOrders } from '../fill-orders.ts'
import { fillStore } from '../fill-store.ts'
import { rateFloor } from '../floors.ts'
import { readMetric } from '../operator.ts'
import { startPeer } from '../peer.ts'
import { cpuMicrosecondsOf } from '../process-tree.ts'
import { startCoopshare } from '../service.ts'
import type { Bench, Measured } from '../work.ts'

const work = 'webhook'
const [ours, loop, undici] = ['coopshare', 'ofetch, one by one', 'undici.request, 16 at once']

/**
 * The number of events before the measurement. Without them, much code would not be compiled yet, and
 * V8 would run it several times slower.
 */
const warmUp = 1000
/** The receiver needs the same secret. */
const secret = 'whsec_bench'
const delivered = 'coopshare_deliveries{kind="webhook",state="delivered"}'
const maximumSeconds = { silent: 30, recording: 10 }

/** Each round uses new processes with this number of events to send. */
export async function measureWebhooks(bench: Bench): Promise<Measured> {
  const count = bench.isLong ? 20_000 : 2000
  const url = await startSink(bench)
  const filled = join(bench.directory, 'queued')
  const seeded = await fillStore(
    filled,
    fillOrders(count, (service, organizationId) => register(service, organizationId, url)),
  )
  const client = { client_id: seeded.clientId, client_secret: seeded.clientSecret }
  const startOurs = async (round: number) => {
    const directory = join(bench.directory, `round-${round}`)
    cpSync(filled, directory, { recursive: true })
    const flags = ['--allow-private-webhooks']
    return { ...(await startCoopshare({ directory, client, flags })), directory }
  }
  const send = (way: string) => () => startPeer('senders', way, url, String(count), secret)
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
  readonly start: (round: number) => Promise<Started>
  readonly rounds: Round[]
}

export interface Started extends Pick<Child, 'pid' | 'stop'> {
  /** The data directory, if the sender is a service that records its deliveries. */
  readonly directory?: string
}

export interface Queue {
  readonly url: string
  readonly count: number
}

export async function startSink(bench: Bench): Promise<string> {
  const { said } = bench.stopAtEnd(await startPeer('sink', String(warmUp), secret))
  return said
}

export async function measureSender(
  { url, count }: Queue,
  start: () => Promise<Started>,
): Promise<Round> {
  await request(`${url}/figures`, { method: 'DELETE' })
  const sender = await start()
  try {
    const warm = await untilCame(url, warmUp)
    const warmCpu = cpuMicrosecondsOf([sender.pid])
    const { wrong, firstMs, lastMs } = await untilCame(url, count)
    const unrecorded = await countUnrecorded(sender, count)
    const cpuMicroseconds = (cpuMicrosecondsOf([sender.pid]) - warmCpu) / (count - warm.count)
    const perSecond = ((count - warmUp) / (lastMs - firstMs)) * 1000
    const times = { p50Ms: Number.NaN, p99Ms: Number.NaN }
    const faults = { wrong: wrong + unrecorded, firstWrong: describe(wrong, unrecorded) }
    return { answers: count - warmUp, perSecond, ...times, cpuMicroseconds, ...faults }
  } finally {
    await sender.stop()
  }
}

function describe(wrong: number, unrecorded: number): string | null {
  if (wrong > 0) return 'an event without a valid signature, or one that came twice'
  return unrecorded > 0 ? `not recorded as delivered after ${maximumSeconds.recording} s` : null
}

/** Counts the events that have arrived but are not recorded as delivered. */
async function countUnrecorded({ directory }: Started, count: number): Promise<number> {
  if (directory === undefined) return 0
  const startedAt = performance.now()
  for (;;) {
    const recorded = await readMetric(directory, delivered)
    if (recorded === count) return 0
    if (performance.now() - startedAt > maximumSeconds.recording * 1000) return count - recorded
    await pause(50)
  }
}

interface Figures {
  readonly count: number
  /** The time at which the last event of the warm-up arrived. */
  readonly firstMs: number
  readonly lastMs: number
  readonly wrong: number
}

async function untilCame(url: string, count: number): Promise<Figures> {
  let [before, cameAt] = [0, performance.now()]
  for (;;) {
    const { body } = await request(`${url}/figures`)
    const figures = (await body.json()) as Figures
    if (figures.count >= count) return figures
    if (figures.count > before) [before, cameAt] = [figures.count, performance.now()]
    if (performance.now() - cameAt > maximumSeconds.silent * 1000) {
      throw new Error(`${before} of ${count} events came, and none for ${maximumSeconds.silent} s.`)
    }
    await pause(50)
  }
}

/** Stores the endpoint directly, because a command would refuse its loopback address. */
export async function register(
  service: Service,
  organizationId: string,
  url: string,
): Promise<void> {
  const { store, vault, random, clock } = service
  const createdAt = clock.now()
  const sealedSigningSecret = vault.seal(secret)
  const webhookEndpointId = random.id()
  const identity = { webhookEndpointId, organizationId, url, sealedSigningSecret }
  await store.write('test', ({ webhookEndpoints }) =>
    webhookEndpoints.put({ ...identity, ...newEndpoint, createdAt, updatedAt: createdAt }),
  )
}
