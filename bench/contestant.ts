import type { Load } from './load/load.ts'

/** A running server and the request with which it is measured. */
export interface Contestant {
  readonly name: string
  /** The processes whose CPU is counted, with all their children. */
  readonly roots: readonly number[]
  readonly load: Load
  /**
   * Waits until the server has done all work that follows from these answers, and fails if results
   * are missing. The round lasts until then and includes the CPU of that work.
   */
  readonly settle?: (answers: number) => Promise<void>
}

/** A warm-up ends after this number of answers or this time, whichever comes first. */
export interface WarmUp {
  readonly answers: number
  readonly maximumSeconds: number
}

/** Servers that do the same work, measured alternately. */
export interface Heat {
  readonly work: string
  readonly connections: number
  readonly contestants: readonly Contestant[]
  /** The minimum length of a round. Shorter ones would be too imprecise. */
  readonly leastSeconds?: number
  /** A longer warm-up, if V8 still compiles much code after the usual one. */
  readonly warmUp?: WarmUp
}

export interface Round {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMicroseconds: number
  readonly wrong: number
  readonly firstWrong: string | null
}

export interface Result {
  readonly work: string
  readonly connections: number
  readonly name: string
  readonly rounds: readonly Round[]
}
