import type { Investor, PersonalData, StoredInvestor } from '../../domain/investors/investor.ts'
import type { BankAccount, Consents, Profile } from '../../domain/investors/profile.ts'
import type { Vault } from '../../ports/vault.ts'

export function openInvestor(vault: Vault, stored: StoredInvestor): Investor {
  const { sealedPersonalData, ...investor } = stored
  const {
    email = null,
    profile,
    ...more
  }: StoredPersonalData = JSON.parse(vault.open(sealedPersonalData))
  return { ...investor, ...more, email, profile: profile ? upgradeProfile(profile) : null }
}

export function sealInvestor(
  vault: Vault,
  { email, profile, firstSentDigest, ...open }: Investor,
): StoredInvestor {
  const personalData: PersonalData = {
    email,
    profile,
    ...(firstSentDigest !== undefined && { firstSentDigest }),
  }
  return { ...open, sealedPersonalData: vault.seal(JSON.stringify(personalData)) }
}

/** An earlier program may have known fewer fields than this one. */
interface StoredPersonalData extends Partial<Omit<PersonalData, 'profile'>> {
  readonly profile?: StoredProfile | null
}

type StoredProfile = Partial<Omit<Profile, 'bankAccount' | 'consents'>> & {
  readonly bankAccount?: (Pick<BankAccount, 'iban'> & Partial<BankAccount>) | null
  readonly consents?: Partial<Consents>
}

/** What the program that stored it did not know of is not set: a request that leaves it out still says the same. */
function upgradeProfile(stored: StoredProfile): Profile {
  const { bankAccount, consents } = stored
  return {
    ...unsetProfile,
    ...stored,
    bankAccount: bankAccount ? { ...unsetBankAccount, ...bankAccount } : null,
    consents: { ...unsetProfile.consents, ...consents },
  }
}

const notGiven = { given: false, givenAt: null } as const

const unsetProfile: Profile = {
  firstName: null,
  lastName: null,
  birthDate: null,
  taxId: null,
  phone: null,
  address: null,
  bankAccount: null,
  company: null,
  consents: {
    terms: notGiven,
    privacy: notGiven,
    dataSharing: notGiven,
    representationAuthorization: notGiven,
  },
}

const unsetBankAccount = { bic: null, institution: null, accountHolder: null }
