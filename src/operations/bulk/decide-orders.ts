import { maximumListLimit } from '../../domain/page.ts'
import { type Batches, inBatches } from '../../domain/share-purchases/dependencies.ts'
import type { Input, Output, Row } from '../operations.ts'
import type { OperationRunner } from '../runner.ts'
import { type PreviewOfOrders, previewOf } from './order-preview.ts'
import { distinctIds, isFailed, type Tried, tryEach } from './try-each.ts'

/** The decisions that operators make on many orders, in commands and in the console. */
export type Decision = 'approve' | 'settle' | 'reject' | 'cancel' | 'confirm'

/** The orders with these ids, or all that match a filter. */
export type Selection = { readonly ids: readonly string[] } | { readonly filter: OrderFilter }

export interface OrderFilter extends Omit<Input<'purchase.preview'>, 'statuses'> {
  /** Selected one status after the other. undefined for all. */
  readonly statuses?: Input<'purchase.preview'>['statuses'] | undefined
}

/** What is kept of an order until it is decided. There may be many orders. */
const neededKeys = [
  'share_purchase_id',
  'status',
  'organization',
  'investor',
  'share_count',
  'cooperative_id',
  'cooperative_key',
  'cooperative',
  'created_at',
  'total',
  'total_currency',
  'rests_on',
  'proposal',
  'payment_state',
] as const
export type SelectedOrder = Pick<Row<'purchase.list'>, (typeof neededKeys)[number]>

/** An order that was not read, or could not be. It is tried nevertheless, and refused with its reason. */
interface UnreadOrder {
  readonly share_purchase_id: string
  readonly problem?: Error
}

export type OrderToDecide = SelectedOrder | UnreadOrder

export function isRead(order: OrderToDecide): order is SelectedOrder {
  return 'status' in order
}

/** Selects orders to decide. They are not read if their ids are enough. */
export async function selectToDecide(
  service: OperationRunner,
  decision: Decision,
  selection: Selection,
): Promise<readonly OrderToDecide[]> {
  const ids = 'ids' in selection ? distinctIds(selection.ids) : []
  const isAnyOrderFine = decision === 'approve' || (decision !== 'confirm' && ids.length === 1)
  if (!('ids' in selection) || !isAnyOrderFine) return selectOrders(service, selection)
  return ids.map((share_purchase_id) => ({ share_purchase_id }))
}

export async function selectOrders(
  service: OperationRunner,
  selection: Selection,
): Promise<readonly OrderToDecide[]> {
  if ('ids' in selection) {
    const shown = await tryEach([distinctIds(selection.ids)], {
      act: (share_purchase_id) => service.call('purchase.show', { share_purchase_id }),
    })
    const orders = shown.map((each) =>
      isFailed(each)
        ? { share_purchase_id: each.id, problem: each.problem }
        : pickNeeded(each.result),
    )
    // A whole id and a short one may mean the same order.
    return [...new Map(orders.map((order) => [order.share_purchase_id, order])).values()]
  }
  const { statuses = [undefined], limit = maximumListLimit, ...filter } = selection.filter
  const found: SelectedOrder[] = []
  for (const status of statuses) {
    if (found.length >= limit) break
    const asked = { ...filter, status, limit: limit - found.length }
    for await (const orders of service.list('purchase.list', asked)) {
      found.push(...orders.map(pickNeeded))
    }
  }
  return found
}

function pickNeeded(order: SelectedOrder): SelectedOrder {
  return Object.fromEntries(neededKeys.map((key) => [key, order[key]])) as SelectedOrder
}

/** Counts and sums all orders that match a filter, without reading each. */
export async function previewFilter(
  service: OperationRunner,
  filter: OrderFilter,
): Promise<PreviewOfOrders> {
  const { statuses } = filter
  if (statuses) return service.call('purchase.preview', { ...filter, statuses })
  return previewOf((await selectOrders(service, { filter })).filter(isRead))
}

interface Decide {
  readonly decision: Decision
  /** Of a rejection. */
  readonly reason?: string | undefined
  /** Of a settlement: even if the payment has not come. */
  readonly unpaid?: boolean | undefined
  /** Of a rejection: the money was paid back. */
  readonly refunded?: boolean | undefined
  readonly onTried?: (tried: Tried<DecidedOrder>) => void
}

export type DecidedOrder = Output<'purchase.settle'>

/**
 * Decides each order with an operation of its own, in an order that works. If an operator confirms,
 * exactly the proposals of the selection are confirmed, whatever has been proposed since.
 */
export async function decideOrders(
  service: OperationRunner,
  orders: readonly OrderToDecide[],
  { decision, reason, unpaid, refunded, onTried }: Decide,
): Promise<readonly Tried<DecidedOrder>[]> {
  const byId = new Map(orders.map((order) => [order.share_purchase_id, order]))
  const act = (share_purchase_id: string): Promise<DecidedOrder> => {
    if (decision === 'reject')
      return service.call('purchase.reject', { share_purchase_id, reason, refunded })
    if (decision === 'settle') return service.call('purchase.settle', { share_purchase_id, unpaid })
    if (decision !== 'confirm') return service.call(`purchase.${decision}`, { share_purchase_id })
    const order = byId.get(share_purchase_id)
    const proposed_at = (order && isRead(order) && order.proposal?.at) || null
    return service.call('purchase.confirm', { share_purchase_id, proposed_at })
  }
  return tryEach(inWorkingOrder(decision, orders), { act, onTried })
}

/**
 * An order can be settled only after one on which it depends, and it ends together with the last of
 * those. So it is settled after them, and rejected or cancelled before them.
 */
function inWorkingOrder(decision: Decision, orders: readonly OrderToDecide[]): Batches {
  if (decision === 'approve') return [orders.map((order) => order.share_purchase_id)]
  const related = orders.map((order) => {
    const { share_purchase_id: id } = order
    const [proposed, restsOn] = isRead(order) ? [order.proposal?.decision, order.rests_on] : []
    const decided = decision === 'confirm' ? proposed : decision
    return {
      id,
      restsOn: restsOn ?? [],
      isEnding: decided === 'reject' || decided === 'cancel',
    }
  })
  const ending = inBatches(related.filter(({ isEnding }) => isEnding)).toReversed()
  return [...ending, ...inBatches(related.filter(({ isEnding }) => !isEnding))]
}
