import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import type { Result } from './contestant.ts'
import type { MachineLoad } from './report.ts'
import type { Options } from './run-bench.ts'
import { type Floor, isHeld } from './work.ts'

interface Figures {
  readonly results: readonly Result[]
  readonly floors: readonly Floor[]
  readonly load: MachineLoad
}

/** Writes the results to a file and returns its name. */
export function writeJson(options: Options, { results, floors, load }: Figures): string {
  const { jsonFile, works, isLong, rounds, seconds, peerCommit } = options
  const at = new Date().toISOString()
  const file = jsonFile ?? join(import.meta.dirname, 'results', `${at.replaceAll(':', '-')}.json`)
  const machine = { cpus: cpus().map(({ model }) => model), node: process.version, load }
  const judged = floors.map((floor) => ({ ...floor, held: isHeld(floor) }))
  const run = { at, commit: readCommit(), machine, works, isLong, rounds, seconds, peerCommit }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...run, results, floors: judged }, null, 2))
  return file
}

/**
 * Returns the current commit, with `-dirty` after it if there are uncommitted changes, or null
 * outside of a repository.
 */
function readCommit(): string | null {
  const argv = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', argv, { cwd: import.meta.dirname, encoding: 'utf8', stdio }).trim()
  } catch {
    return null
  }
}
