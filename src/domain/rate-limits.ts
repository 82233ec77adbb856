/** Requests per minute (spec: Limits; for the address ceiling see DECISIONS.md, D26). */
export interface RateLimits {
  readonly requests: number
  readonly requestsPerAddress: number
  readonly tokens: number
}

/** `serve` has flags for other limits. */
export const specifiedLimits: RateLimits = { requests: 600, requestsPerAddress: 1200, tokens: 20 }
