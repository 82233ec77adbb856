// `npm run sim:postgres -- [--rounds 20] [--seed N]` disturbs real instances on a real PostgreSQL
// server under load. A seed decides which faults happen. What happens at the same time differs from
// run to run.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../fixtures/async.ts'
import { seededRandom } from '../fixtures/kill-rounds/load.ts'
import { createProgram, type Instance } from '../fixtures/kill-rounds/program.ts'
import {
  begin,
  beginLoad,
  checkRound,
  type Disturbed,
  type Running,
  requireAllOutcomes,
} from '../fixtures/kill-rounds/run.ts'
import type { DatabaseServer } from '../fixtures/postgres/server.ts'
import { findFaketime, howToGetFaketime } from '../fixtures/program/installed-tools.ts'
import { readArguments, wholeNumber } from '../scripts/arguments.ts'

const ways = [
  'an instance is killed',
  'an instance stands still',
  'connections are cut',
  'the network is slow',
  'backends are ended',
  'the database crashes',
] as const
type Way = (typeof ways)[number]

/** An instance may stand still for longer than its lease, so that another instance takes over. */
const longestStandstillMs = 20_000
const patienceMs = 120_000
const enough = 10
const largestSkewSeconds = 45

interface Proxy {
  readonly url: string
  delayMs: number
  cut(): void
}

/** Opens a proxy between the instances and their database. */
async function openProxy(t: Test, databaseUrl: string): Promise<Proxy> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    // The bytes stay in order, because timers of the same length fire in the order in which they
    // were set.
    from.on('data', (bytes) => {
      if (proxy.delayMs === 0) to.write(bytes)
      else setTimeout(() => to.destroyed || to.write(bytes), proxy.delayMs)
    })
  }
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    pass(client, database)
    pass(database, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    server.close()
    cut()
  })
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const proxy: Proxy = { url: url.href, delayMs: 0, cut }
  return proxy
}

interface Disturbance {
  readonly running: Running
  readonly server: DatabaseServer
  readonly proxy: Proxy
}

async function endBackends({ url }: DatabaseServer): Promise<void> {
  const sql = postgres(url, { max: 1 })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coopshare'`
  await sql.end()
}

/** Lets a fault happen and returns the numbers of killed instances. */
async function happen(way: Way, { running, server, proxy }: Disturbance): Promise<number[]> {
  const { random, instances } = running
  const number = random.below(instances.length)
  const { served } = instances[number] as Instance
  switch (way) {
    case 'an instance is killed':
      await served.stop('SIGKILL')
      return [number]
    case 'an instance stands still':
      void served.stop('SIGSTOP')
      await pause(random.below(longestStandstillMs))
      void served.stop('SIGCONT')
      return []
    case 'connections are cut':
      for (let cuts = random.below(5) + 1; cuts > 0; cuts -= 1) {
        proxy.cut()
        await pause(random.below(500))
      }
      return []
    case 'the network is slow':
      proxy.delayMs = random.below(400) + 20
      await pause(random.below(5000))
      proxy.delayMs = 0
      return []
    case 'backends are ended':
      for (let times = random.below(4) + 1; times > 0; times -= 1) await endBackends(server)
      return []
    case 'the database crashes':
      await server.crash()
      await pause(random.below(3000))
      await server.start()
      return []
  }
}

/** Disturbs the service and checks that work continues. Only a killed instance is started again. */
async function disturb(t: Test, way: Way, disturbance: Disturbance): Promise<Disturbed> {
  const { scene, random, instances } = disturbance.running
  const sentBefore = scene.ledger.orders.length
  let acknowledged = 0
  const round = {
    isOver: false,
    noteAcknowledged() {
      acknowledged += 1
    },
  }
  const work = Promise.all(instances.flatMap((instance) => beginLoad(scene, instance, round)))
  const happening = async () => {
    const first = random.below(30) + 1
    await until(t, () => acknowledged >= first, patienceMs)
    const numbers = await happen(way, disturbance)
    const goal = acknowledged + enough
    await until(t, () => acknowledged >= goal, patienceMs)
    return numbers
  }
  try {
    const numbers = await Promise.race([happening(), work.then(() => [])])
    round.isOver = true
    await work
    const orders = scene.ledger.orders.slice(sentBefore)
    return { numbers, orders, moment: scene.ledger.countAcknowledged() }
  } finally {
    round.isOver = true
  }
}

async function runRounds(t: Test, rounds: number, seed: number): Promise<void> {
  t.comment(`${rounds} rounds, seed ${seed}`)
  const parts: { server?: DatabaseServer; proxy?: Proxy } = {}
  const program = await createProgram(t, 'postgres', async (server) => {
    parts.server = server
    parts.proxy = await openProxy(t, server.url)
    return parts.proxy.url
  })
  const { server, proxy } = parts
  if (!server || !proxy) throw new Error('There is no database.')
  const random = seededRandom(seed)
  const library = findFaketime()
  if (!library) t.comment(`clocks agree: ${howToGetFaketime}`)
  const skew = random.below(2 * largestSkewSeconds) - largestSkewSeconds
  const faked = {
    LD_PRELOAD: library ?? '',
    FAKETIME: `${skew < 0 ? '' : '+'}${skew}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const variables = library ? faked : undefined
  const skewed = {
    ...program,
    start: (number: number) => program.start(number, number === 0 ? undefined : variables),
  }
  const running = await begin(t, skewed, random)
  if (library) t.comment(`the clock of instance 1 is ${skew} s off`)
  for (let round = 1; round <= rounds; round += 1) {
    const way = random.pick(ways)
    const disturbed = await disturb(t, way, { running, server, proxy })
    t.comment(`round ${round}, ${way}: ${await checkRound(t, running, disturbed)}`)
  }
  await requireAllOutcomes(t, running)
}

const { rounds, seed } = readArguments(() => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string' } },
  })
  return {
    rounds: wholeNumber('--rounds', values.rounds),
    seed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed),
  }
})

const timeout = 300_000 * (rounds + 2)
t.setTimeout(timeout)
await t.test('no disturbed instance loses anything', { timeout }, (t) => runRounds(t, rounds, seed))
t.end()
