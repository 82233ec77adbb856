import { isUuid } from '../../domain/ids.ts'
import type { Investor, PersonalData, StoredInvestor } from '../../domain/investors/investor.ts'
import { Problem } from '../../domain/problem.ts'
import type { Encrypted } from '../../domain/text.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Cipher, Vault } from '../../ports/vault.ts'
import type { Service } from '../service.ts'
import { readSearchTerms } from './search-terms.ts'

export interface InvestorReference {
  readonly organizationId: string
  readonly investorId: string
}

export async function readInvestor(
  service: Service,
  { organizationId, investorId }: InvestorReference,
): Promise<Investor> {
  const stored = await service.store.read((records) =>
    requireInvestor(records, organizationId, investorId),
  )
  return openInvestor(service.vault, stored)
}

/** Finds an investor by the partner's reference. Throws MANAGED_INVESTOR_NOT_FOUND. */
export async function findInvestor(
  service: Service,
  { organizationId, partnerCustomerRef }: Pick<Investor, 'organizationId' | 'partnerCustomerRef'>,
): Promise<Investor> {
  const stored = await service.store.read((records) =>
    records.investors.findByPartnerCustomerRef(organizationId, partnerCustomerRef),
  )
  return stored ? openInvestor(service.vault, stored) : refuseUnknownInvestor()
}

/**
 * Throws MANAGED_INVESTOR_NOT_FOUND for unknown ids, malformed ids, investors who were erased and
 * those of other organizations alike.
 */
export async function requireInvestor(
  records: ReadableRecords,
  organizationId: string,
  investorId: string,
): Promise<StoredInvestor> {
  // UUIDs are compared regardless of case (RFC 9562 4).
  const id = investorId.toLowerCase()
  const stored = isUuid(id) ? await records.investors.get(organizationId, id) : undefined
  return stored && stored.erasedAt === undefined ? stored : refuseUnknownInvestor()
}

function refuseUnknownInvestor(): never {
  throw new Problem(
    'MANAGED_INVESTOR_NOT_FOUND',
    'None of your investors has this id or reference.',
  )
}

export function openInvestor(vault: Vault, stored: StoredInvestor): Investor {
  const { encryptedKey, encryptedPersonalData: encrypted } = stored
  const cipher = vault.of(encryptedKey)
  const known = lastOpened.get(cipher)
  const data: PersonalData =
    known?.encrypted === encrypted ? known.data : JSON.parse(cipher.decrypt(encrypted))
  lastOpened.set(cipher, { encrypted, data })
  const { email, ...more } = data
  return { email, ...withoutData(stored), ...more }
}

/** For work on many persons: nothing of what it opens stays in memory. */
export function openPersonalData(
  cipher: Pick<Cipher, 'decrypt'>,
  { encryptedPersonalData }: StoredInvestor,
): PersonalData {
  return JSON.parse(cipher.decrypt(encryptedPersonalData))
}

/** One damaged person must not hide all others from operators. */
export function tryOpen(vault: Vault, stored: StoredInvestor): Investor | undefined {
  try {
    return openInvestor(vault, stored)
  } catch {
    return undefined
  }
}

/**
 * The data that each cipher has opened last. Most requests are about an investor whom an earlier
 * request has opened. The data is dropped when the vault drops the cipher.
 */
const lastOpened = new WeakMap<
  Cipher,
  { readonly encrypted: Encrypted; readonly data: PersonalData }
>()

export function withoutData(stored: StoredInvestor): Omit<Investor, keyof PersonalData> {
  const { encryptedPersonalData, searchTerms, ...known } = stored
  const { erasedAt, erasedBecause, erasedAlthoughMember, ...investor } = known
  return investor
}

/** Called within the write. Gives a new investor a key. */
export async function encryptInvestor(
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  investor: Investor,
): Promise<StoredInvestor> {
  const { vault } = service
  const searchTerms = await readSearchTerms(records, service)
  const {
    email,
    profile,
    firstSent,
    encryptedKey = vault.createKey(),
    investorId,
    ...open
  } = investor
  const personalData: PersonalData = {
    email,
    profile,
    ...(firstSent !== undefined && { firstSent }),
  }
  return {
    investorId,
    ...open,
    encryptedKey,
    encryptedPersonalData: vault.of(encryptedKey).encrypt(JSON.stringify(personalData)),
    searchTerms: searchTerms.ofInvestor(investor),
  }
}
