import { isDeepStrictEqual } from 'node:util'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { InvestorWithProfile } from '../../domain/investors/investor.ts'
import type { BankAccount, Profile } from '../../domain/investors/profile.ts'
import {
  consentNames,
  createProfile,
  type DerivedBankData,
  type ProfileRequest,
  profileErrors,
} from '../../domain/investors/profile.ts'
import type { DeepPartial, FieldErrors } from '../../domain/problem.ts'
import { requireValid } from '../../domain/problem.ts'
import type { BankDirectory } from '../../ports/bank-directory.ts'
import type { Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { type InvestorReference, openInvestor, requireInvestor, sealInvestor } from './investors.ts'

export interface ReplaceProfileRequest extends InvestorReference {
  readonly profile: ProfileRequest
}

/** Replaces the whole profile, including its consents. A profile that stays the same is not stored. */
export async function replaceProfile(
  service: Service,
  request: ReplaceProfileRequest,
): Promise<InvestorWithProfile> {
  requireValid(await findProfileErrors(service, request))
  const profile = await prepareProfile(service, request.profile)
  return service.store.write(subjects.investor(request.investorId), (records) =>
    putProfile(service, records, { request, profile }),
  )
}

/**
 * Checks first whether the investor belongs to the organization, so that the answer to any other
 * organization does not depend on the profile.
 */
export async function findProfileErrors(
  service: Service,
  {
    organizationId,
    investorId,
    profile,
  }: InvestorReference & { profile: DeepPartial<ProfileRequest> },
): Promise<FieldErrors> {
  await service.store.read((records) => requireInvestor(records, organizationId, investorId))
  return profileErrors(profile, service.clock.now())
}

async function putProfile(
  service: Service,
  records: Records,
  { request, profile }: { request: ReplaceProfileRequest; profile: Profile },
): Promise<InvestorWithProfile> {
  const stored = await requireInvestor(records, request.organizationId, request.investorId)
  const current = openInvestor(service.vault, stored)
  // Spec gap: without a new e-mail address, the old one stays; see docs/partners/details.md.
  const replaced = { ...current, email: request.profile.email ?? current.email, profile }
  if (!givesConsentNow(request.profile) && isDeepStrictEqual(replaced, current)) {
    return { ...current, profile }
  }
  const investor = { ...replaced, updatedAt: service.clock.now() }
  await records.investors.put(await sealInvestor(records, service, investor))
  return investor
}

/** Spec gap: such a consent has the time of the write, so the write is a change even in the same millisecond; see D12. */
function givesConsentNow({ consents }: ProfileRequest): boolean {
  return consentNames.some((name) => consents[name].given && consents[name].givenAt === null)
}

/** Must not run inside a write, because it may call another machine. */
export async function prepareProfile(service: Service, request: ProfileRequest): Promise<Profile> {
  const receivedAt = service.clock.now()
  const derived = await deriveBankData(service.bankDirectory, request.bankAccount)
  return createProfile(request, { derived, receivedAt })
}

const nothingDerived: DerivedBankData = { bic: null, institution: null, isOutstanding: false }

async function deriveBankData(
  directory: BankDirectory,
  account: BankAccount | null,
): Promise<DerivedBankData> {
  // spec: no lookup is needed if the partner sends both.
  if (!account || (account.bic && account.institution)) return nothingDerived
  return directory.lookUp(toElectronicFormat(account.iban))
}
