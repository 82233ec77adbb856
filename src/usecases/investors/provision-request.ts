import { emailFault, profileFaults } from '../../domain/investors/profile-faults.ts'
import type { ProfileRequest } from '../../domain/investors/profile-request.ts'
import type { Parts } from '../../domain/parts.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'

export interface ProvisionRequest {
  readonly organizationId: string
  readonly partnerCustomerRef: string
  readonly email: string | null
  readonly profile: ProfileRequest | null
}

/** What is known of an investor once it has been provisioned like this. */
export type ProvisionDetails = Pick<ProvisionRequest, 'email' | 'profile'>

/** spec: an e-mail is sent at the top or inside the profile, never in both. */
export function emailOf({ email, profile }: ProvisionDetails): string | null {
  return email ?? profile?.email ?? null
}

/** All that is wrong with what can be read of it. */
export function provisionFaults(request: Parts<ProvisionDetails>, now: Timestamp): FieldErrors {
  const { email, profile } = request
  const fault = email == null ? undefined : emailFault(email)
  return {
    ...(fault && { email: fault }),
    ...(profile && profileFaults(profile, now)),
    ...(email != null &&
      profile?.email != null && {
        'profile.email': 'must not be sent when the top-level email is sent',
      }),
  }
}
