import type { Fate } from '../share-purchases/share-purchase.ts'
import type { Encrypted } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'
import type { ConsentName, Profile } from './profile.ts'

/** A customer of a partner. Investors have no login. */
export interface Investor {
  readonly investorId: string
  readonly organizationId: string
  /** The partner's own reference; unique within the organization. */
  readonly partnerCustomerRef: string
  readonly email: string | null
  readonly profile: Profile | null
  /** The provisioning request, to recognize its repetition. Undefined for investors from fixture files. */
  readonly firstSent?: FirstSent
  /**
   * The key of all personal data of this investor, encrypted with the key of the store. Made when the investor is first
   * stored, and removed when the person is erased.
   */
  readonly encryptedKey?: Encrypted
  /** The fate of all later orders of this investor. Only in staging. */
  readonly fate?: Fate
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Digests of the parts of a request that its repetition may leave out; null for a part that was not sent. */
export interface FirstSent {
  readonly email: string | null
  /** Without the times of consents. */
  readonly profile: string | null
  /** The times of consents that were sent. */
  readonly givenAt: Readonly<Partial<Record<ConsentName, Timestamp>>>
}

/** An investor whose profile has been sent. */
export interface InvestorWithProfile extends Investor {
  readonly profile: Profile
}

export type PersonalData = Pick<Investor, 'email' | 'profile' | 'firstSent'>

/**
 * An investor in the store: personal data is encrypted, so no file contains personal data in plain text.
 */
export type StoredInvestor = Omit<Investor, keyof PersonalData> & {
  readonly encryptedPersonalData: Encrypted
  /** Keyed digests of what an operator can search for. */
  readonly searchTerms: readonly string[]
  /** Set once the person has been erased. The record stays, because orders and holdings refer to it. */
  readonly erasedAt?: Timestamp
  /** The reason that the operator gave. */
  readonly erasedBecause?: string
  /** Set if the person held shares when they were erased. */
  readonly erasedAlthoughMember?: true
}

/** Contains a control character, so no partner can send the same reference. */
export function referenceOfErased(investorId: string): string {
  return `\u0001${investorId}`
}

/** null once the person has been erased. */
export function referenceOf(investor: Pick<StoredInvestor, 'partnerCustomerRef' | 'erasedAt'>) {
  return investor.erasedAt === undefined ? investor.partnerCustomerRef : null
}
