import { renderTable } from '../src/cli/table.ts'
import { compare, medianOf, type Ratio } from './compare.ts'
import type { Result } from './contestant.ts'
import { titleOf } from './floors.ts'
import { type Floor, isHeld } from './work.ts'

/** All of one work with as many connections; the first is what the others are held against. */
export function renderResults(results: readonly Result[]): string {
  const [first] = results
  if (!first) return ''
  const table = renderTable(results, {
    server: ({ name }) => name,
    'answers/s': (result) => medianOf(result, 'perSecond').toFixed(0),
    'p50 ms': (result) => show(medianOf(result, 'p50Ms')),
    'p99 ms': (result) => show(medianOf(result, 'p99Ms')),
    'CPU µs': (result) => medianOf(result, 'cpuMicroseconds').toFixed(0),
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
    '': (floor) => (isHeld(floor) ? 'held' : 'NOT HELD'),
  })
}

function showRatio({ median, lowest, highest }: Ratio): string {
  if (lowest === highest) return show(median)
  return `${show(median)} [${show(lowest)} - ${show(highest)}]`
}

function show(value: number): string {
  if (Number.isNaN(value)) return '-'
  return value.toFixed(value < 10 ? 2 : 0)
}
