// Judges what must be true at the end, when nothing fails any more and no work is left.

import { mailOf } from './customers.ts'
import type { Investor, Ledger, Order, RecordedCall } from './ledger.ts'
import { type Called, judge } from './linearizable.ts'
import { isAnnouncement } from './money-oracles.ts'
import {
  decided,
  held,
  noOrders,
  type Orders,
  placed,
  type Status,
  seen,
  textOfOrders,
} from './orders.ts'
import type { Partners } from './partner.ts'
import type { Answer } from './service.ts'
import type { World } from './world.ts'

type Row = Answer['body']

export async function judgeWorld(world: World, ledger: Ledger, partners: Partners): Promise<void> {
  const rows = await ask(world, 'purchase.list')
  const byReference = groupBy(rows, 'mandate_reference')
  for (const order of ledger.orders) judgeOrder(world, order, byReference)
  const known = new Set(ledger.orders.map(({ sharePurchaseId }) => sharePurchaseId))
  for (const { share_purchase_id: id } of rows) {
    if (!known.has(id)) world.violate(`there is an order ${id} that nobody placed`)
  }
  const all = await ask(world, 'event.list')
  // Events about payments are only for e-mails.
  const transitions = all.filter(({ type }) => String(type).startsWith('share_purchase.'))
  const events = groupBy(transitions, 'share_purchase_id')
  const histories = new Map<string, readonly string[]>()
  for (const { share_purchase_id: id } of rows) {
    histories.set(id, await judgeEvents(world, id, events.get(id) ?? []))
  }
  judgeMails(world, ledger, histories)
  for (const investor of ledger.investors) {
    if (investor.investorId === undefined) continue
    await judgePages(world, investor, partners)
    await partners.holdings(investor)
    judgeHoldings(world, investor, rows)
    judgeHistory(world, investor, ledger)
  }
  judgeReceivers(world, rows)
  judgeSecrecy(world, ledger)
}

function groupBy(rows: readonly Row[], field: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row[field], [...(groups.get(row[field]) ?? []), row])
  return groups
}

/** While nobody changes anything, the pages of a list must show each order once. */
async function judgePages(world: World, investor: Investor, partners: Partners): Promise<void> {
  const whole = await partners.list(investor, 100)
  if (!whole || whole.length < 2) return
  const paged = await partners.list(investor, Math.ceil(whole.length / 2))
  if (paged?.toSorted().join() === whole.toSorted().join()) return
  world.violate(
    `the pages of ${investor.reference} have ${paged?.join()}, but the whole list has ${whole.join()}`,
  )
}

async function ask(world: World, operation: string): Promise<Row[]> {
  const answer = await world.operate(operation, {})
  if (answer?.status === 200) return answer.body
  world.violate(`${operation} is answered with ${answer?.status} although nothing fails`)
  return []
}

const finals: readonly Status[] = ['settled', 'rejected', 'cancelled']

function judgeOrder(world: World, order: Order, rows: ReadonlyMap<string, readonly Row[]>): void {
  const { key, acknowledged, isUncertain } = order
  const found =
    rows.get(key.replaceAll('customer', 'C').replaceAll('order', 'O').slice(0, 35)) ?? []
  if (found.length > 1) world.violate(`${key} was placed ${found.length} times`)
  const [row] = found
  if (!row) {
    if (acknowledged.size > 0) world.violate(`${key} was acknowledged but is lost`)
    return
  }
  if (order.sharePurchaseId === undefined) {
    const isRefused = order.investor.calls.some(
      (call) => call.kind === 'place' && call.order === order && call.answered === 'refused',
    )
    if (!isUncertain && isRefused) world.violate(`${key} was refused but is in the store`)
    order.sharePurchaseId = row.share_purchase_id
  } else if (order.sharePurchaseId !== row.share_purchase_id) {
    world.violate(`${key} was acknowledged with another id`)
  }
  const status = row.status as Status
  for (const done of acknowledged) {
    const isKept =
      done === 'submitted' || done === status || (done === 'approved' && finals.includes(status))
    if (!isKept) world.violate(`${key} was acknowledged as ${done} but is ${status}`)
  }
  const mayBe: readonly Status[] = [...acknowledged, ...uncertainOf(order), 'submitted']
  // An order that depends on another one is rejected together with it.
  const isExplained =
    mayBe.includes(status) || (status === 'rejected' && !order.cooperative.isSimple)
  if (!isExplained) world.violate(`${key} is ${status}, which nobody has decided`)
}

function uncertainOf({ uncertain }: Order): Status[] {
  const made = {
    approve: 'approved',
    settle: 'settled',
    reject: 'rejected',
    cancel: 'cancelled',
  } as const
  return [...uncertain].map((decision) => made[decision])
}

/**
 * Each transition must have one event, which is delivered or dead or has no receiver.
 * @returns the statuses that the order has had
 */
async function judgeEvents(
  world: World,
  id: string,
  events: readonly Row[],
): Promise<readonly string[]> {
  const shown = await world.operate('purchase.show', { share_purchase_id: id })
  const statuses: string[] = (shown?.body?.history ?? []).map(({ status }: Row) => status)
  const history = statuses.map((status) => `share_purchase.${status}`)
  const types = events.map(({ type }) => type)
  if (history.toSorted().join() !== types.toSorted().join()) {
    world.violate(`${id} has the transitions ${history.join()} but the events ${types.join()}`)
  }
  for (const event of events) judgeDelivery(world, event)
  return statuses
}

/** How e-mails name each status. */
const statusOfMail: Readonly<Record<string, string>> = {
  received: 'submitted',
  approved: 'approved',
  'carried out': 'settled',
  rejected: 'rejected',
  cancelled: 'cancelled',
}

/** The investor gets one e-mail for each transition, and it survives a power loss. */
function judgeMails(
  world: World,
  { byId }: Ledger,
  histories: ReadonlyMap<string, readonly string[]>,
): void {
  const mailed = new Map<string, string[]>()
  for (const [path, { content }] of world.computer.disk.files()) {
    if (!/^\/mail\/[^.]/.test(path)) continue
    const text = content.toString('latin1').replaceAll('=\r\n', '')
    if (isAnnouncement(text)) continue
    const [, id = ''] = /Order number: +([\w-]+)/.exec(text) ?? []
    const [, status = ''] = /^Status: +([\w ]+)/m.exec(text) ?? []
    const order = byId.get(id)
    if (order && !text.includes(`To: ${mailOf(order.investor)}\r\n`)) {
      world.violate(`the e-mail ${path} of ${order.key} is for somebody else`)
    }
    mailed.set(id, [...(mailed.get(id) ?? []), statusOfMail[status] ?? status])
  }
  for (const [id, statuses] of histories) {
    const found = mailed.get(id)?.toSorted().join() ?? ''
    mailed.delete(id)
    if (found === statuses.toSorted().join()) continue
    world.violate(`${id} was ${statuses.join()}, and its e-mails say ${found}`)
  }
  for (const id of mailed.keys()) world.violate(`there is an e-mail of a missing order ${id}`)
}

const attempts = 6

/**
 * Every receiver of the partner must have got each delivered event, and the service must have made
 * every attempt to send a dead one.
 */
function judgeDelivery(world: World, event: Row): void {
  const { event_id: id, type, state, share_purchase_id: order, organization_id: owner } = event
  const all = [...world.receivers.all.values()].filter((one) => one.organizationId === owner)
  const receivers = all.filter(({ isRemoved }) => !isRemoved)
  const what = `the event ${type} of ${order}`
  if (state === 'pending') world.violate(`${what} is still pending`)
  if (state === 'none' && receivers.length > 0)
    world.violate(`${what} has no deliveries, although there are receivers`)
  const missing = receivers.filter(({ lines }) => !lines.get(order)?.bodies.has(id))
  if (state === 'delivered' && missing.length > 0) {
    world.violate(`${what} counts as delivered, but ${missing[0]?.url} has never got it`)
  }
  const isTried = all.some(
    ({ isRemoved, failed }) => isRemoved || (failed.get(id) ?? 0) >= attempts,
  )
  if (state === 'dead' && !isTried) world.violate(`${what} is dead before its sixth attempt`)
}

function judgeHoldings(
  world: World,
  { reference, investorId, calls }: Investor,
  rows: readonly Row[],
): void {
  const last = calls.findLast((call) => call.kind === 'hold')
  if (last?.kind !== 'hold') return
  const sums = new Map<string, { shares: number; pendingShares: number }>()
  for (const { investor_id: owner, cooperative_id: of, status, share_count: count } of rows) {
    if (owner !== investorId || status === 'rejected' || status === 'cancelled') continue
    const sum = sums.get(of) ?? { shares: 0, pendingShares: 0 }
    sum[status === 'settled' ? 'shares' : 'pendingShares'] += count
    sums.set(of, sum)
  }
  const text = (holdings: typeof sums) =>
    [...holdings]
      .map(([id, { shares, pendingShares }]) => `${id}:${shares}+${pendingShares}`)
      .sort()
      .join()
  const [is, due] = [text(last.holdings as typeof sums), text(sums)]
  if (is !== due)
    world.violate(`the holdings of ${reference} are ${is}, but the orders make ${due}`)
}

/**
 * Judges only cooperatives without a fee and a minimum, in which no order depends on another one.
 */
function judgeHistory(world: World, { reference, calls }: Investor, ledger: Ledger): void {
  const ids = ledger.cooperatives.filter(({ isSimple }) => isSimple).map((one) => one.cooperativeId)
  const reached = calls.filter(({ isReached, to }) => isReached || to !== undefined)
  const history = reached.flatMap((call) => calledOf(call, ids))
  const verdict = judge(history, noOrders, textOfOrders)
  world.counts.histories += 1
  if (verdict === 'too long') world.counts.undecided += 1
  if (verdict !== 'not linearizable') return
  const told = history.map(({ from, to, text }) => `[${from}, ${to ?? '…'}] ${text}`).join('; ')
  world.violate(`the history of ${reference} is not linearizable: ${told}`)
}

const nothing = { shares: 0, pendingShares: 0 }

function calledOf(call: RecordedCall, simple: readonly string[]): Called<Orders>[] {
  const { from, to } = call
  if (call.kind === 'hold') {
    // The list leaves out cooperatives of which the investor holds nothing.
    return simple.map((cooperativeId) => {
      const { shares, pendingShares } = call.holdings.get(cooperativeId) ?? nothing
      return held({ from, to, cooperativeId, shares, pendingShares })
    })
  }
  if (call.kind === 'see') {
    const statuses = new Map(
      [...call.seen].flatMap(([order, status]) =>
        order.cooperative.isSimple ? [[order.key, status]] : [],
      ),
    )
    return [seen({ from, to, seen: statuses, isAll: call.isAll })]
  }
  const { key, shareCount: shares, cooperative } = call.order
  if (!cooperative.isSimple) return []
  const { cooperativeId } = cooperative
  if (call.kind === 'decide')
    return [decided({ from, to, key, decision: call.decision, answered: call.answered })]
  if (call.answered === 'refused') return []
  return [placed({ from, to, key, shares, cooperativeId, answered: call.answered })]
}

/** A receiver must get only events of its own orders, and each of them with one id. */
function judgeReceivers(world: World, rows: readonly Row[]): void {
  const known = new Map(
    rows.map((row) => [String(row.share_purchase_id), String(row.organization_id)]),
  )
  for (const { url, organizationId, lines } of world.receivers.all.values()) {
    for (const [order, { bodies }] of lines) {
      if (known.get(order) !== organizationId) {
        world.violate(
          `${url} got an event of the order ${order}, which is lost or belongs to another organization`,
        )
      }
      const types = [...bodies.values()].map((body) => String(JSON.parse(body).type))
      if (new Set(types).size < types.length) {
        world.violate(`${url} got ${types.join()} of ${order}, and one event has two ids`)
      }
    }
  }
}

/** No secret and no personal data may be in clear text on the disk or in a log. */
function judgeSecrecy(world: World, { confidential }: Ledger): void {
  const texts = [...world.computer.disk.files()]
    .filter(([path]) => !path.startsWith('/mail/'))
    .map(([path, { content }]) => [path, content.toString('latin1')] as const)
  for (const [place, text] of [...texts, ['the log', world.log.join('\n')] as const]) {
    for (const secret of confidential) {
      if (text.includes(secret)) world.violate(`${secret} is in clear text in ${place}`)
    }
  }
}
