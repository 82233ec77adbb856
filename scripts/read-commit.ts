import { spawnSync } from 'node:child_process'

/** For builds from sources that are not in git, such as those in an image. */
export const commitVariable = 'COOPSHARE_BUILD_COMMIT'
const shownCharacters = 12

/** @returns the commit that the sources in a folder are at, as the program names it: `1a2b3c4d5e6f`, with `+dirty` where something is not committed; or `unknown` */
export function readCommit(folder = '.', given = process.env[commitVariable]): string {
  if (given) return readGiven(given)
  // The first line is empty in the root of the sources; elsewhere they are in somebody else's repository.
  const [prefix, commit] = git(folder, 'rev-parse', '--show-prefix', 'HEAD')?.split('\n') ?? []
  const changes = git(folder, 'status', '--porcelain')
  if (prefix !== '' || !commit || changes === undefined) return 'unknown'
  return `${commit.slice(0, shownCharacters)}${changes === '' ? '' : '+dirty'}`
}

function readGiven(given: string): string {
  const [, commit, mark = ''] = /^([0-9a-f]{7,40})(\+dirty)?$/.exec(given) ?? []
  if (commit === undefined)
    throw new Error(`${commitVariable} has to be the hash of a commit, not "${given}".`)
  return `${commit.slice(0, shownCharacters)}${mark}`
}

function git(folder: string, ...argv: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', argv, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
