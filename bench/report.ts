import { renderTable } from '../src/cli/table.ts'
import { compare, median, medianOf, type Ratio, rangeOf, spreadOf } from './compare.ts'
import type { Result } from './contestant.ts'
import { titleOf } from './floors.ts'
import { type Floor, isHeld } from './work.ts'

/**
 * Renders all results of a work with the same number of connections. The first server is the
 * reference for all others.
 */
export function renderResults(results: readonly Result[]): string {
  const [first] = results
  if (!first) return ''
  const table = renderTable(results, {
    server: ({ name }) => name,
    'answers/s': (result) => showRatio(rangeOf(result, 'perSecond')),
    'p50 ms': (result) => show(medianOf(result, 'p50Ms')),
    'p99 ms': (result) => show(medianOf(result, 'p99Ms')),
    'CPU µs': (result) => showRatio(rangeOf(result, 'cpuMicroseconds')),
    wrong: ({ rounds }) => rounds.reduce((sum, { wrong }) => sum + wrong, 0),
    [`rate of ${first.name} to it`]: (result) => showRatio(compare(first, result, 'perSecond')),
    'CPU to it': (result) => showRatio(compare(first, result, 'cpuMicroseconds')),
  })
  return `${titleOf(first)}\n${table}\n`
}

export function renderFloors(floors: readonly Floor[]): string {
  return renderTable(floors, {
    work: ({ work }) => work,
    figure: ({ figure }) => figure,
    floor: ({ bound, limit, unit }) => `${bound} ${limit}${unit}`,
    'median [lowest - highest]': ({ value }) => showRatio(value),
    '': showVerdict,
  })
}

function showVerdict(floor: Floor): string {
  const held = isHeld(floor)
  if (held === null) return 'not measured (--long)'
  return held ? 'held' : 'NOT HELD'
}

/** Averages over 1, 5 and 15 minutes. */
export interface MachineLoad {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** Renders the facts that readers need in order to trust the figures. */
export function renderNoise(results: readonly Result[], { before, after }: MachineLoad): string {
  const minute = (load: readonly number[]) => load[0]?.toFixed(1)
  const [rate, cpu] = [showSpread(results, 'perSecond'), showSpread(results, 'cpuMicroseconds')]
  return [
    `The machine: load average ${minute(before)} before and ${minute(after)} after;`,
    `the rounds of a server differ by up to ${rate} of its rate and ${cpu} of its CPU.`,
  ].join(' ')
}

function showSpread(results: readonly Result[], figure: 'perSecond' | 'cpuMicroseconds'): string {
  const spreads = results
    .map((result) => spreadOf(result, figure))
    .filter((spread) => Number.isFinite(spread))
  const percent = (spread: number) => `${(spread * 100).toFixed(0)} %`
  return spreads.length === 0
    ? 'nothing'
    : `${percent(median(spreads))} (at most ${percent(Math.max(...spreads))})`
}

function showRatio({ median, lowest, highest }: Ratio): string {
  if (lowest === highest) return show(median)
  return Number.isNaN(median) ? '-' : `${show(median)} [${show(lowest)} - ${show(highest)}]`
}

function show(value: number): string {
  if (Number.isNaN(value)) return '-'
  return value.toFixed(value < 10 ? 2 : 0)
}
