import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { productionVariables } from '../children.ts'
import type { Result, Round } from '../contestant.ts'
import { timeFloor } from '../floors.ts'
import { startCoopshare } from '../service.ts'
import { organization } from '../set-up.ts'
import type { Bench, Measured } from '../work.ts'

const work = 'start'
const nothing = 'node -e 0'
const maximumMs = 60_000
// Reading further certificates would take longer than the rest of `node -e 0`.
const variables = { ...productionVariables, NODE_EXTRA_CA_CERTS: undefined }
const root = join(import.meta.dirname, '..', '..')
/** The same program in the two forms in which users have it. */
const programs = {
  'node bin/run.js': [process.execPath, join(root, 'bin', 'run.js')],
  'the executable': [join(root, 'dist', 'coopshare')],
} as const

interface Start {
  readonly name: string
  /** The program and its arguments. */
  readonly argv: readonly [string, ...string[]]
  readonly says: RegExp
  readonly rounds: Round[]
}

/** Measures the time until a command has ended. */
export async function measureStart(bench: Bench): Promise<Measured> {
  const directory = join(bench.directory, 'start')
  bench.stopAtEnd(await startCoopshare({ directory, setUp: {} }))
  execFileSync('npm', ['run', '-s', 'binary'], { cwd: root, stdio: 'ignore' })
  const commands = [
    { words: ['--version'], says: /coopshare\/\d/ },
    { words: ['organization', 'list', '--data-dir', directory], says: new RegExp(organization) },
  ]
  const ours = Object.entries(programs).flatMap(([program, [file, ...script]]) =>
    commands.map(({ words, says }): Start => {
      const name = `${program}, ${words.slice(0, 2).join(' ')}`
      return { name, argv: [file, ...script, ...words], says, rounds: [] }
    }),
  )
  const least: Start = {
    name: nothing,
    argv: [process.execPath, '-e', '0'],
    says: /^$/,
    rounds: [],
  }
  const starts = [...ours, least]
  for (let round = 0; round < 2 * bench.rounds; round++) {
    for (const start of starts) start.rounds.push(await measure(start))
  }
  const results = starts.map(({ name, rounds }): Result => ({ work, connections: 1, name, rounds }))
  bench.show(results)
  return {
    results,
    floors: ours.map(({ name }) => timeFloor(results, { work, names: [name, nothing] }, 3)),
  }
}

async function measure({ argv: [file, ...argv], says }: Start): Promise<Round> {
  const startedAt = performance.now()
  const child = spawn(file, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: variables,
    timeout: maximumMs,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  const milliseconds = performance.now() - startedAt
  const isRight = code === 0 && says.test(said.trim())
  return {
    answers: 1,
    perSecond: 1000 / milliseconds,
    p50Ms: milliseconds,
    p99Ms: milliseconds,
    // CPU is not measured: the system counts it in ticks of 10 ms, and `node -e 0` needs only four.
    cpuMicroseconds: Number.NaN,
    wrong: isRight ? 0 : 1,
    firstWrong: isRight ? null : `${code} ${said}`,
  }
}
