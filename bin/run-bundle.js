import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

const directory = join(import.meta.dirname, '..', 'dist')

export const bundle = join(directory, 'coopshare.cjs')
/** Only the same V8 can use compiled code. */
export const codeCache = join(directory, `coopshare-${process.versions.v8}-${process.arch}.cache`)

/** Without compiling it again, which would take longer than the work of a start. */
export function runBundle() {
  if (existsSync(codeCache)) return runScript(bundle, readFileSync(codeCache))
  if (!existsSync(bundle)) return sayUnbuilt()
  // Node has its own cache from 22 on.
  module.enableCompileCache?.()
  createRequire(bundle)(bundle)
}

/** A package contains it; a checkout builds it from these. */
function sayUnbuilt() {
  console.error(
    'coopshare is not built here. Run `npm run build`, or `npm start`, which builds it.',
  )
  process.exitCode = 1
}

/** @param filename its name in stacks */
export function runScript(file, cachedData, filename = file) {
  // All of it is ASCII.
  const source = module.wrap(readFileSync(file, 'latin1'))
  const script = new Script(source, { filename, cachedData })
  script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file))
  return script
}
