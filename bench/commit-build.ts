// Builds the program of an earlier commit once and keeps it in `bench/.cache`.
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { WrongUsage } from './arguments.ts'

const cacheDirectory = join(import.meta.dirname, '.cache')

export interface Commit {
  readonly id: string
  /** The name that the user gave. */
  readonly name: string
}

export function findCommit(name: string): Commit {
  const argv = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio } as const
    return { name, id: execFileSync('git', argv, options).trim() }
  } catch {
    throw new WrongUsage(
      `--peer-commit takes a commit of this repository's history, not "${name}". A shallow clone has only part of the history.`,
    )
  }
}

/** Returns the path of the `bin/run.js` of the commit. */
export function buildCommit({ id, name }: Commit): string {
  const directory = join(cacheDirectory, id)
  if (!existsSync(directory)) {
    console.log(`Building ${name}. Later runs use the build in ${directory}.\n`)
    buildInto(directory, id)
  }
  return join(directory, 'bin', 'run.js')
}

/**
 * Builds in a separate directory and renames it, so that an interrupted build never counts as
 * complete.
 */
function buildInto(directory: string, id: string): void {
  mkdirSync(cacheDirectory, { recursive: true })
  const unfinished = mkdtempSync(join(cacheDirectory, 'unfinished-'))
  try {
    const archive = join(unfinished, 'archive.tar')
    run('git', ['archive', '--output', archive, id], join(import.meta.dirname, '..'))
    run('tar', ['-xf', archive], unfinished)
    run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], unfinished)
    run('npm', ['run', '-s', 'build'], unfinished)
    // These take half a gigabyte, and only the bundle is needed.
    for (const spare of ['node_modules', 'archive.tar']) {
      rmSync(join(unfinished, spare), { recursive: true })
    }
    renameSync(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function run(program: string, argv: readonly string[], cwd: string): void {
  // The build asks git for the commit, and would get the commit of the surrounding repository.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: cacheDirectory }
  const options: ExecFileSyncOptions = { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(program, argv, options)
}
