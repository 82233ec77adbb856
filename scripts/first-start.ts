// `npm run first-start -- COMMIT [--rounds N]` measures what somebody waits for who tries the
// program: a clone, `npm ci` and `npm start` until /readyz, then `npm start` again. It measures the
// last commit beside another one, alternately. npm's cache is warm, so the network does not count.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findUnusedPort } from '../fixtures/servers/peer.ts'
import { readArguments, WrongUsage, wholeNumber } from './arguments.ts'

const root = resolve(import.meta.dirname, '..')

const { commits, rounds } = readArguments(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '1' } },
  })
  const [commit, ...more] = positionals
  if (commit === undefined || more.length > 0) throw new WrongUsage('Name one commit')
  return { commits: [commit, 'HEAD'].map(hashOf), rounds: wholeNumber('--rounds', values.rounds) }
})

function hashOf(commit: string): string {
  const argv = ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`]
  try {
    return execFileSync('git', argv, { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    throw new WrongUsage(`There is no commit "${commit}"`)
  }
}

function run(cwd: string, program: string, ...argv: readonly string[]): string {
  return execFileSync(program, argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

async function timeOf(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** Starts the service as the README says, and resolves when it is ready. */
async function start(cwd: string, port: number): Promise<ChildProcess> {
  const env = { ...process.env, COOPSHARE_PORT: `${port}`, COOPSHARE_OPERATOR_PORT: '0' }
  const child = spawn('npm', ['start'], { cwd, env, detached: true, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/readyz`
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null)
      throw new Error(`npm start in ${cwd} ended with ${child.exitCode}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return child
}

/** Ends npm together with everything that it has started. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await ended
}

async function timeStart(folder: string): Promise<number> {
  const port = await findUnusedPort()
  let child: ChildProcess | undefined
  const seconds = await timeOf(async () => {
    child = await start(folder, port)
  })
  if (child) await stop(child)
  return seconds
}

async function measure(commit: string): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-first-start-'))
  try {
    const clone = await timeOf(() => {
      run(root, 'git', 'clone', '--quiet', root, folder)
      run(folder, 'git', 'checkout', '--quiet', commit)
    })
    const install = await timeOf(() => run(folder, 'npm', 'ci'))
    const first = await timeStart(folder)
    const lock = readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')
    return {
      packages: Object.keys(JSON.parse(lock).packages).length,
      'megabytes in node_modules': Number(run(folder, 'du', '-sm', 'node_modules').split('\t')[0]),
      'seconds: git clone': clone,
      'seconds: npm ci': install,
      'seconds: npm start until /readyz': first,
      'seconds: all of these': clone + install + first,
      'seconds: npm start again': await timeStart(folder),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fills npm's cache, because only the packages of one commit may be there. */
function warmCache(commit: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-first-start-'))
  run(root, 'git', 'clone', '--quiet', '--no-checkout', root, folder)
  run(
    folder,
    'git',
    'checkout',
    '--quiet',
    commit,
    '--',
    'package.json',
    'package-lock.json',
    '.npmrc',
  )
  run(folder, 'npm', 'ci', '--ignore-scripts')
  rmSync(folder, { recursive: true, force: true })
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0
}

for (const commit of commits) warmCache(commit)
const measured: Readonly<Record<string, number>>[][] = commits.map(() => [])
for (let round = 0; round < rounds; round += 1)
  for (const [index, commit] of commits.entries()) measured[index]?.push(await measure(commit))

const [names = []] = [Object.keys(measured[0]?.[0] ?? {})]
console.log(
  `| | ${commits.map((commit) => commit.slice(0, 12)).join(' | ')} | ratio |\n|---|---|---|---|`,
)
for (const name of names) {
  const [before = 0, now = 0] = measured.map((runs) => median(runs.map((each) => each[name] ?? 0)))
  const digits = name.startsWith('seconds') ? 1 : 0
  console.log(
    `| ${name} | ${before.toFixed(digits)} | ${now.toFixed(digits)} | ${(now / before).toFixed(2)} |`,
  )
}
console.log(
  `Medians of ${rounds}, with npm's cache warm; the load average is ${loadavg()[0]?.toFixed(1)}.`,
)
