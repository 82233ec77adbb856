// The rules of orders. Nothing here reads or writes a store.
import { randomUUID } from 'node:crypto'
import { currency, fromCents, toCents } from './money.js'
import { Problem, refuseFields } from './problems.js'
import { digestOf, maskIban, missingProfileFields, toElectronicFormat } from './profile.js'

const maximumShares = 1_000_000_000

/** What an idempotency key stands for: the request with the applicant that follows from it. */
export function digestOrder(investor, request) {
  const applicant_type = applicantOf(investor, request)
  return digestOf({ ...request, applicant_type, investor_id: investor.investor_id })
}

function applicantOf({ profile }, { applicant_type }) {
  return applicant_type ?? (profile?.company ? 'company' : 'private')
}

/** Returns whether the key was used for this request, and refuses it if it was used for another. */
export function isReplay(keyUse, digest) {
  if (!keyUse) return false
  if (keyUse.digest === digest) return true
  throw new Problem('IDEMPOTENCY_KEY_CONFLICT', 'The key was used for another request.')
}

/** Freezes the terms of an order, or refuses it. */
export function createOrder({ investor, cooperative, holding, request }) {
  if (!cooperative) {
    throw new Problem('COOPERATIVE_NOT_FOUND', 'No published cooperative has this id.')
  }
  refuseShares(request.share_count, cooperative, holding)
  requireComplete(investor)
  const { share_count, sepa_mandate } = request
  const { terms, privacy } = investor.profile.consents
  const debtor_iban = sepa_mandate.debtor_iban ?? investor.profile.bank_account.iban
  const [id, now] = [randomUUID(), new Date()]
  return {
    share_purchase_id: id,
    organization_id: investor.organization_id,
    investor_id: investor.investor_id,
    cooperative_id: cooperative.cooperative_id,
    status: 'submitted',
    applicant_type: applicantOf(investor, request),
    share_count,
    ...computeTerms(share_count, cooperative, holding),
    mandate_reference: sepa_mandate.reference ?? `CS-${id.replaceAll('-', '').slice(0, 20)}`,
    mandate_signed_at: new Date(sepa_mandate.signed_at),
    debtor_iban: toElectronicFormat(debtor_iban),
    terms_given_at: new Date(terms.given_at),
    privacy_given_at: new Date(privacy.given_at),
    statute_given_at: new Date(request.statute_consent_given_at),
    reason: null,
    created_at: now,
    updated_at: now,
  }
}

function refuseShares(share_count, { minimum_shares }, holding) {
  const shares = sharesOf(holding) + share_count
  if (shares < minimum_shares) {
    refuseFields({ share_count: `must bring the investor to ${minimum_shares} shares` })
  }
  if (shares > maximumShares) refuseFields({ share_count: 'would be too many shares' })
}

function sharesOf(holding) {
  return holding ? holding.shares + holding.pending_shares : 0
}

function requireComplete(investor) {
  const missing = missingProfileFields(investor)
  if (missing.length === 0) return
  throw new Problem(
    'INVESTOR_PROFILE_INCOMPLETE',
    `Complete the profile first. It lacks ${missing.join(', ')}.`,
  )
}

/** The entry fee is due once, when an investor joins. */
function computeTerms(share_count, { share_price, entry_fee }, holding) {
  const fee = sharesOf(holding) > 0 ? 0n : toCents(entry_fee)
  const total = toCents(share_price) * BigInt(share_count) + fee
  return { price_per_share: share_price, entry_fee: fromCents(fee), total: fromCents(total) }
}

export function refuseCancelled({ status }) {
  if (status === 'draft' || status === 'submitted') return
  throw new Problem('SHARE_PURCHASE_ILLEGAL_STATE', `The order is ${status}.`)
}

/** The event of an order that has got a new status. */
export function createEvent(order, created_at) {
  const { share_purchase_id, organization_id, investor_id, cooperative_id, status } = order
  const id = randomUUID()
  const type = `share_purchase.${status}`
  const isNew = status === 'submitted'
  const data = {
    ...{ share_purchase_id, investor_id, cooperative_id },
    ...(isNew && { share_count: order.share_count }),
    ...{ status, terminal: !isNew },
    ...(isNew && { total: order.total, total_currency: currency }),
  }
  const body = JSON.stringify({ id, type, created_at, data })
  return { event_id: id, organization_id, share_purchase_id, type, body, created_at }
}

export function renderOrder(order) {
  const given = (given_at) => ({ given: true, given_at })
  return {
    ...order,
    price_per_share_currency: currency,
    entry_fee_currency: currency,
    total_currency: currency,
    sepa_mandate: {
      reference: order.mandate_reference,
      signed_at: order.mandate_signed_at,
      debtor_iban_masked: maskIban(order.debtor_iban),
    },
    consents: {
      terms: given(order.terms_given_at),
      privacy: given(order.privacy_given_at),
      statute: given(order.statute_given_at),
    },
  }
}
