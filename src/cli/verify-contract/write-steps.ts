import { is, string, type } from 'superstruct'
import { expectNoReplay, expectReplay } from './expect-headers.ts'
import { expectErrors, expectNamed } from './expect-problem.ts'
import { expectListed, expectValues } from './expectations.ts'
import {
  completeInvestor,
  completeProfile,
  newInvestor,
  profileWithWrongIban,
  provisionOf,
  wholeProfile,
} from './invented-investor.ts'
import {
  anotherOrderOf,
  keepOrder,
  newHolding,
  newOrder,
  orderOf,
  placedOrder,
} from './invented-order.ts'
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
  body: () => wholeProfile,
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
const sameOrder = expectValues(placedOrder)

/** An invented investor, from registration to an order that is cancelled, and the refusals on the way. */
export const writeSteps: readonly Step[] = [
  {
    ...refused(provision, 400, 'MALFORMED_REQUEST_BODY'),
    body: (known) => ({ ...provisionOf(known), surplus: 1 }),
    expect: [expectNamed('surplus')],
  },
  {
    ...provision,
    expect: [expectValues(newInvestor)],
    provides: ['investorId'],
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
  { ...refused(order, 409, 'IDEMPOTENCY_KEY_CONFLICT'), body: anotherOrderOf },
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

const Provisioned = type({ investor_id: string() })

function keepInvestor(body: unknown): Known {
  return is(body, Provisioned) ? { investorId: body.investor_id } : {}
}
