import { boolean, enums, type Infer, nullable, object, optional } from 'superstruct'
import { referenceOf } from '../domain/investors/investor.ts'
import { type MoneyOfOperator, paymentStates } from '../domain/payments/payment.ts'
import { renderFate } from '../domain/share-purchases/fate-text.ts'
import {
  applicantTypes,
  maximumReasonLength,
  type Proposal,
  type SharePurchase,
  type SharePurchaseTransition,
  settledAtOf,
  sharePurchaseStatuses,
} from '../domain/share-purchases/share-purchase.ts'
import { resolveShortId } from '../usecases/investors/find-investors.ts'
import type { Service } from '../usecases/service.ts'
import type { DecideSharePurchase } from '../usecases/share-purchases/change-status.ts'
import { confirmDecision, decideOrPropose } from '../usecases/share-purchases/four-eyes.ts'
import {
  type ListedSharePurchase,
  readListedSharePurchase,
  selectSharePurchases,
  selectWithCooperatives,
} from '../usecases/share-purchases/read-share-purchases.ts'
import { listWithin } from '../wire/bounds.ts'
import { advised } from '../wire/check-shape.ts'
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import {
  amount,
  count,
  field,
  fieldsOf,
  id,
  instant,
  instantOrNull,
  listOf,
  nestedOrNull,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  view,
} from '../wire/view.ts'
import { type PreviewedOrder, previewOf, sharePurchasePreview } from './bulk/order-preview.ts'
import { listOperation, operation } from './operation.ts'
import { payment } from './payments.ts'

/** A decision that another operator has to confirm. */
const proposal = view<Proposal>()('Proposal', {
  decision: oneOf(['settle', 'reject'], 'Proposed decision.', ({ to }) =>
    to === 'settled' ? 'settle' : 'reject',
  ),
  reason: textOrNull('Reason of a rejection.', (it) => it.reason),
  money: oneOfOrNull(
    ['unpaid', 'refunded'],
    'What the proposal says about the money; null if nothing.',
    (it) => it.money ?? null,
  ),
  operator: text('Name of the operator who made the proposal.', (it) => it.operatorName),
  at: instant('Time of the proposal.', (it) => it.at),
})

/** Contains no personal data except the masked IBAN that partners also see. */
export const sharePurchaseRow = view<SharePurchase>()('Share purchase row', {
  share_purchase_id: id('Share purchase id.', (it) => it.sharePurchaseId),
  status: oneOf(sharePurchaseStatuses, 'Status of the share purchase.', (it) => it.status),
  organization_id: id("Id of the partner's organization.", (it) => it.organizationId),
  investor_id: id('Investor id.', (it) => it.investorId),
  cooperative_id: id('Id of the cooperative.', (it) => it.cooperativeId),
  applicant_type: oneOf(applicantTypes, 'Who buys the shares.', (it) => it.applicantType),
  share_count: count('Number of shares.', (it) => it.shareCount),
  price_per_share: amount('Share price when the order was placed.', (it) => it.pricePerShare),
  entry_fee: amount('Entry fee for this order.', (it) => it.entryFee),
  total: amount('Amount to pay.', (it) => it.total),
  total_currency: text('Currency, ISO 4217.', (it) => it.currency),
  mandate_reference: text('SEPA mandate reference.', (it) => it.sepaMandate.reference),
  debtor_iban_masked: text('Masked IBAN.', (it) => it.sepaMandate.debtorIbanMasked),
  reason: textOrNull('Reason for the rejection.', (it) => it.reason),
  rests_on: field(
    schemas.orNull(
      schemas.list(
        schemas.id(''),
        'Orders that must be settled before this order, which depends on them.',
      ),
    ),
    (it: SharePurchase) => it.restsOn ?? null,
  ),
  proposal: nestedOrNull(
    proposal,
    'Decision that another operator must confirm; null if nothing is proposed.',
    (it) => it.proposal ?? null,
  ),
  created_at: instant('Time when the order was placed.', (it) => it.createdAt),
  settled_at: instantOrNull(
    'Time when the order was settled; null if it is not settled.',
    settledAtOf,
  ),
  updated_at: instant('Time of the last change.', (it) => it.updatedAt),
})

/** Contains the name of the investor. */
export const listed = view<ListedSharePurchase>()('Listed share purchase', {
  ...fieldsOf(sharePurchaseRow, (it: ListedSharePurchase) => it.sharePurchase),
  organization: textOrNull('Organization name.', (it) => it.organization?.name ?? null),
  investor: textOrNull(
    'Name of the person or company that buys the shares; null if it is unknown or the person was erased.',
    (it) => it.investorName,
  ),
  // An investor who was erased has no reference any more.
  partner_customer_ref: textOrNull('The partner’s reference for the investor.', (it) =>
    it.investor ? referenceOf(it.investor) : null,
  ),
  cooperative: textOrNull('Name of the cooperative.', (it) => it.cooperative?.name ?? null),
  cooperative_key: textOrNull('Key of the cooperative.', (it) => it.cooperative?.key ?? null),
  payment_state: oneOfOrNull(
    paymentStates,
    'State of the payment; null if there is none.',
    (it) => it.payment?.state ?? null,
  ),
  payment: nestedOrNull(
    payment,
    'Payment; null if the cooperative does not collect it, or if the order was never approved.',
    ({ payment: found, cooperative }) =>
      found ? { payment: found, cooperativeKey: cooperative?.key ?? '' } : null,
  ),
})

const statusChange = view<SharePurchaseTransition>()('Status change', {
  status: oneOf(sharePurchaseStatuses, 'New status.', (it) => it.to),
  at: instant('Time of the change.', (it) => it.at),
})

const whole = view<ListedSharePurchase>()('Share purchase', {
  ...listed.fields,
  fate: textOrNull(
    'In staging, what happens to the order without an operator.',
    ({ sharePurchase: { fate } }) => (fate ? renderFate(fate) : null),
  ),
  history: listOf(
    statusChange,
    'Status changes, oldest first.',
    (it) => it.sharePurchase.transitions,
  ),
})

const one = object({ share_purchase_id: given.text() })

const filter = {
  organization: optional(given.text()),
  /** An id or a key. */
  cooperative: optional(given.text()),
  /** An id or the reference of the partner. */
  investor: optional(given.text()),
  since: optional(given.timestamp()),
  until: optional(given.timestamp()),
  /** Only orders with a decision that another operator has to confirm. */
  proposed: optional(boolean()),
  settled_since: optional(given.timestamp()),
  settled_until: optional(given.timestamp()),
  /** Only orders whose payment is in this state. */
  payment_state: optional(enums(paymentStates)),
  limit: optional(given.limit()),
}

export function selectionOf({
  proposed,
  settled_since,
  settled_until,
  payment_state: paymentState,
  ...input
}: SelectionInput) {
  const settled = given.readRange({ since: settled_since, until: settled_until })
  return {
    ...input,
    ...given.readRange(input),
    isProposed: proposed,
    paymentState,
    settledSince: settled.since,
    settledUntil: settled.until,
  }
}

type SelectionInput = Infer<ReturnType<typeof object<typeof filter>>>

const needsPurchase = { role: 'operator', problems: ['SHARE_PURCHASE_NOT_FOUND'] } as const
const decides = {
  role: 'operator',
  problems: ['SHARE_PURCHASE_NOT_FOUND', 'SHARE_PURCHASE_ILLEGAL_STATE'],
} as const
const selects = {
  role: 'viewer',
  problems: [
    'ORGANIZATION_NOT_FOUND',
    'COOPERATIVE_NOT_FOUND',
    'SHARE_PURCHASE_NOT_FOUND',
    'INVESTOR_NOT_FOUND',
  ],
} as const

/** `organization` is an id or an exact name. */
export const sharePurchaseOperations = {
  'purchase.list': listOperation({
    ...selects,
    summary: 'List share purchases; oldest first without `sort`.',
    note: 'The answer contains investors’ names. With `settled_since` or `settled_until` and another filter, the service reads all orders that were settled in that time.',
    input: object({
      status: optional(enums(sharePurchaseStatuses)),
      ...filter,
      sort: optional(enums(['created_at', '-created_at'])),
      /** Cursor: id of the last order of the previous page. */
      after: optional(given.text()),
    }),
    row: listed,
    batches: (service, { sort, status, after, ...input }) => {
      const isNewestFirst = sort === '-created_at'
      return selectSharePurchases(service, { ...selectionOf(input), status, after, isNewestFirst })
    },
  }),
  'purchase.preview': operation({
    ...selects,
    summary: 'Count share purchases and sum their amounts before a decision.',
    input: object({ statuses: listWithin(enums(sharePurchaseStatuses), { min: 1 }), ...filter }),
    answer: sharePurchasePreview,
    run: async (service, { statuses, limit: most, ...input }) => {
      const rows: PreviewedOrder[] = []
      for (const status of statuses) {
        const left = most === undefined ? undefined : most - rows.length
        if (left === 0) break
        const selection = { ...selectionOf(input), status, limit: left }
        for await (const found of selectWithCooperatives(service, selection)) {
          rows.push(...found.map(previewedOrder))
        }
      }
      return previewOf(rows)
    },
  }),
  'purchase.show': operation({
    ...needsPurchase,
    role: 'viewer',
    summary: 'Show a share purchase with its history.',
    note: 'The answer contains the investor’s name.',
    input: one,
    answer: whole,
    run: async (service, { share_purchase_id }) => {
      const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
      return readListedSharePurchase(service, sharePurchaseId)
    },
  }),
  'purchase.approve': operation({
    ...decides,
    summary: 'Approve a submitted share purchase.',
    input: one,
    answer: sharePurchaseRow,
    run: decide('approved'),
  }),
  'purchase.settle': operation({
    ...decides,
    summary: 'Settle an approved share purchase: its shares become a holding.',
    note: 'With `unpaid`, it is settled although its payment has not come; the payment stays as it is.',
    problems: [...decides.problems, 'PAYMENT_OUTSTANDING'],
    input: object({ share_purchase_id: given.text(), unpaid: optional(boolean()) }),
    answer: sharePurchaseRow,
    run: (service, { unpaid, ...input }) =>
      decide('settled')(service, { ...input, money: unpaid ? 'unpaid' : undefined }),
  }),
  'purchase.cancel': operation({
    ...decides,
    summary: 'Cancel a share purchase that is not approved yet.',
    input: one,
    answer: sharePurchaseRow,
    run: decide('cancelled'),
  }),
  'purchase.confirm': operation({
    ...decides,
    summary: 'Confirm the decision that another operator has proposed.',
    input: object({
      share_purchase_id: given.text(),
      /** null if the operator has seen no proposal. */
      proposed_at: advised(
        nullable(given.timestamp()),
        'send the time of the proposal that you have seen, which is `proposal.at` of the share purchase',
      ),
    }),
    answer: sharePurchaseRow,
    run: async (service, { share_purchase_id, proposed_at }) => {
      const proposedAt = proposed_at === null ? null : given.readTimestamp(proposed_at)
      const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
      return confirmDecision(service, sharePurchaseId, proposedAt)
    },
  }),
  'purchase.reject': operation({
    ...decides,
    summary: 'Reject a share purchase that is submitted or approved.',
    note: 'With `refunded`, it may be paid: you have paid the money back.',
    problems: [...decides.problems, 'PAYMENT_UNDER_WAY', 'PAYMENT_RECEIVED'],
    input: object({
      share_purchase_id: given.text(),
      reason: given.optionalText(maximumReasonLength),
      refunded: optional(boolean()),
    }),
    answer: sharePurchaseRow,
    run: (service, { refunded, ...input }) =>
      decide('rejected')(service, { ...input, money: refunded ? 'refunded' : undefined }),
  }),
}

function decide(to: DecideSharePurchase['to']) {
  return async (
    service: Service,
    {
      share_purchase_id,
      ...decision
    }: Infer<typeof one> & {
      readonly reason?: string | null | undefined
      readonly money?: MoneyOfOperator | undefined
    },
  ): Promise<SharePurchase> => {
    const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
    return decideOrPropose(service, { sharePurchaseId, to, ...decision })
  }
}

function previewedOrder({
  sharePurchase,
  cooperative,
}: Pick<ListedSharePurchase, 'sharePurchase' | 'cooperative'>): PreviewedOrder {
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    cooperative_id: sharePurchase.cooperativeId,
    cooperative_key: cooperative?.key ?? null,
    cooperative: cooperative?.name ?? null,
    total: sharePurchase.total,
    created_at: sharePurchase.createdAt,
  }
}
