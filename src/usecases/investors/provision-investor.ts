import { toElectronicFormat, withBranch } from '../../domain/investors/bank-identifiers.ts'
import type { FirstSent, Investor, StoredInvestor } from '../../domain/investors/investor.ts'
import {
  type BankAccount,
  type BankAccountRequest,
  type Consents,
  consentNames,
  emailError,
  type Profile,
  type ProfileRequest,
  profileErrors,
} from '../../domain/investors/profile.ts'
import { type DeepPartial, type FieldErrors, Problem } from '../../domain/problem.ts'
import { partsOf, requireFit, type Sent } from '../../domain/sent.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { UniquenessError } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { digestRequest } from '../share-purchases/idempotency-keys.ts'
import { encryptInvestor, openInvestor } from './investors.ts'
import { prepareProfile } from './replace-profile.ts'

export interface Provisioned {
  readonly investor: Investor
  /** False if the investor already existed with the same details. */
  readonly isNew: boolean
}

/**
 * Idempotent by the partner's reference, so that a retry after a lost response creates no second
 * investor.
 */
export async function provisionInvestor(
  service: Service,
  request: Sent<ProvisionRequest>,
): Promise<Provisioned> {
  const now = service.clock.now()
  requireFit(request, provisionErrors(partsOf(request), now))
  const known = await findKnown(service, request)
  if (known) return replay(service, request, known)
  const { organizationId, partnerCustomerRef, profile } = request
  const investor: Investor = {
    investorId: service.random.id(),
    organizationId,
    partnerCustomerRef,
    email: emailOf(request),
    profile: profile && (await prepareProfile(service, profile)),
    firstSent: digestParts(request),
    createdAt: now,
    updatedAt: now,
  }
  const subject = subjects.partnerCustomerRef(organizationId, partnerCustomerRef)
  try {
    await service.store.write(subject, async (records) =>
      records.investors.put(await encryptInvestor(records, service, investor)),
    )
    return { investor, isNew: true }
  } catch (error) {
    // The same customer may have been registered meanwhile.
    const winner = error instanceof UniquenessError ? await findKnown(service, request) : undefined
    if (!winner) throw error
    return replay(service, request, winner)
  }
}

function findKnown(
  service: Service,
  { organizationId, partnerCustomerRef }: ProvisionRequest,
): Promise<StoredInvestor | undefined> {
  return service.store.read((records) =>
    records.investors.findByPartnerCustomerRef(organizationId, partnerCustomerRef),
  )
}

function replay(service: Service, request: ProvisionRequest, known: StoredInvestor): Provisioned {
  const investor = openInvestor(service.vault, known)
  const differences = findDifferences(request, investor)
  if (isFirstSent(request, investor) || differences.length === 0) return { investor, isNew: false }
  throw new Problem(
    'MANAGED_INVESTOR_PROFILE_CONFLICT',
    `An investor with this partnerCustomerRef already exists with different details: ${differences.join(', ')}. To change them, replace the profile with PUT.`,
    { fields: ['partnerCustomerRef', ...differences] },
  )
}

export interface ProvisionRequest {
  readonly organizationId: string
  readonly partnerCustomerRef: string
  readonly email: string | null
  readonly profile: ProfileRequest | null
}

/** The details of a provisioning request that are compared on repetition. */
export type ProvisionDetails = Pick<ProvisionRequest, 'email' | 'profile'>

/** spec: the e-mail address is sent at the top level or inside the profile, never in both. */
export function emailOf({ email, profile }: ProvisionDetails): string | null {
  return email ?? profile?.email ?? null
}

/** Returns all errors of a request, as far as it can be read. */
export function provisionErrors(
  request: DeepPartial<ProvisionDetails>,
  now: Timestamp,
): FieldErrors {
  const { email, profile } = request
  const fault = email == null ? undefined : emailError(email)
  return {
    ...(fault && { email: fault }),
    ...(profile && profileErrors(profile, now)),
    ...(email != null &&
      profile?.email != null && {
        'profile.email': 'must not be sent together with the top-level email',
      }),
  }
}

/**
 * Whether a request repeats the stored details. Values that the sender left out (e-mail, profile,
 * derived bank data, defaults, timestamps) need not be repeated. Spec gap: see DECISIONS.md, D11.
 */
export function isSameProvision(request: ProvisionDetails, known: Investor): boolean {
  return findDifferences(request, known).length === 0
}

/** Returns the paths of details that differ from the stored ones. */
function findDifferences(request: ProvisionDetails, known: Investor): readonly string[] {
  const { email, profile } = request
  const path = email === null ? 'profile.email' : 'email'
  const differs = !isUnsetOrEqual(emailOf(request), known.email)
  return [
    ...(differs ? [path] : []),
    ...(profile === null ? [] : profileDifferences(profile, known.profile)),
  ]
}

/**
 * Digests of a request as it was sent, without what need not be repeated. Spellings make no difference. The digests are
 * stored encrypted.
 */
function digestParts(request: ProvisionDetails): FirstSent {
  const email = emailOf(request)
  const { profile } = request
  return {
    email: email === null ? null : digestRequest({ email }),
    profile: profile && digestProfile(profile),
    givenAt: Object.fromEntries(
      consentNames.flatMap((name) => {
        const givenAt = profile?.consents[name].givenAt ?? null
        return givenAt === null ? [] : [[name, givenAt]]
      }),
    ),
  }
}

/** Without the e-mail address and the times of consents. */
function digestProfile({ email: _, bankAccount, consents, ...fields }: ProfileRequest): string {
  const given = Object.entries(consents).map(([name, { given }]) => [name, given || null])
  return digestRequest({
    ...fields,
    bankAccount: bankAccount && { ...bankAccount, ...inElectronicFormat(bankAccount) },
    consents: Object.fromEntries(given),
  })
}

/** Whether a request repeats the first one, of which it may leave out the e-mail address, the profile and times. */
function isFirstSent(request: ProvisionDetails, { firstSent: first }: Investor): boolean {
  if (!first) return false
  const sent = digestParts(request)
  return (
    isUnsetOrEqual(sent.email, first.email) &&
    isUnsetOrEqual(sent.profile, first.profile) &&
    consentNames.every((name) =>
      isUnsetOrEqual(sent.givenAt[name] ?? null, first.givenAt[name] ?? null),
    )
  )
}

function inElectronicFormat({ iban, bic }: BankAccountRequest): Pick<BankAccount, 'iban' | 'bic'> {
  return { iban: toElectronicFormat(iban), bic: bic && withBranch(bic) }
}

function profileDifferences(sent: ProfileRequest, stored: Profile | null): readonly string[] {
  if (stored === null) return ['profile']
  const { email: _, address, company, bankAccount, consents, ...fields } = sent
  return [
    ...memberDifferences(fields, stored).map((name) => [name]),
    ...sectionDifferences('address', address, stored.address),
    ...sectionDifferences('company', company, stored.company),
    ...accountDifferences(bankAccount, stored.bankAccount),
    ...consentDifferences(consents, stored.consents),
  ].map((path) => ['profile', ...path].join('.'))
}

function sectionDifferences<Section extends object>(
  name: string,
  sent: Section | null,
  stored: Section | null,
): string[][] {
  if (sent === null || stored === null) return sent === stored ? [] : [[name]]
  return memberDifferences(sent, stored).map((each) => [name, each])
}

function memberDifferences<Section extends object>(sent: Section, stored: Section): string[] {
  const members = Object.keys(sent) as (keyof Section & string)[]
  // Fields of later versions are missing in stored sections.
  return members.filter((each) => !isSame(sent[each], stored[each] ?? null))
}

function accountDifferences(
  sent: BankAccountRequest | null,
  stored: BankAccount | null,
): string[][] {
  if (sent === null || stored === null) return sent === stored ? [] : [['bankAccount']]
  const { iban, bic } = inElectronicFormat(sent)
  const differing = {
    iban: iban !== stored.iban,
    bic: !isUnsetOrEqual(bic, stored.bic && withBranch(stored.bic)),
    institution: !isUnsetOrEqual(sent.institution, stored.institution),
    accountHolder: !isUnsetOrEqual(sent.accountHolder, stored.accountHolder),
  }
  return Object.entries(differing).flatMap(([name, differs]) =>
    differs ? [['bankAccount', name]] : [],
  )
}

function consentDifferences(sent: ProfileRequest['consents'], stored: Consents): string[][] {
  return consentNames.flatMap((name) => {
    if (sent[name].given !== stored[name].given) return [['consents', name, 'given']]
    const isSame = isUnsetOrEqual(sent[name].givenAt, stored[name].givenAt)
    return isSame ? [] : [['consents', name, 'givenAt']]
  })
}

function isUnsetOrEqual(sent: string | null, stored: string | null): boolean {
  return sent === null || isSame(sent, stored)
}

/** Texts in another normal form of Unicode look the same, and systems on the way change the form. */
function isSame(sent: unknown, stored: unknown): boolean {
  if (typeof sent !== 'string' || typeof stored !== 'string') return sent === stored
  return sent.normalize('NFC') === stored.normalize('NFC')
}
