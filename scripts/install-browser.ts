import { spawnSync } from 'node:child_process'
import { findBrowser, howToGetBrowser } from './find-browser.ts'

const packages = ['install', '--yes', '--no-install-recommends', 'chromium']

/** On a bare Debian or a container of it, where nobody else would. Without it one test is skipped, and says so. */
export function installBrowser(): void {
  if (findBrowser() || process.getuid?.() !== 0) return
  console.log('Installing chromium, in which the reference page is tested.')
  // A fresh machine has no lists yet; another process may be renewing them right now.
  if (aptGet(packages)) return
  aptGet(['update'])
  if (!aptGet(packages)) console.log(`It could not be installed: ${howToGetBrowser}.`)
}

function aptGet(argv: readonly string[]): boolean {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...argv], {
    stdio: 'ignore',
    timeout: 5 * 60_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
