import { spawnSync } from 'node:child_process'
import { findPgbouncer, howToGetPgbouncer } from '../../fixtures/postgres/pgbouncer.ts'
import {
  findBrowser,
  findFaketime,
  howToGetBrowser,
  howToGetFaketime,
} from '../../fixtures/program/installed-tools.ts'

const packages = [
  {
    name: 'chromium',
    purpose: 'in which the reference page is tested',
    find: findBrowser,
    howToGet: howToGetBrowser,
  },
  {
    name: 'pgbouncer',
    purpose: 'through which stores on PostgreSQL are tested',
    find: findPgbouncer,
    howToGet: howToGetPgbouncer,
  },
  {
    name: 'faketime',
    purpose: 'by which instances with clocks apart are tested',
    find: findFaketime,
    howToGet: howToGetFaketime,
  },
]

/**
 * Installs packages on a new Debian machine or container. If they are missing, some tests are
 * skipped and say so.
 */
export function installPackages(): void {
  if (process.getuid?.() !== 0) return
  for (const { name, purpose, find, howToGet } of packages) {
    if (find()) continue
    console.log(`Installing ${name}, ${purpose}.`)
    const install = ['install', '--yes', '--no-install-recommends', name]
    // A new machine has no package lists yet. Another process may be updating them now.
    if (aptGet(install)) continue
    aptGet(['update'])
    if (!aptGet(install)) console.log(`It could not be installed: ${howToGet}.`)
  }
}

function aptGet(argv: readonly string[]): boolean {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...argv], {
    stdio: 'ignore',
    timeout: 5 * 60_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
