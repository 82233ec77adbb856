import t from 'tap'
import { buildSharePurchase, instant } from '../../../fixtures/builders/share-purchases.ts'
import {
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../../src/domain/share-purchases/share-purchase.ts'
import {
  applyTransition,
  requireTransition,
} from '../../../src/domain/share-purchases/transitions.ts'

const allowed: Record<SharePurchaseStatus, SharePurchaseStatus[]> = {
  draft: ['submitted', 'rejected', 'cancelled'],
  submitted: ['approved', 'rejected', 'cancelled'],
  approved: ['settled', 'rejected'],
  settled: [],
  rejected: [],
  cancelled: [],
}

t.test(
  'the status of an order changes only as the specification allows [S-states-1]',
  async (t) => {
    for (const from of sharePurchaseStatuses) {
      for (const to of sharePurchaseStatuses) {
        const move = () => requireTransition(from, to)
        const title = `${from} to ${to}`
        if (allowed[from].includes(to)) t.doesNotThrow(move, title)
        else t.throws(move, { code: 'SHARE_PURCHASE_ILLEGAL_STATE' }, title)
      }
    }
  },
)

t.test('the refusal of a transition names the status and the possible ones', async (t) => {
  for (const [from, to, message] of [
    [
      'approved',
      'cancelled',
      'The share purchase cannot become cancelled: it is approved, and can only become settled or rejected.',
    ],
    [
      'submitted',
      'settled',
      'The share purchase cannot become settled: it is submitted, and can only become approved, rejected or cancelled.',
    ],
    [
      'settled',
      'rejected',
      'The share purchase cannot become rejected: it is settled, which is final.',
    ],
  ] as const) {
    t.throws(() => requireTransition(from, to), { message })
  }
})

t.test('a transition is added to the history with its time and reason', async (t) => {
  const submitted = buildSharePurchase()
  const at = instant('2026-02-01T00:00:00Z')
  const rejected = applyTransition(submitted, { to: 'rejected', at, reason: 'No more shares.' })
  t.match(rejected, { status: 'rejected', reason: 'No more shares.', updatedAt: at })
  t.strictSame(rejected.transitions, [...submitted.transitions, { to: 'rejected', at }])
  t.equal(rejected.createdAt, submitted.createdAt)
})

t.test('the reason is null unless one was recorded', async (t) => {
  const at = instant('2026-02-01T00:00:00Z')
  t.equal(applyTransition(buildSharePurchase(), { to: 'rejected', at }).reason, null)
})

t.test('frozen terms stay the same through every transition', async (t) => {
  const submitted = buildSharePurchase()
  const at = instant('2026-02-01T00:00:00Z')
  const settled = applyTransition(applyTransition(submitted, { to: 'approved', at }), {
    to: 'settled',
    at,
  })
  const frozen = ['pricePerShare', 'entryFee', 'total', 'currency', 'shareCount'] as const
  for (const field of frozen) t.equal(settled[field], submitted[field], field)
})
