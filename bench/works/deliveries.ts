// Orders with a receiver: everything until each webhook has arrived with a valid signature and is
// recorded as delivered.
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { type Bench, type Contestant, WrongAnswers } from '../bench.ts'
import { placing, requireAllStored } from '../load/partner-loads.ts'
import { startAlternative } from '../servers/alternative.ts'
import { readMetric } from '../servers/operator.ts'
import { startPeer } from '../servers/peer.ts'
import { type RunningService, type SignedIn, startOnEngines } from '../servers/service.ts'
import { organization } from '../servers/set-up.ts'

const setUp = { investors: 200, cooperatives: 50 }
/** The pause between two looks at what has arrived. A turn takes seconds. */
const pauseMs = 20
const maximumSilentSeconds = 30

export async function measure(bench: Bench): Promise<void> {
  const { said: origin } = await startPeer(bench, 'receiver')
  const services = await startOnEngines(bench, { setUp })
  const own = async (service: RunningService) => {
    const receiver = `${origin}/${encodeURIComponent(service.name)}`
    const said = await service.command(
      ...['webhook', 'register', '--organization', organization, receiver, '--json'],
    )
    await request(receiver, { method: 'PUT', body: JSON.parse(said).signing_secret })
    const series = 'coopshare_deliveries{kind="webhook",state="delivered"}'
    return delivering(service, receiver, () => readMetric(service.directory, series))
  }
  const ours: Contestant[] = []
  for (const service of services.ours) ours.push(await own(service))
  const others: Contestant[] = []
  for (const service of services.beside) others.push(await own(service))
  const receiver = `${origin}/alternative`
  const alternative = await startAlternative(bench, { ...setUp, receiver })
  const recorded = async () => {
    const { body } = await request(`${alternative.origin}/operator/deliveries`)
    return ((await body.json()) as { readonly delivered?: number }).delivered ?? 0
  }
  others.push(await delivering(alternative, receiver, recorded))
  await bench.run({
    work: 'order until its webhook is recorded',
    connections: 16,
    ours,
    others,
    warmUp: { answers: 3000, maximumSeconds: 8 },
    seconds: 2,
  })
  await requireAllStored(bench, [...ours, ...others])
}

/** Places orders, and waits after each turn until all their webhooks are recorded. */
async function delivering(
  server: SignedIn,
  receiver: string,
  countRecorded: () => Promise<number>,
): Promise<Contestant> {
  const countReceived = async () => {
    const { body } = await request(receiver)
    const { orders, wrong, firstWrong } = (await body.json()) as Received
    if (wrong === 0) return orders
    throw new WrongAnswers(`${server.name}: ${wrong} events are wrong. The first: ${firstWrong}.`)
  }
  const settle = async (orders: number) => {
    await untilReached(`${server.name}, webhooks received`, countReceived, orders)
    await untilReached(`${server.name}, webhooks recorded`, countRecorded, orders)
  }
  return { ...(await placing(server, setUp)), settle }
}

/** The answer of bench/peers/receiver.js. */
interface Received {
  /** The orders whose event came with a valid signature. */
  readonly orders: number
  readonly wrong: number
  readonly firstWrong: string | null
}

async function untilReached(what: string, count: () => Promise<number>, wanted: number) {
  let [before, changedAt] = [-1, performance.now()]
  for (;;) {
    const reached = await count()
    if (reached === wanted) return
    const silentSeconds = (performance.now() - changedAt) / 1000
    if (reached > wanted || silentSeconds > maximumSilentSeconds) {
      throw new WrongAnswers(`${what}: ${reached} instead of ${wanted}.`)
    }
    if (reached !== before) [before, changedAt] = [reached, performance.now()]
    await pause(pauseMs)
  }
}
