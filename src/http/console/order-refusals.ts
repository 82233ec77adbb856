import type { SharePurchaseStatus } from '../../domain/share-purchases/share-purchase.ts'
import type { Decision } from '../../operations/bulk/decide-orders.ts'
import { type Html, html } from './html.ts'
import type { Order } from './order-filter.ts'
import { linkTo, stateIn, type Visit } from './page.ts'

/** The statuses that an order may have before a decision. */
export const statusesBefore = {
  approve: ['submitted'],
  settle: ['approved'],
  reject: ['submitted', 'approved'],
  confirm: ['submitted', 'approved'],
} as const satisfies Partial<Record<Decision, readonly SharePurchaseStatus[]>>

export type ConsoleDecision = keyof typeof statusesBefore

export const decisionNames = Object.keys(statusesBefore) as readonly ConsoleDecision[]

export function mayFollow(decision: ConsoleDecision, status: SharePurchaseStatus): boolean {
  return statusesBefore[decision].some((each) => each === status)
}

/** Why a decision is impossible for all orders in this status, in the language of the page. */
export function whyNotIn(
  visit: Pick<Visit, 'say'>,
  decision: ConsoleDecision,
  status: SharePurchaseStatus,
): string {
  return visit.say(`leftOut.${decision}`, { status: stateIn(visit, status) })
}

/**
 * Why an order cannot be decided, as far as it shows itself; undefined if it can.
 * @param settled the orders that are settled before this one
 */
export function whyNot(
  visit: Visit,
  decision: ConsoleDecision,
  order: Order,
  settled: ReadonlySet<string>,
): Html | undefined {
  const { say, operator } = visit
  const { status, proposal, rests_on: restsOn } = order
  if (!mayFollow(decision, status)) return html`${whyNotIn(visit, decision, status)}`
  if (decision === 'confirm') {
    if (!proposal) return html`${say('nothingProposed')}`
    return proposal.operator === operator.name ? html`${say('ownProposal')}` : undefined
  }
  const money = whyNotPaid(visit, decision, order)
  if (money !== undefined) return html`${money}`
  if (decision !== 'settle' || !restsOn?.length || restsOn.some((id) => settled.has(id))) {
    return undefined
  }
  return html`${say('dependsOnUnsettled')} ${restsOn.slice(0, mostNamed).map((id) => html`${linkTo.order(id)} `)}`
}

/** Why the payment of an order prevents a decision about many orders; undefined if it does not. */
export function whyNotPaid(
  { say }: Pick<Visit, 'say'>,
  decision: ConsoleDecision,
  { payment_state: payment }: Pick<Order, 'payment_state'>,
): string | undefined {
  if (payment === null) return undefined
  if (decision === 'settle') return payment === 'paid' ? undefined : say(`outstanding.${payment}`)
  if (decision !== 'reject') return undefined
  return payment === 'collecting'
    ? say('underWay')
    : payment === 'paid'
      ? say('received')
      : undefined
}

/** The maximum number of orders that a reason names. */
const mostNamed = 3

/** Those of these orders, and of the orders on which they depend, that are settled. */
export async function findSettled(
  visit: Visit,
  orders: readonly Order[],
): Promise<ReadonlySet<string>> {
  const named = new Set(orders.flatMap(({ rests_on }) => rests_on ?? []))
  const found = await visit.service.reads.ordersOf([...named])
  return new Set(
    found.flatMap(({ status, share_purchase_id: id }) => (status === 'settled' ? [id] : [])),
  )
}
