/**
 * When an instance dies, its receivers get nothing for this time. The time is longer than a failover of
 * a nearby database and shorter than the first retry.
 */
export const leaseSeconds = 10

/** Two renewals can fail before a lease expires. */
export const renewalSeconds = leaseSeconds / 3

/**
 * Leases of receivers. Of all instances on a store, one at a time owns a receiver and sends to
 * it, so it can keep order and limits in memory. Each instance owns a fair share.
 */
export interface ReceiverLeases {
  /** Acquires free receivers, up to the fair share of this instance. */
  acquire(receivers: readonly string[]): Promise<void>
  /** Whether a new delivery may be sent to the receiver. */
  maySend(receiver: string): boolean
  /** Whether deliveries in flight may continue, because the lease has not expired. */
  isOwned(receiver: string): boolean
  /**
   * Must be called every `renewalSeconds`. Releases receivers beyond the fair share that are not
   * in use.
   */
  renew(inUse: ReadonlySet<string>): Promise<void>
  /** Releases all leases, so that other instances need not wait for them to expire. */
  releaseAll(): Promise<void>
}

/** The leases of an instance that owns the store alone. */
export const soleOwner: ReceiverLeases = {
  acquire: async () => undefined,
  maySend: () => true,
  isOwned: () => true,
  renew: async () => undefined,
  releaseAll: async () => undefined,
}
