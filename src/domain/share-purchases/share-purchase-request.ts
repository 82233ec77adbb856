import type { Profile } from '../investors/profile.ts'
import type { Timestamp } from '../timestamp.ts'
import type { ApplicantType } from './share-purchase.ts'

/** An order as a partner sends it: its shape has been checked, its meaning has not. null: left to us. */
export interface SharePurchaseRequest {
  readonly cooperativeId: string
  readonly shareCount: number
  readonly applicantType: ApplicantType | null
  readonly sepaMandate: {
    readonly signedAt: Timestamp
    readonly debtorIban: string | null
    readonly reference: string | null
  }
  readonly statuteConsentGivenAt: Timestamp
}

/** spec: what is not sent follows the investor's company affiliation. */
export function applicantTypeOf(
  { applicantType }: SharePurchaseRequest,
  profile: Profile | null,
): ApplicantType {
  return applicantType ?? (profile?.company ? 'company' : 'private')
}
