// Orders for a server of the partner API, and the count of those that it has stored.
import { request } from 'undici'
import { orderFor } from '../../fixtures/world/seed-orders.ts'
import { type Bench, type Contestant, WrongAnswers } from '../bench.ts'
import type { SignedIn } from '../servers/service.ts'
import { refOf } from '../servers/set-up.ts'
import type { Load } from './load.ts'

const atOnce = 16

/** Maps a few items at a time. The results are in the order of the items. */
export async function mapSome<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let first = 0; first < items.length; first += atOnce) {
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(map))))
  }
  return results
}

/** The paths of the first investors: `/v1/investors/ID`. */
function investorPaths(server: SignedIn, count: number): Promise<string[]> {
  const refs = Array.from({ length: count }, (_, number) => refOf(number))
  return mapSome(refs, async (ref) => {
    const { investor_id } = await server.get(`/v1/investors?partner_customer_ref=${ref}`)
    return `/v1/investors/${investor_id}`
  })
}

/** Makes orders of many investors in one cooperative or in several. */
export async function placing(
  server: SignedIn,
  { investors, cooperatives = 1 }: { readonly investors: number; readonly cooperatives?: number },
): Promise<Contestant> {
  const { name, roots, origin, headers } = server
  const { items } = await server.get(`/v1/cooperatives?size=${cooperatives}`)
  const load: Load = {
    origin,
    method: 'POST',
    paths: (await investorPaths(server, investors)).map((path) => `${path}/share-purchases`),
    headers: { ...headers, 'content-type': 'application/json' },
    body: items.map(({ id }: { id: string }) =>
      JSON.stringify(orderFor(id, new Date().toISOString())),
    ),
    hasKeys: true,
    expected: { status: 201, contains: ['"status":"submitted"', '"share_count":5'] },
  }
  return { name, roots, load }
}

/** Every acknowledged order must be stored. */
export async function requireAllStored(
  { generator }: Bench,
  contestants: readonly Contestant[],
): Promise<void> {
  for (const { name, load } of contestants) {
    const { authorization = '' } = load.headers
    const counts = await mapSome(load.paths, async (path) => {
      const url = `${load.origin}${path}?size=1`
      const { body } = await request(url, { headers: { authorization } })
      return ((await body.json()) as { total_items: number }).total_items
    })
    const stored = counts.reduce((left, right) => left + right, 0)
    const answered = generator.answersFrom(load.origin)
    if (stored === answered) continue
    throw new WrongAnswers(`${name}: ${answered} orders were answered, but ${stored} are stored.`)
  }
}

/** Reads this of each investor. Each answer must equal the first answer for the same path. */
export async function reading(
  server: SignedIn,
  investors: number,
  ending: string,
): Promise<Contestant> {
  const { name, roots, origin, headers } = server
  const paths = (await investorPaths(server, investors)).map((path) => `${path}${ending}`)
  const expected = { status: 200, bodies: await mapSome(paths, server.text) }
  return { name, roots, load: { origin, method: 'GET', paths, headers, expected } }
}
