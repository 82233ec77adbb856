import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

const directory = join(import.meta.dirname, '..', 'dist')

export const bundle = join(directory, 'coopshare.cjs')
/**
 * Only the same V8 can use compiled code. Commands have less of it than a service, because reading
 * all of it takes longer than most commands.
 */
export const codeCaches = { ofServe: codeCacheOf('serve'), ofCommands: codeCacheOf('commands') }

function codeCacheOf(what) {
  return join(directory, `${what}-${process.versions.v8}-${process.arch}.cache`)
}

/**
 * Runs the bundle with its compiled code, because compiling it would take longer than the rest of a
 * start.
 */
export function runBundle() {
  const { ofServe, ofCommands } = codeCaches
  const codeCache = process.argv[2] === 'serve' ? ofServe : ofCommands
  if (existsSync(codeCache)) return runScript(bundle, readFileSync(codeCache))
  if (!existsSync(bundle)) return sayUnbuilt()
  // Node 22 and later have their own cache.
  module.enableCompileCache?.()
  createRequire(bundle)(bundle)
}

/** Only a checkout can lack the bundle, because a package contains it. */
function sayUnbuilt() {
  console.error(
    'coopshare is not built here. Run `npm run build`, or `npm start`, which builds it.',
  )
  process.exitCode = 1
}

/** @param filename the name of the file in stack traces */
export function runScript(file, cachedData, filename = file) {
  // The file contains only ASCII, and `latin1` is the fastest way to read it.
  const source = readFileSync(file, 'latin1')
  const script = new Script(source, { filename, cachedData })
  script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file))
  return script
}
