import { createHash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import type { Investor } from '../../domain/investors/investor.ts'
import { Problem } from '../../domain/problem.ts'
import {
  type IdempotencyKey,
  requireIdempotencyKey,
} from '../../domain/share-purchases/idempotency-key.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import {
  applicantTypeOf,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase-request.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'

/** spec: Limits, Idempotency-Key retention. */
const retentionSeconds = 24 * 60 * 60

/** What a key stands for: the request, the investor and what was derived from the investor's company (spec, rule 3). */
export interface KeyedRequest extends IdempotencyKey {
  readonly organizationId: string
  readonly requestDigest: string
}

export function keyedRequest(
  input: {
    readonly idempotencyKey?: IdempotencyKey | undefined
    readonly request: SharePurchaseRequest
  },
  { organizationId, investorId, profile }: Investor,
): KeyedRequest | undefined {
  const { idempotencyKey, request } = input
  if (!idempotencyKey) return undefined
  requireIdempotencyKey(idempotencyKey)
  const applicantType = applicantTypeOf(request, profile)
  const requestDigest = digest({ ...request, investorId, applicantType })
  return { ...idempotencyKey, organizationId, requestDigest }
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(stringify(value) ?? '')
    .digest('base64url')
}

/** An earlier use of a key; it has an order when it was for the same request. */
export interface KeyUse {
  readonly sharePurchase: SharePurchase | undefined
}

export async function findKeyUse(
  records: ReadableRecords,
  { vault }: Service,
  { keyed, now }: { readonly keyed: KeyedRequest; readonly now: Timestamp },
): Promise<KeyUse | undefined> {
  const { organizationId, clientId, key } = keyed
  const find = (whose: string | null) => records.idempotencyRecords.get(organizationId, whose, key)
  const found = await Promise.all([find(clientId), find(null)])
  const record = found.find((one) => one && one.expiresAt > now)
  if (!record) return undefined
  const isSame = vault.open(record.sealedRequestDigest) === keyed.requestDigest
  if (!isSame) return { sharePurchase: undefined }
  return {
    sharePurchase: await records.sharePurchases.get(organizationId, record.sharePurchaseId),
  }
}

export function refuseReusedKey(): never {
  throw new Problem(
    'IDEMPOTENCY_KEY_CONFLICT',
    'This Idempotency-Key was used for another request. Send this one with a new key.',
  )
}

export async function occupyKey(
  { idempotencyRecords }: Records,
  { vault }: Service,
  { keyed, sharePurchase }: { readonly keyed: KeyedRequest; readonly sharePurchase: SharePurchase },
): Promise<void> {
  const { organizationId, key, requestDigest } = keyed
  const { sharePurchaseId, createdAt } = sharePurchase
  await idempotencyRecords.put({
    clientId: null,
    key,
    sealedRequestDigest: vault.seal(requestDigest),
    organizationId,
    sharePurchaseId,
    expiresAt: addSeconds(createdAt, retentionSeconds),
  })
}
