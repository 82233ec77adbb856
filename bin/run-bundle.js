import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

const directory = join(import.meta.dirname, '..', 'dist')
const bundle = join(directory, 'coopshare.cjs')
const require = createRequire(bundle)

/** What V8 has compiled is good for the very same V8 only. */
export const codeCache = join(directory, `coopshare-${process.versions.v8}-${process.arch}.cache`)

/** Without compiling it anew, which would take a start longer than its work. */
export function runBundle() {
  if (existsSync(codeCache)) return runScript(readFileSync(codeCache))
  // Node has a cache of its own from 22 on.
  module.enableCompileCache?.()
  require(bundle)
}

/** Writes the cache when the program ends: with what it has used until then. */
export function runAndWriteCodeCache() {
  const script = runScript()
  process.on('exit', () => writeFileSync(codeCache, script.createCachedData()))
}

function runScript(cachedData) {
  // All of it is ASCII.
  const source = module.wrap(readFileSync(bundle, 'latin1'))
  const script = new Script(source, { filename: bundle, cachedData })
  script.runInThisContext()({}, require, { exports: {} }, bundle, directory)
  return script
}
