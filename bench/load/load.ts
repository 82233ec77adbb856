/** The requests that are sent repeatedly, and their expected answers. */
export interface Load {
  readonly origin: string
  /** Further instances. Connections are distributed over all of them. */
  readonly otherOrigins?: readonly string[]
  readonly method: 'GET' | 'POST'
  /** In turn, starting again after the last one. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Several bodies alternate, so that each path gets each of them in time. */
  readonly body?: string | readonly string[]
  /** Gives each request its own Idempotency-Key. */
  readonly hasKeys?: boolean
  readonly expected: Expected
}

export interface Expected {
  readonly status: number
  /** The whole body, for each path or for all. */
  readonly bodies?: readonly string[]
  /** Texts that the body must contain. */
  readonly contains?: readonly string[]
}

export interface Burst {
  readonly load: Load
  readonly connections: number
  readonly seconds: number
}

/** Rates, times and wrong answers of a burst. */
export interface Outcome {
  /** All answers, right or wrong. */
  readonly answers: number
  readonly seconds: number
  readonly perSecond: number
  /** Of all answers except the first one of each connection. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Unexpected answers, broken connections, and requests without an answer. */
  readonly wrong: number
  readonly firstWrong: string | null
  /** The number of answers by status; 0 counts broken connections. */
  readonly statuses: Readonly<Record<string, number>>
}
