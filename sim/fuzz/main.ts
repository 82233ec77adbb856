// `npm run fuzz -- --minutes M [--seed S]` sends mutated requests, bytes and files to the service.
import { randomInt } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWorker } from '../build.ts'
import { startWorker } from '../campaign.ts'
import { fuzzImports, importFiles } from './imports.ts'
import type { FuzzedRequest, FuzzResult } from './requests.ts'
import { fuzzListeners, fuzzWebhookAnswers } from './sockets.ts'
import type { FuzzTask } from './worker.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
})

const minutes = Number(values.minutes)
const firstSeed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed)) {
  console.error('Give numbers: npm run fuzz -- --minutes 10 --seed 1')
  process.exit(2)
}

interface Total {
  tried: number
  readonly outcomes: Map<string, number>
}

const perTask = { requests: 500, store: 60, listeners: 400, answers: 200, imports: 300 }
const endsAt = performance.now() + minutes * 60_000
const totals = new Map<string, Total>()
let seed = firstSeed
let found = 0

function add(name: string, ofSeed: number | undefined, result: FuzzResult): void {
  const total = totals.get(name) ?? { tried: 0, outcomes: new Map<string, number>() }
  totals.set(name, total)
  total.tried += result.tried
  for (const [outcome, count] of Object.entries(result.statuses)) {
    total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + count)
  }
  for (const { fault, input } of result.findings) {
    found += 1
    console.log(`FOUND in ${name}, seed ${ofSeed}: ${fault}\n  ${JSON.stringify(input)}`)
  }
}

/** Fuzzes the service in simulated worlds. Each core runs one such process. */
async function fuzzWorlds(path: string): Promise<void> {
  const worker = startWorker<FuzzTask, FuzzResult>(path)
  while (performance.now() < endsAt) {
    seed += 1
    const of = seed
    const kind = of % 4 === 0 ? 'store' : 'requests'
    add(kind, of, (await worker.run({ kind, seed: of, count: perTask[kind] })) ?? lost)
  }
  worker.end()
}

/** Fuzzes the service in this process, with real sockets and files. */
async function fuzzMachine(): Promise<void> {
  const files = await importFiles()
  while (performance.now() < endsAt) {
    seed += 1
    const of = seed
    add('listeners', of, await fuzzListeners(of, perTask.listeners))
    add('webhook answers', of, await fuzzWebhookAnswers(of, perTask.answers))
    add('imported files', of, await fuzzImports(of, perTask.imports, files))
  }
}

const lost: FuzzResult = {
  ...{ tried: 0, statuses: {} },
  findings: [{ fault: 'the process crashed or hung', input: null }],
}

const path = await buildWorker(process.cwd(), { entry: 'sim/fuzz/worker.ts' })
const corpus: FuzzedRequest[] = JSON.parse(readFileSync('sim/fuzz/corpus.json', 'utf8'))
const first = startWorker<FuzzTask, FuzzResult>(path)
add('corpus', undefined, (await first.run({ kind: 'corpus', requests: corpus })) ?? lost)
first.end()
const worlds = Array.from({ length: availableParallelism() }, () => fuzzWorlds(path))
await Promise.all([...worlds, fuzzMachine()])
rmSync(path)
for (const [name, { tried, outcomes }] of totals) {
  const most = [...outcomes].sort(([, left], [, right]) => right - left)
  const list = most.map(([outcome, count]) => `${outcome} ${count.toLocaleString('en-GB')}`)
  console.log(`${name.padEnd(18)}${tried.toLocaleString('en-GB').padStart(12)}  ${list.join(', ')}`)
}
console.log(`${found} findings, seeds from ${firstSeed + 1} to ${seed}`)
process.exit(found > 0 ? 1 : 0)
