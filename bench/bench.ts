// What a work gets, how servers are measured in turns, and how the figures are shown.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderTable } from '../src/cli/table.ts'
import { Generator } from './load/generator.ts'
import type { Load, Outcome } from './load/load.ts'
import { cpuMicrosecondsOf } from './servers/process-tree.ts'

export type Engine = 'directory' | 'postgres'

export interface Effort {
  readonly rounds: number
  /** The seconds of a turn, if the user gave them. */
  readonly seconds: number | undefined
  readonly engines: readonly Engine[]
  /** The `bin/run.js` of another checkout. */
  readonly beside: string | undefined
  readonly orders: number
  readonly minutes: number
}

export interface Bench extends Effort {
  /** A directory for the files of servers, which is removed at the end. */
  readonly directory: string
  readonly generator: Generator
  /** Measures servers in turns, and prints a table. */
  run(heat: Heat): Promise<void>
  /** Prints a figure that compares nothing: the median of these values and their range. */
  show(figure: string, values: readonly number[], unit: string): void
  /** Stops the server at the end of the work. */
  stopAtEnd<Started extends Stoppable>(started: Started): Started
}

interface Stoppable {
  stop(): Promise<void>
}

export type Work = (bench: Bench) => Promise<void>

export interface Figures {
  readonly results: readonly Result[]
  readonly figures: readonly (Range & { readonly figure: string; readonly unit: string })[]
}

/** Figures are meaningless if answers are wrong, so these end the run. */
export class WrongAnswers extends Error {}

/** A running server and the request with which it is measured. */
export interface Contestant {
  readonly name: string
  /** The processes whose CPU is counted, with all their children. */
  readonly roots: readonly number[]
  readonly load: Load
  /**
   * Waits until the server has done all work that follows from these answers, and fails if results
   * are missing. The turn lasts until then and includes the CPU of that work.
   */
  readonly settle?: (answers: number) => Promise<void>
}

/** Servers that do the same work. */
export interface Heat {
  readonly work: string
  readonly connections: number
  /** Each of these is compared with each of the others. */
  readonly ours: readonly Contestant[]
  readonly others: readonly Contestant[]
  /** The seconds of a turn. Shorter ones would be too imprecise. */
  readonly seconds?: number
  /**
   * A warm-up ends after this number of answers or this time. Code that V8 has not compiled yet is
   * several times slower, and V8 compiles only code that has run often.
   */
  readonly warmUp?: { readonly answers: number; readonly maximumSeconds: number }
}

interface Round {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMicroseconds: number
}

interface Result {
  readonly work: string
  readonly connections: number
  readonly name: string
  readonly rounds: readonly Round[]
}

/** Runs a work with a folder and with servers that end with it. */
export async function runWork(work: Work, effort: Effort): Promise<Figures> {
  const started: Stoppable[] = []
  const generator = new Generator()
  const results: Result[] = []
  const figures: Figures['figures'][number][] = []
  const folder = await makeGuardedFolder()
  try {
    await work({
      ...effort,
      directory: folder.path,
      generator,
      run: async (heat) => {
        const measured = await runHeat(heat, effort, generator)
        results.push(...measured)
        console.log(`${renderResults(heat, measured)}\n`)
      },
      show: (figure, values, unit) => {
        figures.push({ figure, unit, ...rangeOf(values) })
        console.log(`${figure}: ${render(rangeOf(values))} ${unit}`)
      },
      stopAtEnd: (one) => {
        started.unshift(one)
        return one
      },
    })
  } finally {
    generator.stop()
    for (const one of started) await one.stop()
    await folder.remove()
  }
  return { results, figures }
}

// The guard waits a second, because processes that write into the folder are being killed at the
// same time.
const guardScript = `read -r _
sleep 1
rm -rf "$1"`

/** Makes a temporary folder that is removed even if this process is killed. */
async function makeGuardedFolder() {
  const path = await mkdtemp(join(tmpdir(), 'coopshare-bench-'))
  const guard = spawn('sh', ['-c', guardScript, 'sh', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  const pipe = guard.stdin as Socket
  pipe.unref()
  const remove = async () => {
    await rm(path, { recursive: true, force: true })
    pipe.end()
  }
  return { path, remove }
}

const warmLoads = new WeakSet<Load>()

/**
 * Each round measures all servers, so that other work on the machine affects all of them. Every
 * second round has the reverse order, because a server can leave work behind (a vacuum, a
 * compaction) that slows down the next one.
 */
async function runHeat(heat: Heat, effort: Effort, generator: Generator): Promise<Result[]> {
  const { work, connections, warmUp = { answers: 2000, maximumSeconds: 3 } } = heat
  const seconds = effort.seconds ?? heat.seconds ?? 0.5
  const contestants = [...heat.ours, ...heat.others]
  for (const { name, load, settle } of contestants) {
    if (warmLoads.has(load)) continue
    warmLoads.add(load)
    const endsAt = performance.now() + warmUp.maximumSeconds * 1000
    for (let answers = 0; answers < warmUp.answers && performance.now() < endsAt; ) {
      const outcome = await generator.send({ load, connections, seconds: 0.5 })
      requireRight(`${name}, warm-up`, outcome)
      await settle?.(generator.answersFrom(load.origin))
      answers += outcome.answers
    }
  }
  const turns = contestants.map((contestant) => ({ contestant, rounds: [] as Round[] }))
  for (let round = 0; round < effort.rounds; round++) {
    for (const { contestant, rounds } of round % 2 === 0 ? turns : turns.toReversed()) {
      const { name, roots, load, settle } = contestant
      const send = await generator.open({ load, connections, seconds })
      const cpuBefore = cpuMicrosecondsOf(roots)
      const startedAt = performance.now()
      const outcome = await send()
      requireRight(`${name}, ${work}`, outcome)
      await settle?.(generator.answersFrom(load.origin))
      const took = settle ? (performance.now() - startedAt) / 1000 : outcome.seconds
      const { answers, p50Ms, p99Ms } = outcome
      const cpuMicroseconds = (cpuMicrosecondsOf(roots) - cpuBefore) / answers
      rounds.push({ answers, perSecond: answers / took, p50Ms, p99Ms, cpuMicroseconds })
    }
  }
  return turns.map(({ contestant, rounds }) => ({
    work,
    connections,
    name: contestant.name,
    rounds,
  }))
}

export function requireRight(what: string, { answers, wrong, firstWrong }: Outcome): void {
  if (wrong === 0 && answers > 0) return
  const first = firstWrong === null ? '' : `, the first: ${firstWrong}`
  throw new WrongAnswers(`${what}: ${answers} answers, ${wrong} faults${first}`)
}

export interface Range {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  const below = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  const above = sorted[sorted.length >> 1] ?? Number.NaN
  return (below + above) / 2
}

function rangeOf(values: readonly number[]): Range {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) }
}

/** Divides round by round, because in a round both servers had the same load on the machine. */
function ratio(ours: Result, other: Result, figure: 'perSecond' | 'cpuMicroseconds'): Range {
  const values = ours.rounds.map(
    (round, number) => round[figure] / (other.rounds[number]?.[figure] ?? Number.NaN),
  )
  return rangeOf(values)
}

function renderResults({ work, connections, ours }: Heat, results: readonly Result[]): string {
  const own = results.slice(0, ours.length)
  const compared = own.map((result): [string, (other: Result) => string] => [
    `rate and CPU of ${result.name} to it`,
    (other) =>
      own.includes(other)
        ? ''
        : `${render(ratio(result, other, 'perSecond'))}, ${render(ratio(result, other, 'cpuMicroseconds'))}`,
  ])
  const figures = (of: (round: Round) => number) => (result: Result) =>
    render(rangeOf(result.rounds.map(of)))
  const table = renderTable(results, {
    server: ({ name }) => name,
    'answers/s': figures(({ perSecond }) => perSecond),
    'p50 ms': figures(({ p50Ms }) => p50Ms),
    'p99 ms': figures(({ p99Ms }) => p99Ms),
    'CPU µs': figures(({ cpuMicroseconds }) => cpuMicroseconds),
    ...Object.fromEntries(compared),
  })
  return `${work}, ${connections} connections\n${table}`
}

function render({ median, lowest, highest }: Range): string {
  const show = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  return lowest === highest ? show(median) : `${show(median)} [${show(lowest)} - ${show(highest)}]`
}
