// Sends orders to a server of the partner API, and counts the orders that it has stored.
import { request } from 'undici'
import { orderFor } from '../fixtures/world/seed-orders.ts'
import type { Contestant } from './contestant.ts'
import type { Load } from './load/load.ts'
import { mapSome } from './map-some.ts'
import type { SignedIn } from './service.ts'
import { refOf } from './set-up.ts'
import type { Bench } from './work.ts'
import { WrongAnswers } from './wrong-answers.ts'

export const expectedOrder = {
  status: 201,
  contains: ['"status":"submitted"', '"share_count":5'],
}

interface Spread {
  readonly investors: number
  readonly cooperatives?: number
}

/** Makes orders of many investors in one cooperative or in several. */
export async function orderLoadFor(service: SignedIn, spread: Spread): Promise<Load> {
  const { origin, headers } = service
  const { investors, cooperatives = 1 } = spread
  const refs = Array.from({ length: investors }, (_, number) => refOf(number))
  const paths = await mapSome(refs, async (ref) => {
    const { investor_id } = await service.get(`/v1/investors?partner_customer_ref=${ref}`)
    return ordersOf(investor_id)
  })
  const { items } = await service.get(`/v1/cooperatives?size=${cooperatives}`)
  return {
    ...{ origin, method: 'POST', paths, hasKeys: true, expected: expectedOrder },
    headers: { ...headers, 'content-type': 'application/json' },
    body: items.map(({ id }: { id: string }) =>
      JSON.stringify(orderFor(id, new Date().toISOString())),
    ),
  }
}

function ordersOf(investorId: string): string {
  return `/v1/investors/${investorId}/share-purchases`
}

/** Adds up the numbers of orders that the server reports. */
export async function countOrders({ origin, paths, headers }: Load): Promise<number> {
  const { authorization } = headers
  const sent = authorization === undefined ? {} : { authorization }
  const counts = await mapSome(paths, async (path) => {
    const { body } = await request(`${origin}${path}?size=1`, { headers: sent })
    return ((await body.json()) as { total_items: number }).total_items
  })
  return counts.reduce((left, right) => left + right, 0)
}

/** Every acknowledged order must be stored. */
export async function requireAllStored(
  bench: Bench,
  contestants: readonly Contestant[],
): Promise<void> {
  for (const { name, load } of contestants) {
    const [answered, stored] = [bench.answersFrom(load.origin), await countOrders(load)]
    if (stored === answered) continue
    throw new WrongAnswers(`${name}: ${answered} orders were answered, but ${stored} are stored.`)
  }
}
