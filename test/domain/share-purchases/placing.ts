import t from 'tap'
import { euro } from '../../../fixtures/builders/cooperatives.ts'
import {
  buildHolding,
  buildSharePurchaseRequest,
  instant,
} from '../../../fixtures/builders/share-purchases.ts'
import {
  computeTerms,
  deriveMandateReference,
  isMandateReference,
  requireIdempotencyKey,
  type SharePurchaseRequest,
} from '../../../src/domain/share-purchases/share-purchase.ts'
import {
  holdingErrors,
  sharePurchaseErrors,
} from '../../../src/domain/share-purchases/share-purchase-errors.ts'

t.test('the total is price_per_share times share_count plus entry_fee [S-orders-15]', async (t) => {
  for (const [sharePrice, entryFee, shareCount, total] of [
    ['250', '0', 1, '250.00'],
    ['250', '25.50', 4, '1025.50'],
    ['0.10', '0.20', 3, '0.50'],
    ['19.99', '0', 10_000, '199900.00'],
    ['999999999999999.99', '0', 10_000, '9999999999999999900.00'],
  ] as const) {
    const cooperative = { sharePrice: euro(sharePrice), entryFee: euro(entryFee) }
    const terms = computeTerms(cooperative, { shareCount, isMember: false })
    t.equal(terms.total, total, `${shareCount} x ${sharePrice} + ${entryFee}`)
  }
})

t.test('the entry fee is zero when shares are already held or pending', async (t) => {
  const cooperative = { sharePrice: euro('100'), entryFee: euro('15') }
  t.strictSame(computeTerms(cooperative, { shareCount: 2, isMember: true }), {
    pricePerShare: '100.00',
    entryFee: '0.00',
    total: '200.00',
    currency: 'EUR',
  })
  t.equal(computeTerms(cooperative, { shareCount: 2, isMember: false }).entryFee, '15.00')
})

t.test('settled, pending and requested shares together must reach minimum_shares', async (t) => {
  for (const [shares, pendingShares, shareCount, missing] of [
    [0, 0, 4, 5],
    [0, 0, 5, undefined],
    [2, 2, 1, undefined],
    [0, 3, 1, 2],
    [3, 0, 1, 2],
    [9, 0, 1, undefined],
  ] as const) {
    const holding = buildHolding({ shares, pendingShares })
    t.strictSame(
      holdingErrors({ shareCount }, { minimumShares: 5 }, holding),
      missing === undefined
        ? {}
        : { shareCount: `must be at least ${missing}, to reach the minimum of 5 shares` },
      `${shares} held, ${pendingShares} pending, ${shareCount} requested`,
    )
  }
})

t.test('a mandate reference fits a SEPA direct debit [D4]', async (t) => {
  for (const [text, fits] of [
    ['M-2026/0001', true],
    ["A+B?C/D-E:F(G)H.I,J'K L", true],
    ['x'.repeat(35), true],
    ['x'.repeat(36), false],
    ['', false],
    ['Müller', false],
    ['under_score', false],
    ['/leading', false],
    ['trailing/', false],
    ['in//side', false],
    [' blank', false],
    ['line\nbreak', false],
    ['ends\n', false],
  ] as const) {
    t.equal(isMandateReference(text), fits, JSON.stringify(text))
  }
})

t.test('an issued mandate reference also fits a SEPA direct debit [D4]', async (t) => {
  const reference = deriveMandateReference('0198c0de-0000-7000-8000-00000000000a')
  t.equal(reference, '0198C0DE00007000800000000000000A')
  t.ok(isMandateReference(reference))
})

const now = instant('2026-11-20T12:00:00Z')
const signedAt = instant('2026-11-20T11:00:00Z')
const mandate = { signedAt, debtorIban: null, reference: null }
const late = instant('2026-11-20T12:01:00.001Z')
const notLate = instant('2026-11-20T12:01:00.000Z')

const requests: [string, Partial<SharePurchaseRequest>, string[]][] = [
  ['nothing wrong', {}, []],
  ['the largest share_count', { shareCount: 10_000 }, []],
  ['share_count above the upper bound', { shareCount: 10_001 }, ['shareCount']],
  ['an absurd share_count', { shareCount: 1e300 }, ['shareCount']],
  ['company without a company', { applicantType: 'company' }, ['applicantType']],
  ['private', { applicantType: 'private' }, []],
  ['60 s in the future', { statuteConsentGivenAt: notLate }, []],
  ['consent further in the future', { statuteConsentGivenAt: late }, ['statuteConsentGivenAt']],
  [
    'a mandate signed in the future',
    { sepaMandate: { ...mandate, signedAt: late } },
    ['sepaMandate.signedAt'],
  ],
  [
    'an IBAN with a wrong checksum',
    { sepaMandate: { ...mandate, debtorIban: 'DE88370400440532013000' } },
    ['sepaMandate.debtorIban'],
  ],
  [
    'an IBAN in groups of four',
    { sepaMandate: { ...mandate, debtorIban: 'de89 3704 0044 0532 0130 00' } },
    [],
  ],
  [
    'a reference with forbidden characters',
    { sepaMandate: { ...mandate, reference: 'ä' } },
    ['sepaMandate.reference'],
  ],
  [
    'all faults together',
    {
      shareCount: 10_001,
      applicantType: 'company',
      sepaMandate: { signedAt: late, debtorIban: 'X', reference: '//' },
      statuteConsentGivenAt: late,
    },
    [
      'shareCount',
      'applicantType',
      'sepaMandate.signedAt',
      'sepaMandate.debtorIban',
      'sepaMandate.reference',
      'statuteConsentGivenAt',
    ],
  ],
]

t.test('every fault of an order has the path that was sent [S-errors-4] [D3]', async (t) => {
  const context = { profile: null, maximumShareCount: 10_000, now }
  for (const [title, overrides, paths] of requests) {
    const faults = sharePurchaseErrors(
      buildSharePurchaseRequest({ sepaMandate: mandate, ...overrides }),
      context,
    )
    t.strictSame(Object.keys(faults), paths, title)
  }
})

t.test('an Idempotency-Key has 1 to 255 visible ASCII characters', async (t) => {
  const check = (key: string) => () => requireIdempotencyKey(key)
  for (const key of ['k', '!~', 'k'.repeat(255)]) t.doesNotThrow(check(key), key)
  for (const key of ['', 'k'.repeat(256), 'a b', 'a\tb', 'ä', 'a\n']) {
    t.throws(check(key), { code: 'VALIDATION_ERROR', extra: {} }, JSON.stringify(key))
  }
})
