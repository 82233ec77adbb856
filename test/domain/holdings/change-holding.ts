import t from 'tap'
import {
  buildHolding,
  buildSharePurchase,
  instant,
} from '../../../fixtures/builders/share-purchases.ts'
import { applyToHolding, isListed, openHolding } from '../../../src/domain/holdings/holding.ts'
import type { SharePurchaseStatus } from '../../../src/domain/share-purchases/share-purchase.ts'

const at = instant('2026-03-01T00:00:00Z')
const first = instant('2026-02-01T00:00:00Z')

/** Makes an order for five shares that has just reached `status`. */
function moved(status: SharePurchaseStatus) {
  const transitions = [...buildSharePurchase().transitions, { to: status, at }]
  return buildSharePurchase({ status, transitions, updatedAt: at })
}

t.test('a placed order adds pending shares', async (t) => {
  const holding = buildHolding({ shares: 1, pendingShares: 2 })
  t.match(applyToHolding(holding, moved('submitted')), {
    shares: 1,
    pendingShares: 7,
    updatedAt: at,
  })
})

t.test('a settlement turns pending shares into shares', async (t) => {
  const holding = buildHolding({ shares: 1, pendingShares: 7 })
  const settled = { shares: 6, pendingShares: 2, updatedAt: at }
  t.match(applyToHolding(holding, moved('settled')), settled)
})

t.test(
  'first_acquired_at is null until the first settlement and does not change after it',
  async (t) => {
    const holding = buildHolding({ pendingShares: 5 })
    t.equal(holding.firstAcquiredAt, null)
    t.equal(applyToHolding(holding, moved('settled')).firstAcquiredAt, at)
    const earlier = buildHolding({ pendingShares: 5, firstAcquiredAt: first })
    t.equal(applyToHolding(earlier, moved('settled')).firstAcquiredAt, first)
  },
)

t.test('a rejected or cancelled order releases its pending shares', async (t) => {
  const holding = buildHolding({ shares: 1, pendingShares: 7 })
  for (const status of ['rejected', 'cancelled'] as const) {
    const released = { shares: 1, pendingShares: 2, firstAcquiredAt: null, updatedAt: at }
    t.match(applyToHolding(holding, moved(status)), released, status)
  }
})

t.test('an approval changes no holding', async (t) => {
  const holding = buildHolding({ pendingShares: 5 })
  t.equal(applyToHolding(holding, moved('approved')), holding)
})

t.test('a draft never counts in a holding', async (t) => {
  const holding = buildHolding({ pendingShares: 5 })
  const draft = buildSharePurchase({ status: 'draft', transitions: [{ to: 'draft', at }] })
  t.equal(applyToHolding(holding, draft), holding)
  t.equal(applyToHolding(holding, { ...draft, status: 'cancelled' }), holding)
})

t.test('a holding never falls below zero', async (t) => {
  const holding = buildHolding({ pendingShares: 4 })
  for (const status of ['settled', 'rejected', 'cancelled'] as const) {
    t.throws(() => applyToHolding(holding, moved(status)), RangeError, status)
  }
})

t.test('a holding without shares is not listed', async (t) => {
  const { id, organizationId, investorId, cooperativeId } = buildHolding()
  const opened = openHolding({ id, organizationId, investorId, cooperativeId }, at)
  t.strictSame(opened, buildHolding({ createdAt: at, updatedAt: at }))
  t.notOk(isListed(opened))
  t.ok(isListed({ ...opened, pendingShares: 1 }))
  t.ok(isListed({ ...opened, shares: 1 }))
})
