import { enums, type Infer, object, optional } from 'superstruct'
import { renderFate } from '../domain/share-purchases/fate-text.ts'
import {
  type Proposal,
  type SharePurchase,
  sharePurchaseStatuses,
} from '../domain/share-purchases/share-purchase.ts'
import type { Service } from '../usecases/service.ts'
import type { DecideSharePurchase } from '../usecases/share-purchases/change-status.ts'
import { confirmDecision, decideOrPropose } from '../usecases/share-purchases/four-eyes.ts'
import {
  readAnySharePurchase,
  selectSharePurchases,
} from '../usecases/share-purchases/read-share-purchases.ts'
import { limit, optionalText, text } from '../wire/fields.ts'
import { listOperation, operation } from './operation.ts'

const one = object({ share_purchase_id: text() })

/** `organization` is an id or an exact name. */
export const sharePurchaseOperations = {
  'purchase.list': listOperation({
    input: object({
      status: optional(enums(sharePurchaseStatuses)),
      organization: optional(text()),
      limit: optional(limit()),
    }),
    batches: async function* (service, filter) {
      for await (const purchases of selectSharePurchases(service, filter)) {
        yield purchases.map(renderSharePurchaseRow)
      }
    },
  }),
  'purchase.show': operation({
    input: one,
    run: async (service, { share_purchase_id }) =>
      renderSharePurchaseRecord(await readAnySharePurchase(service, share_purchase_id)),
  }),
  'purchase.approve': operation({ input: one, run: decide('approved') }),
  'purchase.settle': operation({ input: one, run: decide('settled') }),
  'purchase.cancel': operation({ input: one, run: decide('cancelled') }),
  'purchase.confirm': operation({
    input: one,
    run: async (service, { share_purchase_id }) =>
      renderSharePurchaseRow(await confirmDecision(service, share_purchase_id)),
  }),
  'purchase.reject': operation({
    input: object({ share_purchase_id: text(), reason: optionalText() }),
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
    const sharePurchaseId = share_purchase_id
    return renderSharePurchaseRow(await decideOrPropose(service, { sharePurchaseId, to, reason }))
  }
}

/** Contains no personal data, and of the account only the masked IBAN that partners also see. */
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
    updated_at: sharePurchase.updatedAt,
  }
}

/** What another operator has to confirm. */
function renderProposal({ to, reason, operatorName, at }: Proposal) {
  const decision = to === 'settled' ? ('settle' as const) : ('reject' as const)
  return { decision, reason, operator: operatorName, at }
}

function renderSharePurchaseRecord(sharePurchase: SharePurchase) {
  const history = sharePurchase.transitions.map(({ to, at }) => ({ status: to, at }))
  const fate = sharePurchase.fate ? renderFate(sharePurchase.fate) : null
  return { ...renderSharePurchaseRow(sharePurchase), fate, history }
}
