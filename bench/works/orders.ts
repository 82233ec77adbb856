import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from '../contestant.ts'
import { startDatabase } from '../database.ts'
import { rateFloor } from '../floors.ts'
import type { Load } from '../load/load.ts'
import { countOrders, expectedOrder, orderLoadFor } from '../order-load.ts'
import { startPeer } from '../peer.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import type { SetUp } from '../set-up.ts'
import type { Bench, Measured } from '../work.ts'
import { WrongAnswers } from '../wrong-answers.ts'

const work = 'order'
// With fewer investors, orders would wait for each other, because an investor's records are changed
// one at a time.
const investors = 1000
const [inDirectory, inDatabase] = ['coopshare, directory', 'coopshare, PostgreSQL']
const byTwo = 'coopshare, PostgreSQL, two instances'
// These servers check nothing, so they are limits and not alternatives.
const [fastifyPeer, appendPeer] = ['fastify + PostgreSQL, inserts only', 'append + fdatasync']
const pluginPeer = 'fastify + @fastify/postgres, inserts only'

export async function measureOrders(bench: Bench): Promise<Measured> {
  const directory = join(bench.directory, 'orders')
  const setUp = { investors }
  const service = bench.stopAtEnd(await startCoopshare({ name: inDirectory, directory, setUp }))
  const ours = await ownContestant(service, [service.pid])
  const contestants = [
    ours,
    await startInDatabase(bench),
    await startTwoInDatabase(bench),
    await startFastify(bench, ours.load, { name: fastifyPeer, program: 'fastify-postgres' }),
    await startFastify(bench, ours.load, { name: pluginPeer, program: 'fastify-plugin' }),
    await startAppend(bench, ours.load),
  ]
  // After 2,000 orders our service on PostgreSQL still gets faster, because V8 has more code to
  // compile.
  const warmUp = { answers: 10_000, maximumSeconds: 8 }
  const results = [
    ...(await bench.run({ work, connections: 16, contestants, warmUp })),
    // In fewer seconds, each connection would send few orders.
    ...(await bench.run({ work, connections: 64, contestants, leastSeconds: 1 })),
  ]
  for (const contestant of contestants) await requireAllStored(bench, contestant)
  const floor = (connections: number, ours: string, theirs: string, limit: number) =>
    rateFloor(results, { work, connections, names: [ours, theirs] }, limit)
  return {
    results,
    floors: [
      floor(16, inDirectory, fastifyPeer, 1),
      floor(64, inDirectory, fastifyPeer, 2),
      ...[16, 64].map((connections) => floor(connections, inDirectory, appendPeer, 0.6)),
      ...[inDatabase, byTwo].flatMap((ours) =>
        [fastifyPeer, pluginPeer].flatMap((theirs) =>
          [16, 64].map((connections) => floor(connections, ours, theirs, 0.8)),
        ),
      ),
    ],
  }
}

/** Every acknowledged order must be stored. */
async function requireAllStored(
  bench: Bench,
  { name, load, countStored }: OrdersContestant,
): Promise<void> {
  const [answered, stored] = [bench.answersFrom(load.origin), await countStored()]
  if (stored === answered) return
  throw new WrongAnswers(`${name}: ${answered} orders were answered, but ${stored} are stored.`)
}

interface OrdersContestant extends Contestant {
  countStored(): Promise<number>
}

async function ownContestant(
  service: RunningService,
  roots: readonly number[],
): Promise<OrdersContestant> {
  const load = await orderLoadFor(service, { investors })
  const { name } = service
  return { name, roots, load, countStored: () => countOrders(load) }
}

async function startInDatabase(bench: Bench): Promise<OrdersContestant> {
  const { flags, pid } = await startDatabase(bench)
  const directory = join(bench.directory, 'orders-in-database')
  const options = { name: inDatabase, directory, flags, setUp: { investors } }
  const service = bench.stopAtEnd(await startCoopshare(options))
  return ownContestant(service, [service.pid, pid])
}

async function startTwoInDatabase(bench: Bench): Promise<OrdersContestant> {
  const database = await startDatabase(bench)
  const flags = [...database.flags, '--base-url', 'http://partners.example']
  const start = async (directoryName: string, setUp?: SetUp) => {
    const directory = join(bench.directory, directoryName)
    const options = { name: byTwo, directory, flags, ...(setUp && { setUp }) }
    return bench.stopAtEnd(await startCoopshare(options))
  }
  const first = await start('orders-first-of-two', { investors })
  const second = await start('orders-second-of-two')
  const contestant = await ownContestant(first, [first.pid, second.pid, database.pid])
  return { ...contestant, load: { ...contestant.load, otherOrigins: [second.origin] } }
}

async function startFastify(
  bench: Bench,
  own: Load,
  { name, program }: { readonly name: string; readonly program: string },
): Promise<OrdersContestant> {
  const { url, pid } = await startDatabase(bench)
  const peer = bench.stopAtEnd(await startPeer(program, url))
  const load = peerLoad(peer.said, own)
  const roots = [peer.pid, pid]
  return { name, roots, load, countStored: () => countOrders(load) }
}

async function startAppend(bench: Bench, own: Load): Promise<OrdersContestant> {
  const file = join(bench.directory, 'appended')
  const { pid, said } = bench.stopAtEnd(await startPeer('append', file))
  const load = peerLoad(said, own)
  const countStored = async () => readFileSync(file, 'utf8').split('\n').length - 1
  return { name: appendPeer, roots: [pid], load, countStored }
}

function peerLoad(origin: string, { body = '' }: Load): Load {
  const paths = Array.from({ length: investors }, (_, number) => `/investors/${number}/orders`)
  return {
    ...{ origin, method: 'POST', paths, body, hasKeys: true, expected: expectedOrder },
    headers: { 'content-type': 'application/json' },
  }
}
