import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

const directory = join(import.meta.dirname, '..', 'dist')

export const bundle = join(directory, 'coopshare.cjs')
/** What V8 has compiled is good for the very same V8 only. */
export const codeCache = join(directory, `coopshare-${process.versions.v8}-${process.arch}.cache`)

/** Without compiling it anew, which would take a start longer than its work. */
export function runBundle() {
  if (existsSync(codeCache)) return runScript(bundle, readFileSync(codeCache))
  if (!existsSync(bundle)) return sayUnbuilt()
  // Node has a cache of its own from 22 on.
  module.enableCompileCache?.()
  createRequire(bundle)(bundle)
}

/** A package has it; a checkout gets it from these. */
function sayUnbuilt() {
  console.error(
    'coopshare is not built here. Run `npm run build`, or `npm start`, which builds it.',
  )
  process.exitCode = 1
}

/** @param filename what stacks call it */
export function runScript(file, cachedData, filename = file) {
  // All of it is ASCII.
  const source = module.wrap(readFileSync(file, 'latin1'))
  const script = new Script(source, { filename, cachedData })
  script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file))
  return script
}
