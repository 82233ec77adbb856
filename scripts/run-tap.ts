import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Parser } from 'tap-parser'
import { fileOf, followFailures, renderFailures } from './read-results.ts'

export interface RunOptions {
  /** What tests and the programs that they start see of the environment beside what is there. */
  readonly env: NodeJS.ProcessEnv
  /** Where all results are written, as TAP. */
  readonly resultsFile: string
}

/** Without coverage, which would make a run far longer; `npx tap` measures it. */
const options = ['--disable-coverage']

/** Runs bundled tests. On a terminal it shows how far they are; elsewhere it prints a line for each file. */
export async function runTap(
  files: readonly string[],
  { env, resultsFile }: RunOptions,
  ...more: string[]
) {
  // A run that has to leave plugins out itself still loads them, which takes longer than most tests.
  if ((await tap(['build'], env)) !== 0)
    throw new Error('tap could not be built without its plugins.')
  const argv = ['run', ...options, ...more]
  if (process.stdout.isTTY)
    return tap([...argv, '--reporter=terse', `--output-file=${resultsFile}`, ...files], env)
  // Tap's own reporters redraw their last lines, which makes thousands of a log.
  const written = createWriteStream(resultsFile)
  const code = await tap([...argv, '--reporter=tap', ...files], env, (results) => {
    results.pipe(written)
    printFiles(results)
  })
  await finished(written)
  return code
}

async function tap(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  onOutput?: (output: Readable) => void,
): Promise<number> {
  const given = { ...process.env, ...env, TAP_RCFILE: 'scripts/bundled.taprc' }
  const stdout = onOutput ? 'pipe' : 'inherit'
  const child = spawn('npx', ['tap', ...argv], {
    stdio: ['inherit', stdout, 'inherit'],
    env: given,
  })
  if (child.stdout) onOutput?.(child.stdout)
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

/** Prints a line for each file that has ended, and at once what failed in it: the end of a long log may be cut off. */
function printFiles(results: Readable): void {
  const parser = new Parser()
  const takeFailures = followFailures(parser)
  parser.on('assert', (result) => {
    const seconds = result.time === null ? '' : ` (${(result.time / 1000).toFixed(1)} s)`
    console.log(`${result.ok ? 'passed' : 'FAILED'} ${fileOf(result)}${seconds}`)
    const failures = takeFailures()
    if (failures.length > 0) console.log(renderFailures(failures))
  })
  results.pipe(parser)
}
