import type { Commit } from './commit-build.ts'
import type { Ratio } from './compare.ts'
import type { Heat, Result } from './contestant.ts'
import type { Effort } from './run-heats.ts'

/** A figure that must be reached, as a minimum or a maximum. */
export interface Floor {
  readonly work: string
  /** A description of the comparison, such as `answers/s of A to B`. */
  readonly figure: string
  readonly bound: 'at least' | 'at most'
  readonly limit: number
  readonly unit: string
  readonly value: Ratio
  /** Whether the run measured less than the floor requires. */
  readonly isOfLess?: boolean
}

export interface Bench extends Effort {
  /** A directory for the files of servers, which is removed at the end. */
  readonly directory: string
  readonly isLong: boolean
  /** The commit to compare with, if a work asks for one. */
  readonly peerCommit: Commit | undefined
  run(heat: Heat): Promise<Result[]>
  /** Throws if there are wrong answers. */
  show(results: readonly Result[]): void
  /** Returns the number of answers in all bursts so far, including warm-ups. */
  answersFrom(origin: string): number
  /** Stops the server at the end of the work. */
  stopAtEnd<Started extends { stop(): Promise<void> }>(started: Started): Started
}

export interface Measured {
  readonly results: readonly Result[]
  readonly floors: readonly Floor[]
}

export type Work = (bench: Bench) => Promise<Measured>

/** Returns null if the run measured less than the floor requires. */
export function isHeld({ bound, limit, value, isOfLess }: Floor): boolean | null {
  if (isOfLess) return null
  return bound === 'at least' ? value.median >= limit : value.median <= limit
}
