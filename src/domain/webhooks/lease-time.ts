/**
 * When an instance dies, its receivers get nothing for this time. It is longer than a failover of
 * a nearby database and shorter than the first retry.
 */
export const leaseSeconds = 10

/** Two renewals can fail before a lease expires. */
export const renewalSeconds = leaseSeconds / 3
