import t from 'tap'
import { buildHolding, buildSharePurchase, instant } from '../../../fixtures/share-purchases.ts'
import { changeHolding, openHolding } from '../../../src/domain/holdings/change-holding.ts'
import { isListed } from '../../../src/domain/holdings/holding.ts'
import type { SharePurchaseStatus } from '../../../src/domain/share-purchases/share-purchase.ts'

const at = instant('2026-03-01T00:00:00Z')
const first = instant('2026-02-01T00:00:00Z')

/** Five shares, just moved to `status`. */
function moved(status: SharePurchaseStatus) {
  const transitions = [...buildSharePurchase().transitions, { to: status, at }]
  return buildSharePurchase({ status, transitions, updatedAt: at })
}

t.test('a placed order makes its shares pending', async (t) => {
  const holding = buildHolding({ shares: 1, pendingShares: 2 })
  t.match(changeHolding(holding, moved('submitted')), {
    shares: 1,
    pendingShares: 7,
    updatedAt: at,
  })
})

t.test('settlement turns pending shares into shares', async (t) => {
  const holding = buildHolding({ shares: 1, pendingShares: 7 })
  const settled = { shares: 6, pendingShares: 2, updatedAt: at }
  t.match(changeHolding(holding, moved('settled')), settled)
})

t.test('first_acquired_at is null until the first settlement and stays thereafter', async (t) => {
  const holding = buildHolding({ pendingShares: 5 })
  t.equal(holding.firstAcquiredAt, null)
  t.equal(changeHolding(holding, moved('settled')).firstAcquiredAt, at)
  const earlier = buildHolding({ pendingShares: 5, firstAcquiredAt: first })
  t.equal(changeHolding(earlier, moved('settled')).firstAcquiredAt, first)
})

t.test('a refused or withdrawn order releases its pending shares', async (t) => {
  const holding = buildHolding({ shares: 1, pendingShares: 7 })
  for (const status of ['rejected', 'cancelled'] as const) {
    const released = { shares: 1, pendingShares: 2, firstAcquiredAt: null, updatedAt: at }
    t.match(changeHolding(holding, moved(status)), released, status)
  }
})

t.test('approval changes no holding', async (t) => {
  const holding = buildHolding({ pendingShares: 5 })
  t.equal(changeHolding(holding, moved('approved')), holding)
})

t.test('a draft has no part in a holding, whatever becomes of it', async (t) => {
  const holding = buildHolding({ pendingShares: 5 })
  const draft = buildSharePurchase({ status: 'draft', transitions: [{ to: 'draft', at }] })
  t.equal(changeHolding(holding, draft), holding)
  t.equal(changeHolding(holding, { ...draft, status: 'cancelled' }), holding)
})

t.test('no holding goes below nothing', async (t) => {
  const holding = buildHolding({ pendingShares: 4 })
  for (const status of ['settled', 'rejected', 'cancelled'] as const) {
    t.throws(() => changeHolding(holding, moved(status)), RangeError, status)
  }
})

t.test('a position of nothing is not listed', async (t) => {
  const { id, organizationId, investorId, cooperativeId } = buildHolding()
  const opened = openHolding({ id, organizationId, investorId, cooperativeId }, at)
  t.strictSame(opened, buildHolding({ createdAt: at, updatedAt: at }))
  t.notOk(isListed(opened))
  t.ok(isListed({ ...opened, pendingShares: 1 }))
  t.ok(isListed({ ...opened, shares: 1 }))
})
