import { is, string, type } from 'superstruct'
import { expectErrors, expectNamed, wholeIbans } from './check-answer.ts'
import {
  expectListed,
  expectNoReplay,
  expectReplay,
  expectValues,
  type Known,
  paths,
  read,
  refused,
  type Step,
} from './step.ts'

const order: Step = {
  operationId: 'placeSharePurchase',
  method: 'POST',
  path: paths.orders,
  status: 201,
  needs: ['investorId', 'registeredAt', 'cooperativeId'],
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
  body: () => wholeProfile,
}

const cancel: Step = {
  operationId: 'cancelSharePurchase',
  method: 'POST',
  path: paths.cancel,
  status: 200,
  needs: ['sharePurchaseId'],
}

/** With --write, placing an order is the point of the check. */
const whyNoOrder = ({ cooperativeId }: Known) =>
  cooperativeId
    ? 'not called: there is no investor to order for'
    : 'not called: the catalogue is empty; publish a cooperative and verify again'
const sameOrder = expectValues(placedOrder)

/** A fictitious investor, from registration to a cancelled order, with expected failures on the way. */
export const writeSteps: readonly Step[] = [
  {
    ...refused(provision, 400, 'MALFORMED_REQUEST_BODY'),
    body: (known) => ({ ...provisionOf(known), surplus: 1 }),
    expect: [expectNamed('surplus')],
  },
  {
    ...provision,
    expect: [expectValues(newInvestor)],
    provides: ['investorId', 'registeredAt'],
    keep: keepInvestor,
  },
  { ...provision, status: 200, expect: [expectValues(newInvestor)] },
  refused(order, 409, 'INVESTOR_PROFILE_INCOMPLETE'),
  {
    ...refused(profile, 422, 'VALIDATION_ERROR'),
    body: () => profileWithWrongIban,
    expect: [expectErrors('profile.bank_account.iban')],
  },
  { ...profile, expect: [expectValues(completeProfile)] },
  {
    ...read('findInvestor', paths.byReference),
    needs: ['investorId'],
    expect: [expectValues(completeInvestor)],
  },
  {
    ...read('readInvestor', paths.investor),
    needs: ['investorId'],
    expect: [expectValues(completeInvestor)],
  },
  {
    ...refused(order, 422, 'VALIDATION_ERROR'),
    body: (known) => ({ ...orderOf(known), share_count: 0 }),
    expect: [expectErrors('share_count')],
  },
  {
    ...order,
    indispensable: whyNoOrder,
    expect: [expectNoReplay, expectValues(newOrder)],
    provides: ['sharePurchaseId'],
    keep: keepOrder,
  },
  { ...order, expect: [expectReplay, sameOrder] },
  { ...refused(order, 409, 'IDEMPOTENCY_KEY_CONFLICT'), body: differentOrder },
  {
    ...read('listSharePurchases', paths.orders),
    needs: ['investorId'],
    expect: [expectListed('share_purchase_id', 'sharePurchaseId')],
  },
  { ...read('readSharePurchase', paths.order), needs: ['sharePurchaseId'], expect: [sameOrder] },
  {
    ...read('listHoldings', paths.holdings),
    needs: ['investorId'],
    expect: [expectListed('cooperative_id', 'orderedFrom', newHolding)],
  },
  { ...cancel, expect: [sameOrder, expectValues(() => ({ status: 'cancelled' }))] },
  refused(cancel, 409, 'SHARE_PURCHASE_ILLEGAL_STATE'),
]

const Provisioned = type({ investor_id: string(), created_at: string() })

function keepInvestor(body: unknown): Known {
  if (!is(body, Provisioned)) return {}
  return { investorId: body.investor_id, registeredAt: body.created_at }
}

const [iban, wrongIban] = wholeIbans
const maskedIban = 'DE89****3000'
const email = 'verify@mail.example'

const person = {
  first_name: 'Vera',
  last_name: 'Beispiel',
  birth_date: '1984-02-29',
  address: { street: 'Am Markt', house_number: '4', postal_code: '25813', city: 'Husum' },
}
/** Sent because a deployment may have no bank directory to look up these values. */
const bank = { bic: 'COBADEFFXXX', institution: 'Commerzbank' }
const given = { given: true }
const consents = { terms: given, privacy: given, data_sharing: given }

function provisionOf({ reference }: Known) {
  return { partner_customer_ref: reference, email }
}

const wholeProfile = { ...person, bank_account: { iban, ...bank }, consents }
const profileWithWrongIban = { ...wholeProfile, bank_account: { iban: wrongIban, ...bank } }

const complete = { is_profile_complete: true, missing_profile_fields: [] }
const sections = {
  ...person,
  tax_id: null,
  phone: null,
  company: null,
  bank_account: { iban_masked: maskedIban, ...bank, account_holder: 'Vera Beispiel' },
  consents,
}

function newInvestor({ reference, investorId }: Known) {
  return {
    investor_id: investorId,
    partner_customer_ref: reference,
    email,
    is_profile_complete: false,
  }
}

function completeProfile({ investorId }: Known) {
  return { investor_id: investorId, email, ...sections, ...complete }
}

function completeInvestor(known: Known) {
  return { ...newInvestor(known), profile: sections, ...complete }
}

/** Long ago, because the clock of a deployment for tests may be in the past. */
const consentedAt = '2020-01-02T09:30:00.000Z'

/** The mandate is signed when the investor is registered, by the clock of the deployment: old mandates have lapsed. */
function orderOf({ cooperativeId, shareCount = '1', registeredAt }: Known) {
  return {
    cooperative_id: cooperativeId,
    share_count: Number(shareCount),
    sepa_mandate: { signed_at: registeredAt },
    statute_consent_given_at: consentedAt,
  }
}

/** An order as valid as the first one. Another number of shares could be below the minimum or above the maximum. */
function differentOrder(known: Known) {
  return { ...orderOf(known), statute_consent_given_at: '2020-01-02T09:29:59.000Z' }
}

function newOrder(known: Known) {
  const { cooperativeId, shareCount = '1', investorId, sharePrice, entryFee, registeredAt } = known
  return {
    investor_id: investorId,
    cooperative_id: cooperativeId,
    share_count: Number(shareCount),
    status: 'submitted',
    applicant_type: 'private',
    price_per_share: sharePrice,
    entry_fee: entryFee,
    sepa_mandate: { signed_at: registeredAt, debtor_iban_masked: maskedIban },
    consents: {
      terms: { given: true },
      privacy: { given: true },
      statute: { given: true, given_at: consentedAt },
    },
  }
}

/** These fields of an order never change. */
function placedOrder({ sharePurchaseId, investorId, placedPrice, placedTotal }: Known) {
  return {
    investor_id: investorId,
    share_purchase_id: sharePurchaseId,
    price_per_share: placedPrice,
    total: placedTotal,
  }
}

/** The fictitious investor has no other orders. */
function newHolding({ investorId, shareCount = '1' }: Known) {
  return { investor_id: investorId, shares: 0, pending_shares: Number(shareCount) }
}

const Ordered = type({
  share_purchase_id: string(),
  cooperative_id: string(),
  price_per_share: string(),
  total: string(),
})

function keepOrder(body: unknown): Known {
  if (!is(body, Ordered)) return {}
  return {
    sharePurchaseId: body.share_purchase_id,
    orderedFrom: body.cooperative_id,
    placedPrice: body.price_per_share,
    placedTotal: body.total,
  }
}
