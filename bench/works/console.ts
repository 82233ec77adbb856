// How long operators wait for searches, the first rows of lists, and pages of the console, with many
// stored orders.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dispatcher, request } from 'undici'
import { renderTable } from '../../src/cli/table.ts'
import { orderSortKeys } from '../../src/domain/share-purchases/order-list.ts'
import { sharePurchaseStatuses } from '../../src/domain/share-purchases/share-purchase.ts'
import { eventStates } from '../../src/domain/webhooks/event.ts'
import { type Bench, median } from '../bench.ts'
import { startFilled } from '../servers/filled-service.ts'
import { askOperator } from '../servers/operator.ts'
import { cpuMicrosecondsOf } from '../servers/process-tree.ts'
import type { RunningService } from '../servers/service.ts'

/** How often each is asked after the first time. */
const times = 20
/** The table of a command shows 50 rows. One more row shows whether there are more. */
const limit = 51

export async function measure(bench: Bench): Promise<void> {
  for (const engine of bench.engines) {
    const service = await startFilled(bench, engine)
    await measureAsks(bench, service)
    await service.stop()
  }
}

async function measureAsks(bench: Bench, service: Operated): Promise<void> {
  const rows: Row[] = []
  for (const [asked, ask] of Object.entries(await asksFor(service))) {
    const ms: number[] = []
    const cpuBefore = cpuMicrosecondsOf(service.roots)
    for (let time = 0; time <= times; time++) {
      const startedAt = performance.now()
      await ask()
      ms.push(performance.now() - startedAt)
    }
    const [firstMs = 0, ...later] = ms
    const cpuMs = (cpuMicrosecondsOf(service.roots) - cpuBefore) / 1000 / ms.length
    rows.push({ asked, firstMs, medianMs: median(later), worstMs: Math.max(...later), cpuMs })
  }
  const slowest = rows.toSorted((left, right) => right.medianMs - left.medianMs)
  console.log(
    renderTable(slowest, {
      ASKED: 'asked',
      'FIRST MS': ({ firstMs }) => firstMs.toFixed(1),
      'MEDIAN MS': ({ medianMs }) => medianMs.toFixed(1),
      'WORST MS': ({ worstMs }) => worstMs.toFixed(1),
      'CPU MS': ({ cpuMs }) => cpuMs.toFixed(1),
    }),
  )
  const medians = rows.map(({ medianMs }) => medianMs)
  bench.show(`${service.name}: searches, lists and pages, medians`, medians, 'ms')
}

type Operated = Pick<RunningService, 'name' | 'directory' | 'command' | 'roots'>

interface Row {
  readonly asked: string
  readonly firstMs: number
  readonly medianMs: number
  readonly worstMs: number
  /** The CPU time of the service and its database for each, which other work on the machine changes less. */
  readonly cpuMs: number
}

/** Names begin with the first for all persons, with the second for half of them, with the third for a few, and with the last for none. */
const beginnings = ['fri', 'son', 'beispiel99', 'zzz']
/** Keys by which a list can be sorted. It is read for all but the time. */
const sorts = orderSortKeys.flatMap((key) => [key, `-${key}`])

async function asksFor(service: Operated) {
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
    ...beginnings.map(find),
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
  const { open, send } = await signInToConsole(service.directory)
  const ofPartner = `organization=${organization_id}`
  const ofCooperative = `cooperative=${cooperative_id}`
  const ofBoth = `${ofPartner}&${ofCooperative}`
  const lists = [
    ...['', ofPartner, ofCooperative, ofBoth, `investor=${investor_id}`, 'proposed=true'],
    ...sharePurchaseStatuses.flatMap((status) => [
      `status=${status}`,
      `${ofCooperative}&status=${status}`,
      `${ofBoth}&status=${status}&sort=created_at`,
    ]),
    ...['last=yes', 'status=settled&last=yes', `${ofCooperative}&last=yes`],
    ...[`after=${share_purchase_id}`, `before=${share_purchase_id}`],
    ...['since=2020-01-01', `${ofCooperative}&since=2020-01-01`, 'until=2020-01-01'],
    ...['settled_since=2020-01-01', `${ofCooperative}&settled_since=2020-01-01`],
    // Too many orders to sort them by something else.
    ...['sort=created_at', 'sort=investor', 'status=submitted&sort=-total'],
    // Fewer than a thousand orders, which are read.
    ...sorts.map((sort) => `${ofCooperative}&sort=${sort}`),
    ...[`${ofCooperative}&status=submitted&sort=investor`, `${ofBoth}&sort=investor&last=yes`],
  ]
  const pages = [
    ...['/', '/?days=7', '/?days=90'],
    ...lists.map((query) => (query === '' ? '/orders' : `/orders?${query}`)),
    ...['', ofCooperative, ofBoth, 'status=submitted'].map((query) => `/orders/sums?${query}`),
    ...[`/orders/${share_purchase_id}`, '/investors', `/investors/${investor_id}`],
    ...['/partners', `/partners/${organization_id}`, '/catalogue', `/catalogue/${cooperative_id}`],
    ...['/events', `/events?${ofPartner}`, ...eventStates.map((state) => `/events?state=${state}`)],
    ...eventStates.map((state) => `/events?${ofPartner}&state=${state}`),
    ...[`/events/${event.event_id}`, '/live', '/audit', `/audit?order=${share_purchase_id}`],
    ...['/audit?actor=operator', '/audit?actor=client', '/audit?actor=system'],
    ...['/audit?refused=true', '/audit?since=2020-01-01', '/system'],
    ...[...beginnings, 'Frieda', share_purchase_id].map((text) => `/find?text=${text}`),
  ]
  // Each letter asks again.
  const typed = [
    ...[
      'f',
      'fr',
      'frieda s',
      'frieda so',
      'Frieda Sonnenschein',
      'frieda beispiel99',
      ...beginnings,
    ],
    ...['stored-7@example.org', 'ben', 'eg-1', 'energiegenossenschaft 12'],
    ...[share_purchase_id, share_purchase_id.slice(0, 6), share_purchase_id.slice(-8)],
    ...[investor_id, event.event_id.slice(0, 6)],
  ]
  return Object.fromEntries([
    ...operations.map(([name, input]) => [
      shorten(`${name} ${Object.entries(input).join(' ')}`),
      () => askOperator(service.directory, 'POST', `/operations/${name}`, input),
    ]),
    ...pages.map((page) => [shorten(page), () => open(page)]),
    ...typed.map((text) => [shorten(`typed ${text}`), () => send('/suggestions', { text })]),
  ]) as Readonly<Record<string, () => Promise<unknown>>>
}

/** Shortens ids, because readers cannot use them. */
function shorten(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
}

async function signInToConsole(directory: string) {
  const { url, token } = JSON.parse(readFileSync(join(directory, 'control.json'), 'utf8'))
  const post = (path: string, form: Readonly<Record<string, string>>, cookie = '') =>
    request(`${url}${path}`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
  const signedIn = await post('/sign-in', { token })
  await signedIn.body.dump()
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
  const bodyOf = async (path: string, { statusCode, body }: Dispatcher.ResponseData) => {
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    return text
  }
  const open = async (page: string) =>
    bodyOf(page, await request(`${url}${page}`, { headers: { cookie } }))
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await open('/')) ?? []
  const send = async (path: string, form: Readonly<Record<string, string>>) =>
    bodyOf(path, await post(path, { csrf, ...form }, cookie))
  return { open, send }
}
