import type { Sealed } from '../sealed.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Profile } from './profile.ts'

/** A person held on a partner's behalf: no login, no password, no session. */
export interface Investor {
  readonly investorId: string
  readonly organizationId: string
  /** The partner's own reference; unique within the organisation. */
  readonly partnerCustomerRef: string
  readonly email: string | null
  readonly profile: Profile | null
  /** Of the provisioning, as it was sent. Investors of fixture files have none, nor have those that were stored earlier. */
  readonly firstSentDigest?: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** One that a profile was sent for. */
export interface InvestorWithProfile extends Investor {
  readonly profile: Profile
}

export type PersonalData = Pick<Investor, 'email' | 'profile' | 'firstSentDigest'>

/** An investor as the store keeps it: personal data is encrypted, so no plain file ever holds it. */
export type StoredInvestor = Omit<Investor, keyof PersonalData> & {
  readonly sealedPersonalData: Sealed
}
