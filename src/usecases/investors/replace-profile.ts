import type { InvestorWithProfile } from '../../domain/investors/investor.ts'
import type { Profile } from '../../domain/investors/profile.ts'
import { profileFaults } from '../../domain/investors/profile-faults.ts'
import type { ProfileRequest } from '../../domain/investors/profile-request.ts'
import type { Parts } from '../../domain/parts.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import type { Records } from '../../ports/store.ts'
import { requireSound } from '../require-sound.ts'
import type { Service } from '../service.ts'
import { openInvestor, sealInvestor } from './personal-data.ts'
import { prepareProfile } from './prepare-profile.ts'
import type { InvestorReference } from './read-investor.ts'
import { requireInvestor } from './require-investor.ts'

export interface ReplaceProfileRequest extends InvestorReference {
  readonly profile: ProfileRequest
}

/** Nothing of the earlier profile remains, its consents included. */
export async function replaceProfile(
  service: Service,
  request: ReplaceProfileRequest,
): Promise<InvestorWithProfile> {
  requireSound(await findProfileFaults(service, request))
  const profile = await prepareProfile(service, request.profile)
  return service.store.write(request.investorId.toLowerCase(), (records) =>
    putProfile(service, records, { request, profile }),
  )
}

/** Whose profile it is comes first: another organisation's investor is not found, whatever is wrong. */
export async function findProfileFaults(
  service: Service,
  { organizationId, investorId, profile }: InvestorReference & { profile: Parts<ProfileRequest> },
): Promise<FieldErrors> {
  await service.store.read((records) => requireInvestor(records, organizationId, investorId))
  return profileFaults(profile, service.clock.now())
}

async function putProfile(
  service: Service,
  records: Records,
  { request, profile }: { request: ReplaceProfileRequest; profile: Profile },
): Promise<InvestorWithProfile> {
  const stored = await requireInvestor(records, request.organizationId, request.investorId)
  const current = openInvestor(service.vault, stored)
  const investor = {
    ...current,
    // Spec gap: an e-mail that is not sent stays; see DECISIONS.md, e-mail.
    email: request.profile.email ?? current.email,
    profile,
    updatedAt: service.clock.now(),
  }
  await records.investors.put(sealInvestor(service.vault, investor))
  return investor
}
