// `npm run fuzz -- --minutes M [--seed S]`, or `--requests N` instead of the minutes, gives changed
// requests, bytes, files and arguments to the service and its commands.
import { randomInt } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { positiveNumber, readArguments, wholeNumber } from '../../scripts/arguments.ts'
import { buildWorker } from '../build.ts'
import { startWorker } from '../campaign.ts'
import type { CommandTask } from './command-worker.ts'
import type { Corpus } from './corpus.ts'
import { fuzzImports, importFiles } from './imports.ts'
import { Report } from './report.ts'
import type { FuzzResult } from './result.ts'
import { fuzzListeners, fuzzWebhookAnswers } from './sockets.ts'
import type { FuzzTask } from './worker.ts'

const { minutes, mostRequests, firstSeed } = readArguments(() => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string' },
    },
  })
  const most = values.requests
  return {
    minutes: positiveNumber('--minutes', values.minutes ?? (most === undefined ? '1' : '1440')),
    mostRequests: most === undefined ? undefined : wholeNumber('--requests', most),
    firstSeed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed),
  }
})

/** The inputs of one task. Each task has a new world, so that its lists stay short. */
const perTask = { requests: 4000, store: 60, listeners: 400, answers: 200, imports: 300 }
const commandsPerTask = 150
/** The run ends after this number of findings, because more would repeat them. */
const mostFound = 20
const report = new Report()
const lost: FuzzResult = {
  tried: 0,
  outcomes: {},
  findings: [{ fault: 'the process crashed or did not end in time', input: null }],
}
let seed = firstSeed
/** The number of requests that tasks have been given so far. */
let promised = 0

const isOver = () =>
  performance.now() > endsAt ||
  report.found >= mostFound ||
  (mostRequests !== undefined && promised >= mostRequests)

/** Fuzzes simulated worlds. Runs once for each core. */
async function fuzzWorlds(path: string): Promise<void> {
  const worker = startWorker<FuzzTask, FuzzResult>(path)
  while (!isOver()) {
    seed += 1
    const of = seed
    const kind = of % 16 === 0 ? 'store' : 'requests'
    const left = mostRequests === undefined ? perTask[kind] : mostRequests - promised
    const count = kind === 'store' ? perTask[kind] : Math.min(left, perTask[kind])
    if (kind === 'requests') promised += count
    const result = (await worker.run({ kind, seed: of, count })) ?? lost
    report.add(kind, of, result)
    if (kind === 'requests') promised += Math.max(0, result.tried) - count
  }
  worker.end()
}

/** Fuzzes with the real sockets and files of this machine. Commands run in a process of their own. */
async function fuzzMachine(path: string): Promise<void> {
  const files = await importFiles()
  const commands = startWorker<CommandTask, FuzzResult>(path)
  const { commands: known } = corpus
  report.add('corpus', undefined, (await commands.run({ kind: 'corpus', commands: known })) ?? lost)
  do {
    const begun = performance.now()
    seed += 1
    const of = seed
    const task = { kind: 'commands', seed: of, count: commandsPerTask } as const
    report.add('commands', of, (await commands.run(task)) ?? lost)
    report.add('listeners', of, await fuzzListeners(of, perTask.listeners))
    report.add('webhook answers', of, await fuzzWebhookAnswers(of, perTask.answers))
    report.add('imported files', of, await fuzzImports(of, perTask.imports, files))
    // Rests, so that most of the CPU is left for requests.
    const restsUntil = performance.now() + 3 * (performance.now() - begun)
    while (!isOver() && performance.now() < restsUntil) await pause(200)
  } while (!isOver())
  await commands.run({ kind: 'end' })
  commands.end()
}

const corpus: Corpus = JSON.parse(readFileSync('sim/fuzz/corpus.json', 'utf8'))
const build = (name: string) =>
  buildWorker(process.cwd(), { entry: `sim/fuzz/${name}.ts`, name: `fuzz-${name}-${process.pid}` })
const [path, commandPath] = [await build('worker'), await build('command-worker')]
const first = startWorker<FuzzTask, FuzzResult>(path)
const { requests } = corpus
report.add('corpus', undefined, (await first.run({ kind: 'corpus', requests })) ?? lost)
first.end()
const begunAt = performance.now()
const endsAt = begunAt + minutes * 60_000
const worlds = Array.from({ length: availableParallelism() }, () => fuzzWorlds(path))
await Promise.all([...worlds, fuzzMachine(commandPath)])
for (const each of [path, commandPath]) rmSync(each)
const seconds = (performance.now() - begunAt) / 1000
console.log(report.render(seconds))
console.log(
  `${report.found} findings, seeds from ${firstSeed + 1} to ${seed}, ${seconds.toFixed(0)} s`,
)
process.exit(report.found > 0 ? 1 : 0)
