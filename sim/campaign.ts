import { type ChildProcess, fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Done, Task } from './worker.ts'
import { type Counts, noCounts } from './world.ts'

export interface CampaignOptions {
  /** The built file of a worker. */
  readonly worker: string
  readonly firstSeed: number
  readonly count: number
  readonly isTwice?: boolean
  /** Whether the campaign ends with the first failing seed. */
  readonly isForOne?: boolean
  /** No seed begins later. */
  readonly longestMs?: number
  /** As many as there are cores, unless it is set. */
  readonly processes?: number
  readonly seeds?: readonly number[]
  readonly onDone?: (done: Done, count: number) => void
}

export interface Campaign {
  readonly firstSeed: number
  readonly done: readonly Done[]
  readonly failed: readonly Done[]
  /** Seeds whose second run had a different history. */
  readonly differing: readonly number[]
  readonly seconds: number
}

const mostShown = 20

/** A seed that takes longer than this has failed. */
const longestSeedMs = 900_000

/** Runs several processes, each with one seed at a time. */
export async function runCampaign(options: CampaignOptions): Promise<Campaign> {
  const { firstSeed, count, isTwice = false, isForOne = false } = options
  const { longestMs = Number.POSITIVE_INFINITY, processes = availableParallelism() } = options
  const begun = performance.now()
  const seeds = options.seeds ?? Array.from({ length: count }, (_, index) => firstSeed + index)
  const left = seeds.values()
  const done: Done[] = []
  const isOver = () => performance.now() - begun > longestMs || (isForOne && done.some(hasFailed))
  const work = async () => {
    const worker = startWorker<Task, Done>(options.worker)
    for (let next = left.next(); !next.done && !isOver(); next = left.next()) {
      const task = { seed: next.value, isTwice }
      const one = (await worker.run(task)) ?? lost(task)
      done.push(one)
      options.onDone?.(one, done.length)
    }
    worker.end()
  }
  await Promise.all(Array.from({ length: Math.min(seeds.length, processes) }, work))
  done.sort((left, right) => left.seed - right.seed)
  const differing = done.filter(({ differs }) => differs).map(({ seed }) => seed)
  const seconds = (performance.now() - begun) / 1000
  return { firstSeed, done, failed: done.filter(hasFailed), differing, seconds }
}

export function hasFailed({ violations }: Done): boolean {
  return violations.length > 0
}

export interface Worker<Job, Result> {
  /** Resolves with undefined if the process has ended or took too long. */
  run(job: Job): Promise<Result | undefined>
  end(): void
}

export function startWorker<Job extends object, Result>(path: string): Worker<Job, Result> {
  let child: ChildProcess | undefined
  return {
    async run(job) {
      // Without `execArgv: []` the TypeScript loader of the parent would process the built file
      // again.
      child ??= fork(path, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      const working = child
      const late = setTimeout(() => working.kill('SIGKILL'), longestSeedMs)
      const over = new AbortController()
      const first = async (event: string) => once(working, event, { signal: over.signal })
      const ended = first('exit').then(
        () => undefined,
        () => undefined,
      )
      const answered = first('message').then(
        ([answer]) => answer as Result,
        () => undefined,
      )
      working.send(job)
      const answer = await Promise.race([answered, ended])
      over.abort()
      clearTimeout(late)
      if (!answer) child = undefined
      return answer
    },
    end: () => child?.kill(),
  }
}

export function lost({ seed }: Pick<Task, 'seed'>): Done {
  const violations = ['The process of the simulation crashed or did not end in time.']
  const nothing = { counts: { ...noCounts }, story: [], actions: 0, cpuMs: 0 }
  return { seed, digest: '', violations, differs: false, ...nothing }
}

export function renderTotals({ firstSeed, done, failed, differing, seconds }: Campaign): string {
  const sum = (of: (one: Done) => number) => done.reduce((total, one) => total + of(one), 0)
  const text = (value: number) => Math.round(value).toLocaleString('en-GB')
  const count = (name: keyof Counts) => text(sum(({ counts }) => counts[name]))
  const msPerDay =
    sum(({ cpuMs }) => cpuMs) /
    Math.max(
      1,
      sum(({ counts }) => counts.days),
    )
  const rows = [
    ['seeds', `${text(done.length)}, from ${firstSeed}`],
    ['simulated days', count('days')],
    ['requests', count('requests')],
    ['acknowledged writes', count('acknowledged')],
    ['webhooks sent', count('deliveries')],
    ['direct debits', `${count('debits')}, and ${count('entries')} entries of accounts`],
    ['crashes', count('crashes')],
    ['restarts', count('restarts')],
    ['faults of the disk', count('faults')],
    ['histories of investors', `${count('histories')}, ${count('undecided')} too long to judge`],
    ['steps', count('steps')],
    ['seeds with a violation', text(failed.length)],
    ['seeds with two histories', text(differing.length)],
    ['digest of all histories', digestOf(done)],
    ['time', `${seconds.toFixed(1)} s, ${text(msPerDay)} ms of CPU for a day`],
  ]
  const lines = rows.map(([name = '', value]) => `${name.padEnd(26)}${value}`)
  const faults = failed.map(({ seed, violations }) => `${seed}: ${violations[0]?.slice(0, 300)}`)
  return [...lines, ...faults.slice(0, mostShown)].join('\n')
}

/** The same seeds and sources have the same digest on every machine. */
function digestOf(done: readonly Done[]): string {
  const digests = done.map(({ seed, digest }) => `${seed} ${digest}`)
  return hash('sha256', digests.join('\n')).slice(0, 16)
}
