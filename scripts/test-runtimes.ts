// npm run test:runtimes -- [deno] [20] [22] …: what a partner and an operator do, with the service under other runtimes; `dist` has to be there. Ends with a table.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join, resolve } from 'node:path'

const nodeVersions = ['20.20.2', '22.23.3', '24.9.0', '26.9.0']
const suites = ['serve', 'starts', 'readme', 'webhooks'].map((name) => `test/end-to-end/${name}.ts`)
const starts = 5

interface Runtime {
  readonly name: string
  readonly command: readonly string[]
}

/** Node as npm has it; for linux and macOS. */
function installNode(version: string): Runtime {
  const folder = resolve('.tap', 'runtimes', version)
  const name = `node-${platform()}-${arch()}`
  mkdirSync(folder, { recursive: true })
  const argv = ['install', '--no-save', '--prefix', folder, `${name}@${version}`]
  execFileSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] })
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  return { name: `Node ${version}`, command: [node, resolve('bin/run.js')] }
}

/** Not the script that npm puts before it, which passes no signal on. */
function findDeno(): Runtime {
  const script = 'console.log(Deno.execPath(), Deno.version.deno)'
  const told = execFileSync('npx', ['deno', 'eval', script], { encoding: 'utf8' })
  const [deno = '', version] = told.trim().split(' ')
  const command = [deno, 'run', '-A', resolve('bin/coopshare.ts')]
  return { name: `Deno ${version}, from the sources`, command }
}

async function passes({ command }: Runtime): Promise<boolean> {
  const env = { ...process.env, COOPSHARE_TEST_PROGRAM: command.join(' ') }
  const argv = ['tap', 'run', '--disable-coverage', '--reporter=terse', ...suites]
  const [code] = await once(spawn('npx', argv, { stdio: 'inherit', env }), 'exit')
  return code === 0
}

/** The median of some starts. */
function startMs([program = '', ...argv]: readonly string[]): number {
  const times = Array.from({ length: starts }, () => {
    const startedMs = performance.now()
    spawnSync(program, [...argv, '--version'])
    return performance.now() - startedMs
  })
  return Math.round(times.sort((left, right) => left - right)[Math.floor(starts / 2)] ?? 0)
}

const asked = process.argv.slice(2)
const isAsked = (name: string) => asked.length === 0 || asked.includes(name)
const runtimes = [
  ...nodeVersions.filter((version) => isAsked(version.split('.')[0] ?? '')).map(installNode),
  ...(isAsked('deno') ? [findDeno()] : []),
]
const rows: string[] = []
for (const runtime of runtimes) {
  const passed = await passes(runtime)
  if (!passed) process.exitCode = 1
  rows.push(`| ${runtime.name} | ${passed ? 'pass' : 'FAIL'} | ${startMs(runtime.command)} ms |`)
}
console.log(['| Runtime | End-to-end | `--version` |', '|---|---|---|', ...rows].join('\n'))
