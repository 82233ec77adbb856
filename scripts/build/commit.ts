import { spawnSync } from 'node:child_process'

/**
 * The variable with the commit for builds from sources outside of git, such as those in an image.
 */
const commitVariable = 'COOPSHARE_BUILD_COMMIT'
const shownCharacters = 12

/**
 * @returns the commit of the sources in a folder as the program reports it: `1a2b3c4d5e6f`, with
 * `+dirty` if there are uncommitted changes, or `unknown`
 */
export function readCommit(folder = '.', given = process.env[commitVariable]): string {
  if (given) return readGiven(given)
  // The prefix is empty at the root of a repository. If it is not empty, the sources are inside
  // another repository.
  const [prefix, commit] = git(folder, 'rev-parse', '--show-prefix', 'HEAD')?.split('\n') ?? []
  const changes = git(folder, 'status', '--porcelain')
  if (prefix !== '' || !commit || changes === undefined) return 'unknown'
  return `${commit.slice(0, shownCharacters)}${changes === '' ? '' : '+dirty'}`
}

function readGiven(given: string): string {
  const [, commit, mark = ''] = /^([0-9a-f]{7,40})(\+dirty)?$/.exec(given) ?? []
  if (commit === undefined)
    throw new Error(`${commitVariable} must be the hash of a commit, not "${given}".`)
  return `${commit.slice(0, shownCharacters)}${mark}`
}

function git(folder: string, ...argv: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', argv, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
