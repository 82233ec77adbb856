import type { Commit } from './commit-build.ts'
import type { Ratio } from './compare.ts'
import type { Heat, Result } from './contestant.ts'
import type { Effort } from './run-heats.ts'

/** What is to be reached at least, or at most. */
export interface Floor {
  readonly work: string
  /** What is held against what. */
  readonly figure: string
  readonly bound: 'at least' | 'at most'
  readonly limit: number
  readonly unit: string
  readonly value: Ratio
  /** It was measured of less than the floor is about. */
  readonly isOfLess?: boolean
}

export interface Bench extends Effort {
  /** For the files of servers; it goes afterwards. */
  readonly directory: string
  readonly isLong: boolean
  /** The release to compare with, where a work asks for one. */
  readonly peerCommit: Commit | undefined
  run(heat: Heat): Promise<Result[]>
  /** Refuses wrong answers. */
  show(results: readonly Result[]): void
  /** In all bursts until now, also of those that only warmed up. */
  answersFrom(origin: string): number
  /** Stops what was started, at the end of the work. */
  stopAtEnd<Started extends { stop(): Promise<void> }>(started: Started): Started
}

export interface Measured {
  readonly results: readonly Result[]
  readonly floors: readonly Floor[]
}

export type Work = (bench: Bench) => Promise<Measured>

/** null where that has not been measured. */
export function isHeld({ bound, limit, value, isOfLess }: Floor): boolean | null {
  if (isOfLess) return null
  return bound === 'at least' ? value.median >= limit : value.median <= limit
}
