import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'

/** What operators see of an order: no personal data, and of the account only what partners see. */
export function renderSharePurchaseRow(sharePurchase: SharePurchase) {
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
    created_at: sharePurchase.createdAt,
    updated_at: sharePurchase.updatedAt,
  }
}

export function renderSharePurchaseRecord(sharePurchase: SharePurchase) {
  const history = sharePurchase.transitions.map(({ to, at }) => ({ status: to, at }))
  return { ...renderSharePurchaseRow(sharePurchase), history }
}
