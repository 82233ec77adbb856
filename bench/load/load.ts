/** What is sent, again and again, and which answer is right. */
export interface Load {
  readonly origin: string
  /** Further instances: connections go to all of them by turns. */
  readonly otherOrigins?: readonly string[]
  readonly method: 'GET' | 'POST'
  /** One after the other, from the first again. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Several are sent by turns, so that in time each path gets each of them. */
  readonly body?: string | readonly string[]
  /** Gives every request an Idempotency-Key of its own. */
  readonly hasKeys?: boolean
  readonly expected: Expected
}

export interface Expected {
  readonly status: number
  /** The whole body, for each path or for all. */
  readonly bodies?: readonly string[]
  /** Pieces that it has to have. */
  readonly contains?: readonly string[]
}

export interface Burst {
  readonly load: Load
  readonly connections: number
  readonly seconds: number
}

/** Rates, times and wrong answers of a burst. */
export interface Outcome {
  /** Right or wrong. */
  readonly answers: number
  readonly seconds: number
  readonly perSecond: number
  /** Of all answers but the first of each connection. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that are not as expected, connections that broke, and requests without an answer. */
  readonly wrong: number
  readonly firstWrong: string | null
  /** How many answers had each status; 0 counts connections that broke. */
  readonly statuses: Readonly<Record<string, number>>
}
