import { is, string, type } from 'superstruct'
import { maskedIban } from './invented-investor.ts'
import type { Known } from './step.ts'

export function orderOf({ cooperativeId, shareCount = '1', startedAt }: Known) {
  return {
    cooperative_id: cooperativeId,
    share_count: Number(shareCount),
    sepa_mandate: { signed_at: startedAt },
    statute_consent_given_at: startedAt,
  }
}

/** As good by itself wherever the first one is: with another count of shares they may be too few, or too many. */
export function anotherOrderOf(known: Known) {
  const { startedAt = '' } = known
  const earlier = new Date(Date.parse(startedAt) - 1000).toISOString()
  return { ...orderOf(known), statute_consent_given_at: earlier }
}

/** A first order of these shares, at the price and the fee of the catalogue. */
export function newOrder(known: Known) {
  const { cooperativeId, shareCount = '1', investorId, startedAt, sharePrice, entryFee } = known
  return {
    investor_id: investorId,
    cooperative_id: cooperativeId,
    share_count: Number(shareCount),
    status: 'submitted',
    applicant_type: 'private',
    price_per_share: sharePrice,
    entry_fee: entryFee,
    sepa_mandate: { signed_at: startedAt, debtor_iban_masked: maskedIban },
    consents: {
      terms: { given: true },
      privacy: { given: true },
      statute: { given: true, given_at: startedAt },
    },
  }
}

/** What of an order is frozen when it is placed. */
export function placedOrder({ sharePurchaseId, investorId, placedPrice, placedTotal }: Known) {
  return {
    investor_id: investorId,
    share_purchase_id: sharePurchaseId,
    price_per_share: placedPrice,
    total: placedTotal,
  }
}

/** An invented investor has no other orders. */
export function newHolding({ investorId, shareCount = '1' }: Known) {
  return { investor_id: investorId, shares: 0, pending_shares: Number(shareCount) }
}

const Ordered = type({
  share_purchase_id: string(),
  cooperative_id: string(),
  price_per_share: string(),
  total: string(),
})

export function keepOrder(body: unknown): Known {
  if (!is(body, Ordered)) return {}
  return {
    sharePurchaseId: body.share_purchase_id,
    orderedFrom: body.cooperative_id,
    placedPrice: body.price_per_share,
    placedTotal: body.total,
  }
}
