import { compare } from './compare.ts'
import type { Result } from './contestant.ts'
import type { Floor } from './work.ts'

interface Pair {
  readonly work: string
  readonly connections?: number
  /** Our server and the other server, in this order. */
  readonly names: readonly [string, string]
  /** The work of the other server, if it differs. */
  readonly otherWork?: string
}

/** Requires at least `limit` times the answers per second of the other server. */
export function rateFloor(results: readonly Result[], pair: Pair, limit: number): Floor {
  const [ours, theirs] = find(results, pair)
  return {
    work: titleOf(ours),
    figure: `answers/s of ${ours.name} to ${theirs.name}`,
    bound: 'at least',
    limit,
    unit: '',
    value: compare(ours, theirs, 'perSecond'),
  }
}

/** Allows at most `limit` times the CPU that the other server needs for an answer. */
export function cpuFloor(results: readonly Result[], pair: Pair, limit: number): Floor {
  const [ours, theirs] = find(results, pair)
  return {
    work: titleOf(ours),
    figure: `CPU of ${ours.name} to ${theirs.name}`,
    bound: 'at most',
    limit,
    unit: '',
    value: compare(ours, theirs, 'cpuMicroseconds'),
  }
}

/** Allows at most `limit` times the time of the other server. */
export function timeFloor(results: readonly Result[], pair: Pair, limit: number): Floor {
  const [ours, theirs] = find(results, pair)
  return {
    work: titleOf(ours),
    figure: `time of ${ours.name} to ${theirs.name}`,
    bound: 'at most',
    limit,
    unit: '',
    value: compare(ours, theirs, 'p50Ms'),
  }
}

/** A floor for a figure without a comparison with another server. */
export function figureFloor(floor: Omit<Floor, 'value'>, value: number): Floor {
  return { ...floor, value: { median: value, lowest: value, highest: value } }
}

function find(results: readonly Result[], { work, otherWork = work, ...pair }: Pair) {
  const one = (name: string, wanted: string) => {
    const found = results.find(
      (result) =>
        result.name === name &&
        result.work === wanted &&
        (pair.connections ?? result.connections) === result.connections,
    )
    if (!found) throw new Error(`${name} has not been measured with ${wanted}.`)
    return found
  }
  return [one(pair.names[0], work), one(pair.names[1], otherWork)] as const
}

export function titleOf({ work, connections }: Result): string {
  return connections > 1 ? `${work}, ${connections} connections` : work
}
