// A page of the catalogue as most partners read it, from servers that give the same answer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import type { Bench, Contestant } from '../bench.ts'
import { startPeer } from '../servers/peer.ts'
import { type SignedIn, startOnEngines } from '../servers/service.ts'

const page = '/v1/cooperatives?size=20'
const connections = 16

export async function measure(bench: Bench): Promise<void> {
  const { ours, beside } = await startOnEngines(bench, { setUp: {} }, ['directory'])
  const [service] = ours
  if (!service) return
  const write = (name: string, text: string) => {
    const file = join(bench.directory, name)
    writeFileSync(file, text)
    return file
  }
  const pages = await Promise.all(
    [1, 2].map((number) => service.get(`/v1/cooperatives?size=100&page=${number}`)),
  )
  const items = write('items.json', JSON.stringify(pages.flatMap(({ items }) => items)))
  const keys = write('keys.json', await service.text('/oauth2/jwks'))
  const peer = async (name: string, file: string, ...argv: readonly string[]) => {
    const { pid, said } = await startPeer(bench, file, ...argv)
    return { ...service, name, origin: said, roots: [pid] }
  }
  const wanted = (await service.get(page)).items
  const [own, besides] = [[service], beside].map((all) =>
    Promise.all(all.map((one) => pageOf(one, page, wanted))),
  )
  const fastify = await pageOf(
    await peer('fastify + jose', 'fastify-jose', items, keys),
    page,
    wanted,
  )
  const jsonServer = await pageOf(
    await peer('json-server', 'json-server', items),
    '/cooperatives?_page=1&_limit=20',
    wanted,
  )
  await bench.run({
    work: 'page of 20',
    connections,
    ours: (await own) ?? [],
    others: [...((await besides) ?? []), fastify, jsonServer],
  })
  await bench.run({
    work: 'page of 20, unchanged',
    connections,
    ours: [await unchanged(service)],
    others: [...(await Promise.all(beside.map(unchanged))), fastify],
  })
}

/** Each answer must equal the first one, which must have the wanted cooperatives. */
async function pageOf(
  { name, origin, roots, headers }: SignedIn,
  path: string,
  wanted: readonly { readonly id: string }[],
): Promise<Contestant> {
  const { statusCode, body } = await request(`${origin}${path}`, { headers })
  const text = await body.text()
  const answered = JSON.parse(text)
  const items: typeof wanted = answered.items ?? answered
  const idsOf = (all: typeof wanted) => all.map(({ id }) => id).join()
  if (idsOf(items) !== idsOf(wanted)) throw new Error(`${name}: ${text}`)
  const expected = { status: statusCode, bodies: [text] }
  return { name, roots, load: { origin, method: 'GET', paths: [path], headers, expected } }
}

async function unchanged({ name, origin, roots, headers }: SignedIn): Promise<Contestant> {
  const answer = await request(`${origin}${page}`, { headers })
  await answer.body.dump()
  return {
    name,
    roots,
    load: {
      origin,
      method: 'GET',
      paths: [page],
      headers: { ...headers, 'if-none-match': String(answer.headers['etag']) },
      expected: { status: 304, bodies: [''] },
    },
  }
}
