import { array, boolean, enums, type Infer, nonempty, object, optional } from 'superstruct'
import { referenceOf } from '../domain/investors/investor.ts'
import { addMoney, currency, type Money, zeroMoney } from '../domain/money.ts'
import { renderFate } from '../domain/share-purchases/fate-text.ts'
import {
  maximumReasonLength,
  type Proposal,
  type SharePurchase,
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
import { limit, optionalText, readRange, readTimestamp, text, timestamp } from '../wire/fields.ts'
import { listOperation, operation } from './operation.ts'

const one = object({ share_purchase_id: text() })

const filter = {
  organization: optional(text()),
  /** An id or a key. */
  cooperative: optional(text()),
  /** An id or the reference of the partner. */
  investor: optional(text()),
  since: optional(timestamp()),
  until: optional(timestamp()),
  /** Only orders with a decision that another operator has to confirm. */
  proposed: optional(boolean()),
  settled_since: optional(timestamp()),
  settled_until: optional(timestamp()),
  limit: optional(limit()),
}

function selectionOf({ proposed, settled_since, settled_until, ...input }: SelectionInput) {
  const settled = readRange({ since: settled_since, until: settled_until })
  return {
    ...input,
    ...readRange(input),
    isProposed: proposed,
    settledSince: settled.since,
    settledUntil: settled.until,
  }
}

type SelectionInput = Infer<ReturnType<typeof object<typeof filter>>>

/** `organization` is an id or an exact name. */
export const sharePurchaseOperations = {
  'purchase.list': listOperation({
    input: object({
      status: optional(enums(sharePurchaseStatuses)),
      ...filter,
      sort: optional(enums(['created_at', '-created_at'])),
      /** Cursor: id of the last order of the previous page. */
      after: optional(text()),
    }),
    batches: async function* (service, { sort, status, after, ...input }) {
      const isNewestFirst = sort === '-created_at'
      const selection = { ...selectionOf(input), status, after, isNewestFirst }
      for await (const purchases of selectSharePurchases(service, selection)) {
        yield purchases.map(renderListedSharePurchase)
      }
    },
  }),
  'purchase.preview': operation({
    input: object({ statuses: nonempty(array(enums(sharePurchaseStatuses))), ...filter }),
    run: async (service, { statuses, limit: most, ...input }) => {
      const rows: PreviewedOrder[] = []
      for (const status of statuses) {
        const left = most === undefined ? undefined : most - rows.length
        if (left === 0) break
        const selection = { ...selectionOf(input), status, limit: left }
        for await (const found of selectWithCooperatives(service, selection)) {
          rows.push(...found.map(renderPreviewed))
        }
      }
      return { ...previewOf(rows), share_purchase_ids: rows.map((row) => row.share_purchase_id) }
    },
  }),
  'purchase.show': operation({
    input: one,
    run: async (service, { share_purchase_id }) => {
      const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
      return renderSharePurchaseRecord(await readListedSharePurchase(service, sharePurchaseId))
    },
  }),
  'purchase.approve': operation({ input: one, run: decide('approved') }),
  'purchase.settle': operation({ input: one, run: decide('settled') }),
  'purchase.cancel': operation({ input: one, run: decide('cancelled') }),
  'purchase.confirm': operation({
    input: object({ share_purchase_id: text(), proposed_at: optional(timestamp()) }),
    run: async (service, { share_purchase_id, proposed_at }) => {
      const proposedAt = proposed_at === undefined ? undefined : readTimestamp(proposed_at)
      const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
      return renderSharePurchaseRow(await confirmDecision(service, sharePurchaseId, proposedAt))
    },
  }),
  'purchase.reject': operation({
    input: object({ share_purchase_id: text(), reason: optionalText(maximumReasonLength) }),
    run: decide('rejected'),
  }),
}

function decide(to: DecideSharePurchase['to']) {
  return async (
    service: Service,
    {
      share_purchase_id,
      reason,
    }: Infer<typeof one> & { readonly reason?: string | null | undefined },
  ) => {
    const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
    return renderSharePurchaseRow(await decideOrPropose(service, { sharePurchaseId, to, reason }))
  }
}

/** Contains no personal data except the masked IBAN that partners also see. */
function renderSharePurchaseRow(sharePurchase: SharePurchase) {
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    status: sharePurchase.status,
    organization_id: sharePurchase.organizationId,
    investor_id: sharePurchase.investorId,
    cooperative_id: sharePurchase.cooperativeId,
    applicant_type: sharePurchase.applicantType,
    share_count: sharePurchase.shareCount,
    price_per_share: sharePurchase.pricePerShare,
    entry_fee: sharePurchase.entryFee,
    total: sharePurchase.total,
    total_currency: sharePurchase.currency,
    mandate_reference: sharePurchase.sepaMandate.reference,
    debtor_iban_masked: sharePurchase.sepaMandate.debtorIbanMasked,
    reason: sharePurchase.reason,
    rests_on: sharePurchase.restsOn ?? null,
    proposal: sharePurchase.proposal ? renderProposal(sharePurchase.proposal) : null,
    created_at: sharePurchase.createdAt,
    settled_at: settledAtOf(sharePurchase),
    updated_at: sharePurchase.updatedAt,
  }
}

/** A decision that another operator has to confirm. */
function renderProposal({ to, reason, operatorName, at }: Proposal) {
  const decision = to === 'settled' ? ('settle' as const) : ('reject' as const)
  return { decision, reason, operator: operatorName, at }
}

/** An investor who was erased has no reference any more. */
function renderListedSharePurchase(listed: ListedSharePurchase) {
  const { sharePurchase, organization, cooperative, investor } = listed
  return {
    ...renderSharePurchaseRow(sharePurchase),
    organization: organization?.name ?? null,
    partner_customer_ref: investor ? referenceOf(investor) : null,
    cooperative: cooperative?.name ?? null,
    cooperative_key: cooperative?.key ?? null,
  }
}

function renderSharePurchaseRecord(listed: ListedSharePurchase) {
  const { transitions, fate } = listed.sharePurchase
  const history = transitions.map(({ to, at }) => ({ status: to, at }))
  return {
    ...renderListedSharePurchase(listed),
    fate: fate ? renderFate(fate) : null,
    history,
  }
}

function renderPreviewed({
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

type PreviewedOrder = Pick<
  ReturnType<typeof renderListedSharePurchase>,
  | 'share_purchase_id'
  | 'cooperative_id'
  | 'cooperative_key'
  | 'cooperative'
  | 'total'
  | 'created_at'
>

/** The orders and amounts of a decision, before it is made. */
export function previewOf(rows: readonly PreviewedOrder[]) {
  const times = rows.map(({ created_at }) => created_at).sort()
  const groups = new Map<string, PreviewedOrder[]>()
  for (const row of rows) {
    const group = groups.get(row.cooperative_id)
    if (group) group.push(row)
    else groups.set(row.cooperative_id, [row])
  }
  return {
    count: rows.length,
    total: sumOf(rows),
    total_currency: currency,
    oldest: times.at(0) ?? null,
    newest: times.at(-1) ?? null,
    cooperatives: [...groups].map(([cooperative_id, group]) => ({
      cooperative_id,
      cooperative_key: group[0]?.cooperative_key ?? null,
      cooperative: group[0]?.cooperative ?? null,
      count: group.length,
      total: sumOf(group),
    })),
  }
}

function sumOf(rows: readonly Pick<PreviewedOrder, 'total'>[]): Money {
  return rows.reduce((sum, { total }) => addMoney(sum, total), zeroMoney)
}
