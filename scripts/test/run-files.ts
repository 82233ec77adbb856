import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'
import { serverVariable } from '../../fixtures/postgres/variables.ts'
import { addResults, nameOf, type Results, readResults, renderFailures } from './results.ts'

interface RunOptions {
  /** Variables for tests and for the programs that they start. */
  readonly env: NodeJS.ProcessEnv
  /** The number of files that run at the same time. */
  readonly jobs: number
}

/**
 * Settings of tap. It keeps the folders of tests, because a service may still write to its folder
 * when tap would remove it.
 */
const tapVariables = { TAP_TIMEOUT: '480', TAP_SAVE_FIXTURE: '1' }

/**
 * Variables by which a person or a CI server chooses colours, widths and languages. Without them,
 * tests see the same output everywhere; a test that is about one of them sets it.
 */
const aboutOutput =
  /^(CI|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|COLUMNS|LINES|OCLIF_COLUMNS|TMUX|LANG|LANGUAGE|LC_\w+)$/

/**
 * With a larger young generation, there is less garbage collection, which saves a seventh of the
 * CPU. Optimizing a function only after ten times as many calls saves another seventh, because most
 * test processes end before the optimization pays off.
 */
const nodeFlags = ['--max-semi-space-size=64', '--interrupt-budget=1000000']

/**
 * tap itself ends a slow file and reports its results. This limit ends a file in which tap hangs.
 */
const maximumMs = 600_000

/**
 * Runs bundled tests as plain programs, because with `tap run` each file and its child processes
 * would take twice as long to start. Prints a line for each file that has ended, and immediately
 * its failures, because the end of a long log may be cut off.
 */
export async function runFiles(
  files: readonly string[],
  { env, jobs }: RunOptions,
): Promise<Results> {
  const waiting = [...files]
  const all: Results[] = []
  const runNext = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      all.push(await runFile(file, env))
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  return addResults(all)
}

async function runFile(file: string, env: NodeJS.ProcessEnv): Promise<Results> {
  const from = performance.now()
  const child = spawn(process.execPath, [...nodeFlags, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environmentOf({ ...process.env, ...tapVariables, ...env }),
    timeout: maximumMs,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const [said, [code, signal]] = await Promise.all([text(child.stdout), closed])
  const results = readResults(file, said, code ?? signal)
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  console.log(
    `${results.failures.length === 0 ? 'passed' : 'FAILED'} ${nameOf(file)} (${seconds} s)`,
  )
  if (results.failures.length > 0) console.log(renderFailures(results.failures))
  return results
}

function environmentOf(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(([name]) => !aboutOutput.test(name))
  return Object.fromEntries(kept)
}

/**
 * Runs `work` with a database server that all test files share, unless the environment names one.
 */
export async function withDatabaseServer<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.env[serverVariable]) return work()
  const server = await startDatabaseServer()
  process.env[serverVariable] = server.url
  try {
    return await work()
  } finally {
    await server.stop()
  }
}
