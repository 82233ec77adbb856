import { createHash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { Problem } from '../../domain/problem.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import {
  type IdempotencyKey,
  type IdempotencyRecord,
  requireIdempotencyKey,
  resolveApplicantType,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Sealed } from '../../domain/text.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'

/** spec: Limits, Idempotency-Key retention. */
const retentionSeconds = 24 * 60 * 60

// These fields existed in the first version. Later fields are not digested when null.
const digestedNulls: ReadonlySet<string> = new Set([
  'sepaMandate.debtorIban',
  'sepaMandate.reference',
])

/**
 * The request that a key identifies, with the investor and what was derived from the profile
 * (spec: Idempotency, rule 3).
 */
export interface KeyedRequest extends IdempotencyKey {
  readonly organizationId: string
  readonly investorId: string
  /** The key of the investor, with which the digest is encrypted. */
  readonly sealedKey: Sealed | undefined
  readonly requestDigest: string
}

export function createKeyedRequest(
  idempotencyKey: IdempotencyKey,
  request: SharePurchaseRequest,
  { organizationId, investorId, profile, sealedKey }: Investor,
): KeyedRequest {
  requireIdempotencyKey(idempotencyKey)
  const applicantType = resolveApplicantType(request, profile)
  const { sepaMandate: sent } = request
  const debtorIban = sent.debtorIban && toElectronicFormat(sent.debtorIban)
  const sepaMandate = { ...sent, debtorIban }
  const digested = { investorId, ...request, sepaMandate, applicantType }
  const requestDigest = digestRequest(digested, digestedNulls)
  return { organizationId, investorId, sealedKey, requestDigest, ...idempotencyKey }
}

/** The record of an earlier use of a key. */
export async function findKeyUse(
  { idempotencyRecords }: ReadableRecords,
  organizationId: string,
  { clientId, key }: IdempotencyKey,
  now: Timestamp,
): Promise<IdempotencyRecord | undefined> {
  const found = await readTogether({
    ofClient: idempotencyRecords.get(organizationId, clientId, key),
    ofOrganization: idempotencyRecords.get(organizationId, null, key),
  })
  return [found.ofClient, found.ofOrganization].find((one) => one && one.expiresAt > now)
}

/** The order of an earlier use of a key, if the request was the same. */
export async function findReplayed(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  keyed: KeyedRequest,
  use: IdempotencyRecord,
): Promise<SharePurchase | undefined> {
  const order = await records.sharePurchases.get(keyed.organizationId, use.sharePurchaseId)
  // The digest of another investor's request is encrypted with another key.
  if (order?.investorId !== keyed.investorId) return undefined
  const digest = vault.of(keyed.sealedKey).open(use.sealedRequestDigest)
  return digest === keyed.requestDigest ? order : undefined
}

export function refuseReusedKey(): never {
  throw new Problem(
    'IDEMPOTENCY_KEY_CONFLICT',
    'This Idempotency-Key was already used for a different request. Use a new key for this one.',
  )
}

export async function recordKeyUse(
  { idempotencyRecords }: Records,
  { vault }: Service,
  { keyed, sharePurchase }: { readonly keyed: KeyedRequest; readonly sharePurchase: SharePurchase },
): Promise<void> {
  const { organizationId, key, requestDigest, sealedKey } = keyed
  const { sharePurchaseId, createdAt } = sharePurchase
  await idempotencyRecords.put({
    clientId: null,
    key,
    sealedRequestDigest: vault.of(sealedKey).seal(requestDigest),
    organizationId,
    sharePurchaseId,
    expiresAt: addSeconds(createdAt, retentionSeconds),
  })
}

/**
 * The stored digest that identifies a repeated request. Null fields are left out, so that digests stay valid when a
 * later version adds fields. Texts in another normal form of Unicode are the same.
 * @param nulls paths of fields that are digested even if they are null, as in the first version. No path is ever
 * added.
 */
export function digestRequest(request: object, nulls: ReadonlySet<string> = new Set()): string {
  return createHash('sha256')
    .update(stringify(withoutUnsent(request, nulls)) ?? '')
    .digest('base64url')
}

function withoutUnsent(section: object, nulls: ReadonlySet<string>, path = ''): object {
  const sent = Object.entries(section).filter(
    ([name, value]) => value !== null || nulls.has(path + name),
  )
  return Object.fromEntries(
    sent.map(([name, value]) => [
      name,
      isSection(value) ? withoutUnsent(value, nulls, `${path}${name}.`) : normalized(value),
    ]),
  )
}

function normalized(value: unknown): unknown {
  return typeof value === 'string' ? value.normalize('NFC') : value
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
