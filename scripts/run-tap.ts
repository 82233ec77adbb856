import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Without coverage, which would make a run far longer; `npx tap` measures it. */
const options = ['--disable-coverage', '--reporter=terse']

/** Runs bundled tests; what `env` has in it, they and the programs that they start see. */
export async function runTap(files: readonly string[], env: NodeJS.ProcessEnv, ...more: string[]) {
  // A run that has to leave plugins out itself still loads them, which takes longer than most tests.
  if ((await tap(['build'], env)) !== 0)
    throw new Error('tap could not be built without its plugins.')
  return tap(['run', ...options, ...more, ...files], env)
}

async function tap(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const given = { ...process.env, ...env, TAP_RCFILE: 'scripts/bundled.taprc' }
  const child = spawn('npx', ['tap', ...argv], { stdio: 'inherit', env: given })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
