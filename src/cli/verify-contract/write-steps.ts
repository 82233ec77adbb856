import { type Known, paths, read, type Step } from './step.ts'

const order: Step = {
  operationId: 'placeSharePurchase',
  method: 'POST',
  path: paths.orders,
  status: 201,
  needs: 'cooperativeId',
  headers: ({ reference = '' }) => ({ 'idempotency-key': reference }),
  body: (known) => orderOf(known),
}

const provision: Step = {
  operationId: 'provisionInvestor',
  method: 'POST',
  path: () => '/v1/investors',
  status: 201,
  body: (known) => provisionOf(known),
}

const profile: Step = {
  operationId: 'replaceProfile',
  method: 'PUT',
  path: paths.profile,
  status: 200,
  body: () => profileWith('DE89370400440532013000'),
}

const cancel: Step = {
  operationId: 'cancelSharePurchase',
  method: 'POST',
  path: paths.cancel,
  status: 200,
  needs: 'sharePurchaseId',
}

/** An invented investor, from registration to an order that is cancelled, and the refusals on the way. */
export const writeSteps: readonly Step[] = [
  { ...provision, status: 400, body: (known) => ({ ...provisionOf(known), surplus: 1 }) },
  { ...provision, keep: keepInvestor },
  { ...provision, status: 200 },
  { ...order, status: 409 },
  { ...profile, status: 422, body: () => profileWith('DE00370400440532013000') },
  profile,
  read('findInvestor', paths.byReference),
  read('readInvestor', paths.investor),
  { ...order, status: 422, body: (known) => ({ ...orderOf(known), share_count: 0 }) },
  { ...order, keep: keepOrder },
  order,
  { ...order, status: 409, body: (known) => orderOf(known, { more: 1 }) },
  read('listSharePurchases', paths.orders),
  { ...read('readSharePurchase', paths.order), needs: 'sharePurchaseId' },
  read('listHoldings', paths.holdings),
  cancel,
  { ...cancel, status: 409 },
]

function provisionOf({ reference }: Known) {
  return { partner_customer_ref: reference, email: 'verify@mail.example' }
}

function profileWith(iban: string) {
  const given = { given: true }
  return {
    first_name: 'Vera',
    last_name: 'Beispiel',
    birth_date: '1984-02-29',
    address: { street: 'Am Markt', house_number: '4', postal_code: '25813', city: 'Husum' },
    bank_account: { iban },
    consents: { terms: given, privacy: given, data_sharing: given },
  }
}

function orderOf({ cooperativeId, shareCount = '1', startedAt }: Known, { more } = { more: 0 }) {
  return {
    cooperative_id: cooperativeId,
    share_count: Number(shareCount) + more,
    sepa_mandate: { signed_at: startedAt },
    statute_consent_given_at: startedAt,
  }
}

function keepInvestor({ investor_id }: { investor_id?: string }): Known {
  return investor_id ? { investorId: investor_id } : {}
}

function keepOrder({ share_purchase_id }: { share_purchase_id?: string }): Known {
  return share_purchase_id ? { sharePurchaseId: share_purchase_id } : {}
}
