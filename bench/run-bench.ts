import { loadavg } from 'node:os'
import type { Commit } from './commit-build.ts'
import type { Result } from './contestant.ts'
import { Generator } from './load/generator.ts'
import type { Load } from './load/load.ts'
import { renderFloors, renderNoise, renderResults } from './report.ts'
import { runHeat } from './run-heats.ts'
import { stoppingAtEnd } from './stop-at-end.ts'
import { withFolder } from './with-folder.ts'
import type { Bench, Measured, Work } from './work.ts'
import type { WorkName } from './work-names.ts'
import {
  measureAlternativeDeliveries,
  measureAlternativeOrders,
  measureAlternativeReads,
} from './works/alternatives.ts'
import { measureBench } from './works/bench.ts'
import { measureCatalogue } from './works/catalogue.ts'
import { measureEndToEnd } from './works/end-to-end.ts'
import { measureInstances } from './works/instances.ts'
import { measureOrders } from './works/orders.ts'
import { measureReads } from './works/reads.ts'
import { measureStart } from './works/start.ts'
import { measureToken } from './works/token.ts'
import { measureWebhooks } from './works/webhooks.ts'
import { writeJson } from './write-json.ts'
import { refuseResults } from './wrong-answers.ts'

const workOf: Readonly<Record<WorkName, Work>> = {
  catalogue: measureCatalogue,
  token: measureToken,
  orders: measureOrders,
  reads: measureReads,
  webhook: measureWebhooks,
  instances: measureInstances,
  start: measureStart,
  'end-to-end': measureEndToEnd,
  bench: measureBench,
  'alternative-orders': measureAlternativeOrders,
  'alternative-deliveries': measureAlternativeDeliveries,
  'alternative-reads': measureAlternativeReads,
}

export interface Options {
  readonly works: readonly WorkName[]
  readonly isLong: boolean
  readonly rounds: number
  /** The length of a round. undefined means the length that the work sets. */
  readonly seconds: number | undefined
  readonly peerCommit: Commit | undefined
  readonly jsonFile: string | undefined
  /** The start of the whole run, including the build. */
  readonly startedAt: number
}

export async function runBench(options: Options): Promise<void> {
  const loadBefore = loadavg()
  const generator = new Generator()
  const measured: Measured[] = []
  const clock = new Clock(options.startedAt)
  clock.lap('build')
  try {
    for (const name of options.works) {
      measured.push(await runWork(workOf[name], options, generator))
      clock.lap(name)
    }
  } finally {
    generator.stop()
  }
  const results = measured.flatMap(({ results }) => results)
  const floors = measured.flatMap(({ floors }) => floors)
  const load = { before: loadBefore, after: loadavg() }
  if (floors.length > 0) console.log(`${renderFloors(floors)}\n`)
  console.log(renderNoise(results, load))
  console.log(`All results: ${writeJson(options, { results, floors, load })}`)
  console.log(clock.describe())
}

class Clock {
  readonly #startedAt: number
  readonly #laps: string[] = []
  #lapAt: number

  constructor(startedAt: number) {
    this.#startedAt = startedAt
    this.#lapAt = startedAt
  }

  lap(name: string): void {
    this.#laps.push(`${name} ${secondsSince(this.#lapAt)}`)
    this.#lapAt = performance.now()
  }

  describe(): string {
    return `It took ${secondsSince(this.#startedAt)} s: ${this.#laps.join(', ')}.`
  }
}

function secondsSince(at: number): string {
  return ((performance.now() - at) / 1000).toFixed(0)
}

function effortOf({ rounds, isLong, seconds }: Options) {
  return isLong
    ? {
        isLong,
        rounds,
        secondsPerRound: seconds ?? 2,
        warmUp: { answers: 3000, maximumSeconds: 12 },
      }
    : {
        isLong,
        rounds,
        secondsPerRound: seconds ?? 0.5,
        warmUp: { answers: 2000, maximumSeconds: 3 },
      }
}

function runWork(work: Work, options: Options, generator: Generator): Promise<Measured> {
  const effort = effortOf(options)
  const warm = new Set<Load>()
  return withFolder((directory) =>
    stoppingAtEnd((stopAtEnd) => {
      const bench: Bench = {
        ...effort,
        directory,
        peerCommit: options.peerCommit,
        run: async (heat) => show(await runHeat(heat, { ...effort, generator, warm })),
        show,
        answersFrom: (origin) => generator.answersFrom(origin),
        stopAtEnd,
      }
      return work(bench)
    }),
  )
}

function show<Shown extends readonly Result[]>(results: Shown): Shown {
  refuseResults(results)
  console.log(renderResults(results))
  return results
}
