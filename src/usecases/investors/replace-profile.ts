import { isDeepStrictEqual } from 'node:util'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { InvestorWithProfile } from '../../domain/investors/investor.ts'
import type { Profile } from '../../domain/investors/profile.ts'
import {
  consentNames,
  createProfile,
  type ProfileRequest,
  profileErrors,
} from '../../domain/investors/profile.ts'
import { validationProblem } from '../../domain/problem.ts'
import { errorsOf, partsOf, type Sent, Unfit } from '../../domain/sent.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import {
  encryptInvestor,
  type InvestorReference,
  openInvestor,
  requireInvestor,
} from './investors.ts'

export interface ReplaceProfileRequest extends InvestorReference {
  readonly profile: Sent<ProfileRequest>
}

/** Replaces the whole profile, including its consents. A profile that stays the same is not stored. */
export async function replaceProfile(
  service: Service,
  { organizationId, investorId, profile: sent }: ReplaceProfileRequest,
): Promise<InvestorWithProfile> {
  const errors = errorsOf(sent, profileErrors(partsOf(sent), service.clock.now()))
  const isValid = !(sent instanceof Unfit) && Object.keys(errors).length === 0
  // The preparation may call another machine, so it comes before the write.
  const valid = isValid ? { sent, profile: await prepareProfile(service, sent) } : undefined
  return service.store.write(subjects.investor(investorId), async (records) => {
    // Checked first, so that the answer to any other organization does not depend on the profile.
    const stored = await requireInvestor(records, organizationId, investorId)
    if (!valid) throw validationProblem(errors)
    const { profile } = valid
    const current = openInvestor(service.vault, stored)
    // Spec gap: without a new e-mail address, the old one stays; see docs/partners/details.md.
    const replaced = { ...current, email: valid.sent.email ?? current.email, profile }
    if (!givesConsentNow(valid.sent) && isDeepStrictEqual(replaced, current)) {
      return { ...current, profile }
    }
    const investor = { ...replaced, updatedAt: service.clock.now() }
    await records.investors.put(await encryptInvestor(records, service, investor))
    return investor
  })
}

/** Spec gap: such a consent has the time of the write, so the write is a change even in the same millisecond; see D12. */
function givesConsentNow({ consents }: ProfileRequest): boolean {
  return consentNames.some((name) => consents[name].given && consents[name].givenAt === null)
}

/** Must not run inside a write, because it may call another machine. */
export async function prepareProfile(service: Service, request: ProfileRequest): Promise<Profile> {
  const receivedAt = service.clock.now()
  const { bankAccount: account } = request
  // spec: no lookup is needed if the partner sends both.
  const derived =
    !account || (account.bic && account.institution)
      ? { bic: null, institution: null, isOutstanding: false }
      : await service.bankDirectory.lookUp(toElectronicFormat(account.iban))
  return createProfile(request, { derived, receivedAt })
}
