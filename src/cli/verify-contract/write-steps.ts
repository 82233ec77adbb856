import { expectListed, expectReplay, expectValues } from './expectations.ts'
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

const emptyCatalogue =
  'not asked: the catalogue is empty; publish a cooperative, then verify once more'
const sameInvestor = expectValues(({ investorId }) => ({ investor_id: investorId }))
const sameOrder = expectValues(({ investorId, sharePurchaseId }) => ({
  investor_id: investorId,
  share_purchase_id: sharePurchaseId,
}))
const asOrdered = expectValues(({ cooperativeId, shareCount, investorId }) => ({
  investor_id: investorId,
  cooperative_id: cooperativeId,
  share_count: Number(shareCount),
}))

/** An invented investor, from registration to an order that is cancelled, and the refusals on the way. */
export const writeSteps: readonly Step[] = [
  { ...provision, status: 400, body: (known) => ({ ...provisionOf(known), surplus: 1 }) },
  { ...provision, keep: keepInvestor },
  { ...provision, status: 200, expect: [sameInvestor] },
  { ...order, status: 409 },
  { ...profile, status: 422, body: () => profileWith('DE00370400440532013000') },
  { ...profile, expect: [sameInvestor] },
  { ...read('findInvestor', paths.byReference), expect: [sameInvestor] },
  { ...read('readInvestor', paths.investor), expect: [sameInvestor] },
  { ...order, status: 422, body: (known) => ({ ...orderOf(known), share_count: 0 }) },
  { ...order, indispensable: emptyCatalogue, expect: [asOrdered], keep: keepOrder },
  { ...order, expect: [expectReplay, sameOrder] },
  { ...order, status: 409, body: (known) => orderOf(known, { more: 1 }) },
  {
    ...read('listSharePurchases', paths.orders),
    expect: [expectListed('share_purchase_id', 'sharePurchaseId')],
  },
  { ...read('readSharePurchase', paths.order), needs: 'sharePurchaseId', expect: [sameOrder] },
  {
    ...read('listHoldings', paths.holdings),
    expect: [expectListed('cooperative_id', 'orderedFrom')],
  },
  { ...cancel, expect: [sameOrder, expectValues(() => ({ status: 'cancelled' }))] },
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

function keepOrder({ share_purchase_id, cooperative_id = '' }: Ordered): Known {
  return share_purchase_id
    ? { sharePurchaseId: share_purchase_id, orderedFrom: cooperative_id }
    : {}
}

interface Ordered {
  readonly share_purchase_id?: string
  readonly cooperative_id?: string
}
