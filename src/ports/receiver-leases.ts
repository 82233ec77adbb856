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
  /** How often to call `renew`. undefined if an instance owns the store alone. */
  readonly renewEveryMs: number | undefined
  /** Releases receivers beyond the fair share that are not in use. */
  renew(inUse: ReadonlySet<string>): Promise<void>
  /** Releases all leases, so that other instances need not wait for them to expire. */
  releaseAll(): Promise<void>
}

/** The leases of an instance that owns the store alone. */
export const soleOwner: ReceiverLeases = {
  renewEveryMs: undefined,
  acquire: async () => undefined,
  maySend: () => true,
  isOwned: () => true,
  renew: async () => undefined,
  releaseAll: async () => undefined,
}
