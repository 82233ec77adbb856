import type { Load } from './load/load.ts'

/** A server that is up, and the request that it is measured with. */
export interface Contestant {
  readonly name: string
  /** What its CPU is counted of, with everything below them. */
  readonly roots: readonly number[]
  readonly load: Load
  /**
   * Waits until everything that follows from these answers has been done, and refuses what is missing. A round then lasts
   * until that, and its CPU with it.
   */
  readonly settle?: (answers: number) => Promise<void>
}

/** So many answers, unless they take longer. */
export interface WarmUp {
  readonly answers: number
  readonly mostSeconds: number
}

/** Servers that do the same work, measured by turns. */
export interface Heat {
  readonly work: string
  readonly connections: number
  readonly contestants: readonly Contestant[]
  /** Of a round, where less would say too little. */
  readonly leastSeconds?: number
  /** Where what is compiled while it runs is so much that the usual warm-up is too short. */
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
