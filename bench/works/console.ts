// How long operators wait for searches, the first rows of lists, and pages of the console, with many
// stored orders.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { renderTable } from '../../src/cli/table.ts'
import { sharePurchaseStatuses } from '../../src/domain/share-purchases/share-purchase.ts'
import { eventStates } from '../../src/domain/webhooks/event.ts'
import { type Bench, median } from '../bench.ts'
import { startFilled } from '../servers/filled-service.ts'
import { askOperator } from '../servers/operator.ts'
import type { RunningService } from '../servers/service.ts'

/** How often each is asked after the first time. */
const times = 20
/** The table of a command shows 50 rows. One more row shows whether there are more. */
const limit = 51

export async function measure(bench: Bench): Promise<void> {
  for (const engine of bench.engines) {
    const service = await startFilled(bench, engine)
    const asks = await asksFor(service)
    const rows: { asked: string; firstMs: number; medianMs: number; worstMs: number }[] = []
    for (const [asked, ask] of Object.entries(asks)) {
      const ms: number[] = []
      for (let time = 0; time <= times; time++) {
        const startedAt = performance.now()
        await ask()
        ms.push(performance.now() - startedAt)
      }
      const [firstMs = 0, ...later] = ms
      rows.push({ asked, firstMs, medianMs: median(later), worstMs: Math.max(...later) })
    }
    const slowest = rows.toSorted((left, right) => right.medianMs - left.medianMs)
    console.log(
      renderTable(slowest, {
        ASKED: 'asked',
        'FIRST MS': ({ firstMs }) => firstMs.toFixed(1),
        'MEDIAN MS': ({ medianMs }) => medianMs.toFixed(1),
        'WORST MS': ({ worstMs }) => worstMs.toFixed(1),
      }),
    )
    const medians = rows.map(({ medianMs }) => medianMs)
    bench.show(`${service.name}: searches, lists and pages, medians`, medians, 'ms')
    await service.stop()
  }
}

async function asksFor(service: RunningService) {
  const first = async (...command: readonly string[]) => {
    const [row] = JSON.parse(await service.command(...command, '--limit', '1', '--json'))
    return row
  }
  const order = await first('purchase', 'list')
  const event = await first('event', 'list')
  const { organization_id, cooperative_id, investor_id, share_purchase_id } = order
  const find = (text: string) => ['find', { text }] as const
  const orders = (filter: object) => ['purchase.list', { ...filter, limit }] as const
  const both = { organization: organization_id, cooperative: cooperative_id }
  const operations = [
    ...[find('Frieda'), find('Frieda Sonnenschein'), find('Sonnenschein Beispiel7')],
    ...[find('stored-7@example.org'), find('stored-7'), find('nobody'), find(share_purchase_id)],
    ...[
      orders({}),
      orders({ sort: 'created_at' }),
      orders({ investor: investor_id }),
      orders(both),
    ],
    ...sharePurchaseStatuses.map((status) => orders({ status, ...both })),
    ...eventStates.map((state) => ['event.list', { state, limit }] as const),
    ...[['investor.list', { limit }] as const, ['audit.list', { limit }] as const],
    ['audit.list', { order: share_purchase_id, limit }] as const,
    ['purchase.preview', { statuses: ['submitted'], cooperative: cooperative_id }] as const,
  ]
  const open = await signInToConsole(service.directory)
  const pages = [
    ...['/', '/orders', `/orders?organization=${organization_id}&cooperative=${cooperative_id}`],
    ...sharePurchaseStatuses.map((status) => `/orders?status=${status}`),
    ...[
      '/orders?last=yes',
      `/orders?after=${share_purchase_id}`,
      '/orders?settled_since=2020-01-01',
    ],
    `/orders?investor=${investor_id}`,
    // Fewer than a thousand orders are read to sort them by something else.
    `/orders?cooperative=${cooperative_id}&status=submitted&sort=investor`,
    `/orders?cooperative=${cooperative_id}&status=approved&sort=-total`,
    ...[`/orders/${share_purchase_id}`, '/investors', `/investors/${investor_id}`],
    ...['/partners', `/partners/${organization_id}`, '/catalogue', `/catalogue/${cooperative_id}`],
    ...['/events', ...eventStates.map((state) => `/events?state=${state}`)],
    ...[`/events/${event.event_id}`, '/live', '/audit', `/audit?order=${share_purchase_id}`],
    ...['/system', '/find?text=Frieda'],
  ]
  return Object.fromEntries([
    ...operations.map(([name, input]) => [
      shorten(`${name} ${Object.entries(input).join(' ')}`),
      () => askOperator(service.directory, 'POST', `/operations/${name}`, input),
    ]),
    ...pages.map((page) => [shorten(page), () => open(page)]),
  ]) as Readonly<Record<string, () => Promise<unknown>>>
}

/** Shortens ids, because readers cannot use them. */
function shorten(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
}

async function signInToConsole(directory: string): Promise<(page: string) => Promise<void>> {
  const { url, token } = JSON.parse(readFileSync(join(directory, 'control.json'), 'utf8'))
  const signedIn = await request(`${url}/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  })
  await signedIn.body.dump()
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
  return async (page) => {
    const answer = await request(`${url}${page}`, { headers: { cookie } })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${page}: ${answer.statusCode} ${text}`)
  }
}
