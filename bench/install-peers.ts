import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const lockFile = join(import.meta.dirname, 'package-lock.json')
/** npm writes this file at the end of an installation. */
const installedFile = join(import.meta.dirname, 'node_modules', '.package-lock.json')

/**
 * Installs the peers only on machines that measure them, because the project does not depend on
 * them.
 */
export function installPeers(): void {
  const isCurrent =
    existsSync(installedFile) && statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs
  if (!isCurrent) execFileSync('npm', ['ci'], { cwd: import.meta.dirname, stdio: 'inherit' })
}
