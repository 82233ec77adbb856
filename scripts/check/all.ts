// `npm run check [-- more scripts of package.json]` runs all checks without tests, with one check
// at a time on each core.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { delimiter, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

const scripts: Readonly<Record<string, string>> = packageJson.scripts

/** These start first, so that none of them runs alone at the end. */
const slowest = ['typecheck', 'check:contract', 'lint', 'check:dead-code', 'check:help']
const checks = [
  ...slowest,
  ...Object.keys(scripts).filter((name) => name.startsWith('check:') && !slowest.includes(name)),
]

/** Runs the command without npm, which takes longer to start than some of the checks. */
async function run(name: string): Promise<boolean> {
  const from = performance.now()
  const PATH = [resolve('node_modules/.bin'), process.env['PATH']].join(delimiter)
  const child = spawn(scripts[name] ?? `echo "There is no script ${name}."; exit 1`, {
    shell: true,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'passed' : 'FAILED'} ${name} (${seconds} s)`)
  if (output.trim()) console.log(output.trimEnd())
  return code === 0
}

/** Runs all checks, even after one has failed. */
async function runAll(names: readonly string[]): Promise<readonly string[]> {
  const waiting = [...names]
  const failed: string[] = []
  const runNext = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      if (!(await run(name))) failed.push(name)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runNext))
  return failed
}

// Generates the files that the checks read and that are not in git.
const failed = (await run('embed'))
  ? await runAll([...process.argv.slice(2), ...checks])
  : ['embed']
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
