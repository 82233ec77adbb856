import { createHash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { Problem } from '../../domain/problem.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import {
  type IdempotencyRecord,
  requireIdempotencyKey,
  resolveApplicantType,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Encrypted } from '../../domain/text.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'

/** spec: Limits, Idempotency-Key retention. */
const retentionSeconds = 24 * 60 * 60

/**
 * The request that a key identifies, with the investor and what was derived from the profile
 * (spec: Idempotency, rule 3).
 */
export interface KeyedRequest {
  readonly key: string
  readonly organizationId: string
  readonly investorId: string
  /** The key of the investor, with which the digest is encrypted. */
  readonly encryptedKey: Encrypted | undefined
  readonly requestDigest: string
}

export function createKeyedRequest(
  key: string,
  request: SharePurchaseRequest,
  { organizationId, investorId, profile, encryptedKey }: Investor,
): KeyedRequest {
  requireIdempotencyKey(key)
  const applicantType = resolveApplicantType(request, profile)
  const { sepaMandate: sent } = request
  const debtorIban = sent.debtorIban && toElectronicFormat(sent.debtorIban)
  const sepaMandate = { ...sent, debtorIban }
  const digested = { investorId, ...request, sepaMandate, applicantType }
  const requestDigest = digestRequest(digested)
  return { organizationId, investorId, encryptedKey, requestDigest, key }
}

/** The record of an earlier use of a key. */
export async function findKeyUse(
  { idempotencyRecords }: ReadableRecords,
  organizationId: string,
  key: string,
  now: Timestamp,
): Promise<IdempotencyRecord | undefined> {
  const record = await idempotencyRecords.get(organizationId, key)
  return record && record.expiresAt > now ? record : undefined
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
  const digest = vault.of(keyed.encryptedKey).decrypt(use.encryptedRequestDigest)
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
  const { organizationId, key, requestDigest, encryptedKey } = keyed
  const { sharePurchaseId, createdAt } = sharePurchase
  await idempotencyRecords.put({
    key,
    encryptedRequestDigest: vault.of(encryptedKey).encrypt(requestDigest),
    organizationId,
    sharePurchaseId,
    expiresAt: addSeconds(createdAt, retentionSeconds),
  })
}

/**
 * The stored digest that identifies a repeated request. Null fields are left out, so that digests stay valid when a
 * later version adds fields. Texts in another normal form of Unicode are the same.
 */
export function digestRequest(request: object): string {
  return createHash('sha256')
    .update(stringify(withoutUnsent(request)) ?? '')
    .digest('base64url')
}

function withoutUnsent(section: object): object {
  return Object.fromEntries(
    Object.entries(section)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        if (isSection(value)) return [name, withoutUnsent(value)]
        return [name, typeof value === 'string' ? value.normalize('NFC') : value]
      }),
  )
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
