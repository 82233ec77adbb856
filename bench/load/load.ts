/** The requests that are sent repeatedly, and their expected answers. */
export interface Load {
  readonly origin: string
  /** Further instances. The connections are distributed over all instances. */
  readonly otherOrigins?: readonly string[]
  readonly method: 'GET' | 'POST'
  /**
   * The paths that are requested one after the other. After the last one, the first follows again.
   */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Several bodies alternate, so that each path eventually gets each of them. */
  readonly body?: string | readonly string[]
  /** Gives each request its own Idempotency-Key. */
  readonly hasKeys?: boolean
  readonly expected: Expected
}

export interface Expected {
  readonly status: number
  /** The whole body: one for each path, or one for all paths. */
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
  /** The number of all answers, right or wrong. */
  readonly answers: number
  readonly seconds: number
  readonly perSecond: number
  /** The median time of all answers except the first one of each connection. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Unexpected answers, broken connections, and requests without an answer. */
  readonly wrong: number
  readonly firstWrong: string | null
}
