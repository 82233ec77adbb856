import type { Result, Round } from './contestant.ts'

export interface Ratio {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[numbers.length >> 1] ?? Number.NaN
}

/** Round by round, because both met the same machine then. */
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

export function medianOf(result: Result, figure: keyof Omit<Round, 'firstWrong'>): number {
  return median(result.rounds.map((round) => round[figure]))
}
