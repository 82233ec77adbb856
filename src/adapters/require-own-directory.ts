import { stat } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'

const writableByOthers = 0o022

/**
 * Refuses a directory that somebody else can write to: a file planted there, such as a control.json, would be believed.
 * One that is not there, or cannot be looked at, fails when it is opened. The folders above it are not looked at:
 * somebody who can put another directory in its place owns that one, which is refused.
 */
export async function requireOwnDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined)
  if (!found?.isDirectory()) return
  const user = process.geteuid?.()
  // Root works on directories of service users, and can read and write all of them.
  if (user !== undefined && user !== 0 && found.uid !== user && found.uid !== 0) {
    throw notPrivate(
      directory,
      `belongs to user ${found.uid}, and this is user ${user}. Run this as the user that the service runs as, or give it the directory: chown ${user} ${directory}`,
    )
  }
  if ((found.mode & writableByOthers) !== 0) {
    throw notPrivate(
      directory,
      `can be written to by other users. Mend that with: chmod go-w ${directory}`,
    )
  }
}

function notPrivate(directory: string, fault: string): Problem {
  return new Problem('DATA_DIRECTORY_NOT_PRIVATE', `The data directory ${directory} ${fault}`)
}
