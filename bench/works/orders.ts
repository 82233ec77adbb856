import { join } from 'node:path'
import { orderFor } from '../../fixtures/seed-orders.ts'
import type { Contestant } from '../contestant.ts'
import { startDatabase } from '../database.ts'
import { rateFloor } from '../floors.ts'
import { startPeer } from '../peer.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import { refOf } from '../set-up.ts'
import type { Bench, Measured } from '../work.ts'

const work = 'order'
// Fewer would wait for each other, because what is theirs is changed by one at a time.
const investors = 1000
const [inDirectory, inDatabase] = ['coopshare, directory', 'coopshare, PostgreSQL']
const [fastifyPeer, appendPeer] = ['fastify + PostgreSQL', 'append + fdatasync']

export async function measureOrders(bench: Bench): Promise<Measured> {
  const directory = join(bench.directory, 'orders')
  const setUp = { investors }
  const service = bench.stopAtEnd(await startCoopshare({ name: inDirectory, directory, setUp }))
  const contestants = [
    await ownContestant(service, [service.pid]),
    await startInDatabase(bench),
    await startFastify(bench, service),
    await startAppend(bench, service),
  ]
  const results = [
    ...(await bench.run({ work, connections: 16, contestants })),
    ...(await bench.run({ work, connections: 64, contestants })),
  ]
  const floor = (connections: number, ours: string, theirs: string, limit: number) =>
    rateFloor(results, { work, connections, names: [ours, theirs] }, limit)
  return {
    results,
    floors: [
      floor(16, inDirectory, fastifyPeer, 1),
      floor(64, inDirectory, fastifyPeer, 2),
      ...[16, 64].map((connections) => floor(connections, inDirectory, appendPeer, 0.6)),
      ...[16, 64].map((connections) => floor(connections, inDatabase, fastifyPeer, 0.8)),
    ],
  }
}

async function ownContestant(
  service: RunningService,
  roots: readonly number[],
): Promise<Contestant> {
  const { name, origin, headers } = service
  const refs = Array.from({ length: investors }, (_, number) => refOf(number))
  const paths: string[] = []
  for (const ref of refs) {
    const { investor_id } = await service.get(`/v1/investors?partner_customer_ref=${ref}`)
    paths.push(`/v1/investors/${investor_id}/share-purchases`)
  }
  return {
    name,
    roots,
    load: {
      ...{ origin, method: 'POST', paths, hasKeys: true },
      headers: { ...headers, 'content-type': 'application/json' },
      body: await orderOf(service),
      expected: { status: 201, contains: ['"status":"submitted"', '"share_count":5'] },
    },
  }
}

async function orderOf(service: RunningService): Promise<string> {
  const { items } = await service.get('/v1/cooperatives?q=Energiegenossenschaft')
  return JSON.stringify(orderFor(items[0].id))
}

async function startInDatabase(bench: Bench): Promise<Contestant> {
  const { flags, pid } = await startDatabase(bench)
  const directory = join(bench.directory, 'orders-in-database')
  const options = { name: inDatabase, directory, flags, setUp: { investors } }
  const service = bench.stopAtEnd(await startCoopshare(options))
  return ownContestant(service, [service.pid, pid])
}

async function startFastify(bench: Bench, service: RunningService): Promise<Contestant> {
  const { url, pid } = await startDatabase(bench)
  const peer = bench.stopAtEnd(await startPeer('fastify-postgres', url))
  return peerContestant(fastifyPeer, peer.said, [peer.pid, pid], await orderOf(service))
}

async function startAppend(bench: Bench, service: RunningService): Promise<Contestant> {
  const peer = bench.stopAtEnd(await startPeer('append', join(bench.directory, 'appended')))
  return peerContestant(appendPeer, peer.said, [peer.pid], await orderOf(service))
}

function peerContestant(
  name: string,
  origin: string,
  roots: readonly number[],
  body: string,
): Contestant {
  const paths = Array.from({ length: investors }, (_, number) => `/investors/${number}/orders`)
  return {
    name,
    roots,
    load: {
      ...{ origin, method: 'POST', paths, body, hasKeys: true },
      headers: { 'content-type': 'application/json' },
      expected: { status: 201, contains: ['"status":"submitted"', '"share_count":5'] },
    },
  }
}
