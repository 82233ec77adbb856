import type { Result, Round } from './contestant.ts'

export interface Ratio {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

type Figure = keyof Omit<Round, 'firstWrong'>

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right)
  const [below = Number.NaN, above = Number.NaN] = [
    sorted[(sorted.length - 1) >> 1],
    sorted[sorted.length >> 1],
  ]
  return (below + above) / 2
}

/**
 * Compares two servers round by round, because in a round both had the same load on the machine.
 */
export function compare(
  measured: Result,
  reference: Result,
  figure: 'perSecond' | 'p50Ms' | 'cpuMicroseconds',
): Ratio {
  const ratios = measured.rounds.map(
    (round, number) => round[figure] / (reference.rounds[number]?.[figure] ?? Number.NaN),
  )
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

export function medianOf(result: Result, figure: Figure): number {
  return median(result.rounds.map((round) => round[figure]))
}

/** The median and the range of a figure of one server. */
export function rangeOf(result: Result, figure: Figure): Ratio {
  const figures = result.rounds.map((round) => round[figure])
  return { median: median(figures), lowest: Math.min(...figures), highest: Math.max(...figures) }
}

/** The range of the rounds as a share of their median. */
export function spreadOf(result: Result, figure: Figure): number {
  const figures = result.rounds.map((round) => round[figure])
  return (Math.max(...figures) - Math.min(...figures)) / median(figures)
}
