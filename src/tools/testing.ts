import { fileURLToPath } from 'node:url'
import { connectCoopshare, requireKnownOptions } from './testing/connect-coopshare.ts'
import type { Coopshare, StartOptions } from './testing/coopshare.ts'
import { startService } from './testing/start-service.ts'

export type * from './testing/coopshare.ts'
export { CoopshareError } from './testing/operator-client.ts'
export type * from './testing/results.ts'

/** Starts a service for your tests. The service is ready when this resolves, and ends with your process at the latest. */
export async function startCoopshare(options: StartOptions = {}): Promise<Coopshare> {
  requireKnownOptions('startCoopshare', options, ['fixtures', 'now', 'seed', 'args'])
  const { fixtures = [], now, seed, args = [] } = options
  if (!Array.isArray(fixtures)) {
    throw new TypeError('fixtures must be a list of files or objects, such as ["ci.yaml"].')
  }
  const bench = [
    '--bench',
    ...(now === undefined ? [] : ['--now', now instanceof Date ? now.toISOString() : now]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
  ]
  const program = findProgram()
  return connectCoopshare(await startService({ program, fixtures, args: [...bench, ...args] }))
}

/** The words that start the program of this package, or the executable or script in COOPSHARE_PROGRAM. */
function findProgram(): readonly string[] {
  // The path is relative to dist/, where this module is when a test uses it.
  const own = fileURLToPath(new URL('../bin/run.js', import.meta.url))
  const program = process.env['COOPSHARE_PROGRAM'] ?? own
  return /\.[cm]?js$/.test(program) ? [process.execPath, program] : [program]
}
