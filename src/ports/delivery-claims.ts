import type { Timestamp } from '../domain/timestamp.ts'
import type { Delivery, DeliveryKind } from '../domain/webhooks/delivery.ts'

export interface ClaimRequest {
  readonly now: Timestamp
  readonly leaseSeconds: Readonly<Record<DeliveryKind, number>>
  readonly limit: number
  /** How many deliveries of one lane are under way at most. */
  readonly perLane: number
  /** Lanes with another bound; 0 leaves a lane alone. */
  readonly exceptions: ReadonlyMap<string, number>
}

/**
 * Hands out deliveries that are due, so that none is attempted by two at once, in one process or in several.
 * A claim ends when the delivery is put with another attempt, or finished, or after `leaseSeconds`: a replay of what comes
 * before it in its order may put it meanwhile.
 */
export interface DeliveryClaims {
  /**
   * First attempts before retries, the longest due first; but where a lane has a bound above one, a retry that is due
   * gets a place among first attempts that never end.
   */
  claimDue(request: ClaimRequest): Promise<readonly Delivery[]>
  /** When the next one falls due that is not due yet. What is due and not claimed waits for a claim to end. */
  nextDueAt(now: Timestamp): Promise<Timestamp | undefined>
  /** Ends a claim without an attempt: our own fault. Not handed out again before `notBefore`. */
  release(deliveryId: string, notBefore: Timestamp): Promise<void>
  /** Calls `listener` when deliveries were put, whoever did, and now and then for nothing; returns what ends that. */
  watch(listener: () => void): () => void
}
