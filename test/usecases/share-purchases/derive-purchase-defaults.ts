import t from 'tap'
import { completeProfile } from '../../../fixtures/builders/investors.ts'
import { instant } from '../../../fixtures/builders/share-purchases.ts'
import { type Consent, createProfile, type Profile } from '../../../src/domain/investors/profile.ts'
import { derivePurchaseDefaults } from '../../../src/usecases/share-purchases/place-share-purchase.ts'
import { readProfile } from '../../../src/wire/investors.ts'

// The test calls the use case, because the API refuses profiles without these values as incomplete.
const signedAt = instant('2026-01-01T00:00:00Z')
const given: Consent = { given: true, givenAt: signedAt }
const notGiven: Consent = { given: false, givenAt: null }
const iban = 'DE12500105170648489890'

const derived = { bic: null, institution: null, isOutstanding: false }
const complete = createProfile(readProfile(completeProfile()), { derived, receivedAt: signedAt })
const profile: Profile = {
  ...complete,
  consents: { ...complete.consents, terms: given, privacy: given },
}

function derive(from: Profile | null, debtorIban: string | null = null) {
  return derivePurchaseDefaults(from, { sepaMandate: { signedAt, debtorIban, reference: null } })
}

t.test(
  'debtor_iban defaults to the profile IBAN, and consents come from the profile [S-orders-9]',
  async (t) => {
    t.strictSame(derive(profile), { debtorIban: iban, terms: given, privacy: given })
  },
)

t.test('a debtor_iban that is sent takes precedence over the profile', async (t) => {
  t.equal(derive(profile, 'de89 3704 0044 0532 0130 00').debtorIban, 'DE89370400440532013000')
})

t.test(
  'a missing default leads to 409 PURCHASE_DEFAULTS_UNAVAILABLE, which names it [S-placing-1] [D9]',
  async (t) => {
    const consents = profile.consents
    for (const [missing, from, debtorIban] of [
      ['sepaMandate.debtorIban', { ...profile, bankAccount: null }, null],
      ['sepaMandate.debtorIban', null, null],
      ['consents.terms', null, iban],
      ['consents.terms', { ...profile, consents: { ...consents, terms: notGiven } }, null],
      ['consents.privacy', { ...profile, consents: { ...consents, privacy: notGiven } }, iban],
    ] as const) {
      const refused = {
        code: 'PURCHASE_DEFAULTS_UNAVAILABLE',
        message: `${missing} was not sent, and the investor's profile has no value to use instead.`,
      }
      t.throws(() => derive(from, debtorIban), refused, missing)
    }
  },
)
