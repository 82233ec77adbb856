import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { productionVariables } from '../children.ts'
import type { Result, Round } from '../contestant.ts'
import { timeFloor } from '../floors.ts'
import { startCoopshare } from '../service.ts'
import { organization } from '../set-up.ts'
import type { Bench, Measured } from '../work.ts'

const work = 'start'
const [version, command, nothing] = [
  'coopshare --version',
  'coopshare organization list',
  'node -e 0',
]
const maximumMs = 60_000
// Reading further certificates would take longer than the rest of `node -e 0`.
const variables = { ...productionVariables, NODE_EXTRA_CA_CERTS: undefined }
const program = join(import.meta.dirname, '..', '..', 'bin', 'run.js')

interface Start {
  readonly name: string
  readonly argv: readonly string[]
  readonly says: RegExp
  readonly rounds: Round[]
}

/** Measures the time until a command has ended. */
export async function measureStart(bench: Bench): Promise<Measured> {
  const directory = join(bench.directory, 'start')
  bench.stopAtEnd(await startCoopshare({ directory, setUp: {} }))
  const list = [program, 'organization', 'list', '--data-dir', directory]
  const starts: readonly Start[] = [
    { name: version, argv: [program, '--version'], says: /coopshare\/\d/, rounds: [] },
    { name: command, argv: list, says: new RegExp(organization), rounds: [] },
    { name: nothing, argv: ['-e', '0'], says: /^$/, rounds: [] },
  ]
  for (let round = 0; round < 2 * bench.rounds; round++) {
    for (const start of starts) start.rounds.push(await measure(start))
  }
  const results = starts.map(({ name, rounds }): Result => ({ work, connections: 1, name, rounds }))
  bench.show(results)
  return {
    results,
    floors: [
      timeFloor(results, { work, names: [version, nothing] }, 3),
      timeFloor(results, { work, names: [command, nothing] }, 3),
    ],
  }
}

async function measure({ argv, says }: Start): Promise<Round> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, argv, {
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
