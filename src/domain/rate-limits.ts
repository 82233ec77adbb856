/**
 * Requests per minute (spec: Limits; for the address ceiling see DECISIONS.md, D26). Each row makes a flag of `serve`,
 * the setting behind it, and a key of the limits in a scenario, which is the name of the flag with underscores.
 */
export const rateLimits = {
  requests: {
    flag: 'rate-limit',
    specified: 600,
    inHelp: 'API requests per client and minute.',
    inScenarios: 'API requests per minute for each client.',
  },
  tokens: {
    flag: 'token-rate-limit',
    specified: 20,
    inHelp: 'Token requests per caller and minute.',
    inScenarios: 'Token requests per minute.',
  },
  requestsPerAddress: {
    flag: 'address-rate-limit',
    specified: 1200,
    inHelp: 'API requests per address and minute.',
    inScenarios: 'API requests per minute for each IP address.',
  },
} as const

type RateLimit = (typeof rateLimits)[keyof typeof rateLimits]

export type RateLimitFlag = RateLimit['flag']

export type RateLimits = Readonly<Record<keyof typeof rateLimits, number>>

export function eachRateLimit(valueFor: (limit: RateLimit) => number): RateLimits {
  const values = Object.entries(rateLimits).map(([name, limit]) => [name, valueFor(limit)])
  return Object.fromEntries(values) as RateLimits
}

/** `serve` has flags for other limits. */
export const specifiedLimits = eachRateLimit(({ specified }) => specified)
