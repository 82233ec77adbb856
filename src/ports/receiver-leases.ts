/**
 * The lease time. When an instance dies, its receivers get nothing for so long; it has to be longer than a database pauses
 * for when it fails over to a standby nearby, and shorter than the first retry, which partners wait for anyway.
 */
export const leaseSeconds = 10

/** Two renewals may fail before a lease ends. */
export const renewalSeconds = leaseSeconds / 3

/**
 * Who sends: of all instances that use a store, one owns a receiver at a time, and only the owner sends to it, so that it
 * can keep the order and the bounds in memory. Each living instance owns its fair share.
 */
export interface ReceiverLeases {
  /** Takes those that are nobody's, up to the fair share of this instance. */
  take(receivers: readonly string[]): Promise<void>
  /** Whether something may be sent to the receiver now. */
  mayBegin(receiver: string): boolean
  /** Whether what is under way may go on: the lease has time left. */
  isOwned(receiver: string): boolean
  /** To be called every `renewalSeconds`. What is more than the fair share is given back when it is not in use. */
  renew(inUse: ReadonlySet<string>): Promise<void>
  /** Gives back all of them, so that others need not wait for their end. */
  giveBack(): Promise<void>
}

/** Of an instance that has the store for itself. */
export const soleOwner: ReceiverLeases = {
  take: async () => undefined,
  mayBegin: () => true,
  isOwned: () => true,
  renew: async () => undefined,
  giveBack: async () => undefined,
}
