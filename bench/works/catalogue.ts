import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import type { Contestant } from '../contestant.ts'
import { cpuFloor, rateFloor } from '../floors.ts'
import type { Load } from '../load/load.ts'
import { startPeer } from '../peer.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import type { Bench, Measured } from '../work.ts'

const page = '/v1/cooperatives?size=20'
const connections = 16
const [bytesPeer, fastifyPeer] = ['node:http, bytes', 'fastify + jose']
const [full, notModified] = ['catalogue page of 20', 'catalogue page of 20, 304']

export async function measureCatalogue(bench: Bench): Promise<Measured> {
  const directory = join(bench.directory, 'catalogue')
  const service = bench.stopAtEnd(await startCoopshare({ directory, setUp: {} }))
  const ours = await catalogueContestant(service, service.name, service.origin, [service.pid])
  const peers = await startPeers(bench, service)
  const results = [
    ...(await bench.run({ work: full, connections, contestants: [ours, ...peers] })),
    ...(await bench.run({
      work: notModified,
      connections,
      contestants: [await notModifiedBy(service), ...peers.filter(isFastify)],
    })),
  ]
  const names = (peer: string) => ({ work: full, names: [service.name, peer] as const })
  return {
    results,
    floors: [
      cpuFloor(results, names(fastifyPeer), 0.5),
      cpuFloor(results, names(bytesPeer), 2),
      rateFloor(results, { work: notModified, names: [service.name, fastifyPeer] }, 3),
    ],
  }
}

const isFastify = ({ name }: Contestant) => name === fastifyPeer

/** Starts peers that give the same answers as our service. */
async function startPeers(bench: Bench, service: RunningService): Promise<Contestant[]> {
  const [bytes, items, keys] = ['page', 'items', 'keys'].map((name) =>
    join(bench.directory, `${name}.json`),
  ) as [string, string, string]
  writeFileSync(bytes, await service.text(page))
  writeFileSync(items, JSON.stringify(await readAll(service)))
  writeFileSync(keys, await service.text('/oauth2/jwks'))
  const start = async (name: string, file: string, ...argv: readonly string[]) => {
    const { pid, said } = bench.stopAtEnd(await startPeer(file, ...argv))
    return catalogueContestant(service, name, said, [pid])
  }
  return [
    await start(bytesPeer, 'bytes', bytes),
    await start(fastifyPeer, 'fastify-jose', items, keys),
    await start('json-server', 'json-server', items),
  ]
}

async function readAll(service: RunningService): Promise<unknown[]> {
  const pages = [1, 2].map((number) => service.get(`/v1/cooperatives?size=100&page=${number}`))
  return (await Promise.all(pages)).flatMap(({ items }) => items)
}

/** Each answer must equal the first one, which must have the twenty cooperatives. */
export async function catalogueContestant(
  { headers, ...service }: RunningService,
  name: string,
  origin: string,
  roots: readonly number[],
): Promise<Contestant> {
  const path = name === 'json-server' ? '/cooperatives?_page=1&_limit=20' : page
  const { statusCode, body } = await request(`${origin}${path}`, { headers })
  const text = await body.text()
  requireTwenty(name, JSON.parse(text), (await service.get(page)).items)
  const expected = { status: statusCode, bodies: [text] }
  return { name, roots, load: { origin, method: 'GET', paths: [path], headers, expected } }
}

interface Listed {
  readonly id: string
}

function requireTwenty(name: string, answered: { items: Listed[] } | Listed[], wanted: Listed[]) {
  const items = Array.isArray(answered) ? answered : answered.items
  const ids = (listed: readonly Listed[]) => listed.map(({ id }) => id).join()
  if (ids(items) !== ids(wanted) || items.length !== 20) throw new Error(`${name}: ${ids(items)}`)
}

async function notModifiedBy({ name, origin, headers, pid }: RunningService): Promise<Contestant> {
  const answer = await request(`${origin}${page}`, { headers })
  await answer.body.dump()
  const etag = String(answer.headers['etag'])
  const expected = { status: 304, bodies: [''] }
  const load: Load = {
    ...{ origin, method: 'GET', paths: [page], expected },
    headers: { ...headers, 'if-none-match': etag },
  }
  return { name, roots: [pid], load }
}
