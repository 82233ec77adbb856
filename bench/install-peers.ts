import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const lockFile = join(import.meta.dirname, 'package-lock.json')
/** npm writes this file last. */
const installedFile = join(import.meta.dirname, 'node_modules', '.package-lock.json')

/**
 * The peers are no dependencies of the project, so they are installed only where they are measured.
 */
export function installPeers(): void {
  const isCurrent =
    existsSync(installedFile) && statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs
  if (!isCurrent) execFileSync('npm', ['ci'], { cwd: import.meta.dirname, stdio: 'inherit' })
}
