import type { Holding } from '../../domain/holdings/holding.ts'
import type { CursorPage } from '../../domain/page.ts'
import {
  isMoneyGone,
  type Payment,
  type PaymentState,
  payByTransfer,
  retryPayment,
} from '../../domain/payments/payment.ts'
import { Problem, validationProblem } from '../../domain/problem.ts'
import { endedStatuses } from '../../domain/share-purchases/mandate-lapse.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { platformDay } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { requireCooperative } from '../cooperatives/cooperatives.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { changeOrder, type HeldOrder } from '../share-purchases/change-status.ts'
import { requireAnySharePurchase } from '../share-purchases/read-share-purchases.ts'
import { countReturned } from './payment-of-order.ts'

/** A payment with the key of its cooperative. */
export interface ListedPayment {
  readonly payment: Payment
  readonly cooperativeKey: string
}

export interface PaymentSelection {
  /** An id or a key. */
  readonly cooperative?: string | undefined
  readonly state?: PaymentState | undefined
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** Oldest first. */
export async function* listPayments(
  { store }: Service,
  { cooperative, state, after, limit }: PaymentSelection,
): AsyncGenerator<readonly ListedPayment[]> {
  const cooperativeId =
    cooperative && (await store.read((records) => requireCooperative(records, cooperative))).id
  const list = (records: ReadableRecords, page: CursorPage) =>
    records.payments.list({ cooperativeId, state, ...page })
  const idOf = ({ sharePurchaseId }: Payment) => sharePurchaseId
  for await (const found of readInBatches(store, { list, idOf, after, limit })) {
    yield await store.read((records) => Promise.all(found.map((one) => describe(records, one))))
  }
}

export async function readPayment(
  { store }: Service,
  sharePurchaseId: string,
): Promise<ListedPayment> {
  return store.read(async (records) => {
    const order = await requireAnySharePurchase(records, sharePurchaseId)
    return describe(records, await requirePayment(records, order))
  })
}

export async function requirePayment(
  { payments }: ReadableRecords,
  { sharePurchaseId }: Pick<SharePurchase, 'sharePurchaseId'>,
): Promise<Payment> {
  const found = await payments.get(sharePurchaseId)
  if (found) return found
  throw noPayment(sharePurchaseId)
}

function noPayment(sharePurchaseId: string): Problem {
  return new Problem(
    'PAYMENT_NOT_FOUND',
    `Share purchase ${sharePurchaseId} has no payment: its cooperative has no creditor, or it was never approved. \`coopshare cooperative set-creditor\` sets a creditor.`,
  )
}

/** The catalogue is cached, so this needs no round trip. */
async function describe(
  { cooperatives }: ReadableRecords,
  payment: Payment,
): Promise<ListedPayment> {
  const cooperative = await cooperatives.get(payment.cooperativeId)
  return { payment, cooperativeKey: cooperative?.key ?? '' }
}

export interface RecordedTransfer {
  readonly paidOn: string
  readonly reference: string | null
}

/** The investor has transferred the money, which an operator has seen on the account. */
export async function recordTransfer(
  service: Service,
  sharePurchaseId: string,
  transfer: RecordedTransfer,
): Promise<ListedPayment> {
  const now = service.clock.now()
  if (transfer.paidOn > platformDay(now))
    throw validationProblem({ paidOn: 'must not be in the future' })
  return changePayment(service, sharePurchaseId, (payment, { status }) => {
    if (endedStatuses.includes(status)) {
      throw new Problem(
        'PAYMENT_ILLEGAL_STATE',
        `No transfer can be recorded for this payment: the share purchase is ${status}, so pay the money back.`,
      )
    }
    if (payment.state === 'due' || payment.state === 'returned')
      return payByTransfer(payment, transfer, now)
    const why =
      payment.state === 'collecting'
        ? `it is in collection ${payment.collectionId}, so the investor would pay twice. Cancel the collection, or wait for the statement of the bank`
        : `it is ${payment.state}`
    throw new Problem(
      'PAYMENT_ILLEGAL_STATE',
      `No transfer can be recorded for this payment: ${why}.`,
    )
  })
}

/** A returned payment becomes due, so that the next collection takes it. */
export async function retryReturnedPayment(
  service: Service,
  sharePurchaseId: string,
): Promise<ListedPayment> {
  const now = service.clock.now()
  return changePayment(service, sharePurchaseId, (payment, { status }) => {
    if (status !== 'approved' && status !== 'settled') {
      throw new Problem(
        'PAYMENT_ILLEGAL_STATE',
        `The share purchase is ${status}, so its payment must not be collected again.`,
      )
    }
    return retryPayment(payment, now)
  })
}

/** Keeps the number of settled orders whose payment came back in the same write. */
async function changePayment(
  service: Pick<Service, 'store'>,
  sharePurchaseId: string,
  change: (payment: Payment, order: SharePurchase) => Payment,
): Promise<ListedPayment> {
  const known = await service.store.read((records) =>
    requireAnySharePurchase(records, sharePurchaseId),
  )
  return changeOrder(service, known, async (records, { order, holding, payment }) => {
    if (!payment) throw noPayment(order.sharePurchaseId)
    const changed = await putPayment(records, { order, holding, payment }, change(payment, order))
    return describe(records, changed)
  })
}

/** Puts a payment that has changed. A retried one that is due again still blocks further orders until it is paid. */
export async function putPayment(
  records: Records,
  { order, holding, payment }: HeldOrder,
  changed: Payment,
): Promise<Payment> {
  await records.payments.put(changed)
  if (order.status !== 'settled' || !payment) return changed
  const counted = countReturnsOf(holding, payment, changed)
  if (counted !== holding) await records.holdings.put(counted)
  return changed
}

function countReturnsOf(holding: Holding, before: Payment, after: Payment): Holding {
  const wasGone = isMoneyGone(before)
  if (wasGone === isMoneyGone(after)) return holding
  return countReturned(holding, wasGone ? -1 : 1)
}
