// Reads of partners about their investors.
import { request } from 'undici'
import type { Bench, Contestant } from '../bench.ts'
import { mapSome, placing, reading } from '../load/partner-loads.ts'
import { startAlternative } from '../servers/alternative.ts'
import { type SignedIn, startOnEngines } from '../servers/service.ts'

const investors = 100
const orders = 20
const endings = {
  investor: '',
  'orders, page of 20': '/share-purchases?size=20',
  holdings: '/holdings',
}

export async function measure(bench: Bench): Promise<void> {
  const { ours, beside } = await startOnEngines(bench, { setUp: { investors, orders } })
  const alternative = await startAlternative(bench, { investors })
  await placeOrders(await placing(alternative, { investors }))
  for (const [work, ending] of Object.entries(endings)) {
    const readingAt = (servers: readonly SignedIn[]) =>
      mapSome(servers, (server) => reading(server, investors, ending))
    await bench.run({
      work,
      connections: 16,
      ours: await readingAt(ours),
      others: await readingAt([...beside, alternative]),
    })
  }
}

/** Our service has got these orders with its fixtures. */
async function placeOrders({ load }: Contestant): Promise<void> {
  const [body = null] = [load.body ?? []].flat()
  await mapSome(Array.from({ length: orders }, () => load.paths).flat(), async (path) => {
    const { origin, headers } = load
    const answer = await request(`${origin}${path}`, { method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`${path}: ${text}`)
  })
}
