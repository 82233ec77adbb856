import { is, string, type } from 'superstruct'
import { expectListed, expectReplay, expectValues } from './expectations.ts'
import { type Known, paths, read, refused, type Step } from './step.ts'

const order: Step = {
  operationId: 'placeSharePurchase',
  method: 'POST',
  path: paths.orders,
  status: 201,
  needs: ['investorId', 'cooperativeId'],
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
  needs: ['investorId'],
  body: () => profileWith('DE89370400440532013000'),
}

const cancel: Step = {
  operationId: 'cancelSharePurchase',
  method: 'POST',
  path: paths.cancel,
  status: 200,
  needs: ['sharePurchaseId'],
}

/** Whatever else was asked, an order was to be placed. */
const whyNoOrder = ({ cooperativeId }: Known) =>
  cooperativeId
    ? 'not asked: there is no investor to order for'
    : 'not asked: the catalogue is empty; publish a cooperative, then verify once more'
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
  {
    ...refused(provision, 400, 'MALFORMED_REQUEST_BODY'),
    body: (known) => ({ ...provisionOf(known), surplus: 1 }),
  },
  { ...provision, keep: keepInvestor },
  { ...provision, status: 200, expect: [sameInvestor] },
  refused(order, 409, 'INVESTOR_PROFILE_INCOMPLETE'),
  {
    ...refused(profile, 422, 'VALIDATION_ERROR'),
    body: () => profileWith('DE00370400440532013000'),
  },
  { ...profile, expect: [sameInvestor] },
  { ...read('findInvestor', paths.byReference), needs: ['investorId'], expect: [sameInvestor] },
  { ...read('readInvestor', paths.investor), needs: ['investorId'], expect: [sameInvestor] },
  {
    ...refused(order, 422, 'VALIDATION_ERROR'),
    body: (known) => ({ ...orderOf(known), share_count: 0 }),
  },
  { ...order, indispensable: whyNoOrder, expect: [asOrdered], keep: keepOrder },
  { ...order, expect: [expectReplay, sameOrder] },
  {
    ...refused(order, 409, 'IDEMPOTENCY_KEY_CONFLICT'),
    body: (known) => orderOf(known, { more: 1 }),
  },
  {
    ...read('listSharePurchases', paths.orders),
    needs: ['investorId'],
    expect: [expectListed('share_purchase_id', 'sharePurchaseId')],
  },
  { ...read('readSharePurchase', paths.order), needs: ['sharePurchaseId'], expect: [sameOrder] },
  {
    ...read('listHoldings', paths.holdings),
    needs: ['investorId'],
    expect: [expectListed('cooperative_id', 'orderedFrom')],
  },
  { ...cancel, expect: [sameOrder, expectValues(() => ({ status: 'cancelled' }))] },
  refused(cancel, 409, 'SHARE_PURCHASE_ILLEGAL_STATE'),
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

const Provisioned = type({ investor_id: string() })

function keepInvestor(body: unknown): Known {
  return is(body, Provisioned) ? { investorId: body.investor_id } : {}
}

const Ordered = type({ share_purchase_id: string(), cooperative_id: string() })

function keepOrder(body: unknown): Known {
  if (!is(body, Ordered)) return {}
  return { sharePurchaseId: body.share_purchase_id, orderedFrom: body.cooperative_id }
}
