import { spawnSync } from 'node:child_process'
import { findPgbouncer, howToGetPgbouncer } from '../../fixtures/postgres/pgbouncer.ts'
import {
  findBrowser,
  findFaketime,
  findProgram,
  howToGetBrowser,
  howToGetFaketime,
} from '../../fixtures/program/installed-tools.ts'

const packages = [
  {
    name: 'chromium-headless-shell',
    purpose: 'the browser for tests of the reference page and the console',
    find: findBrowser,
    howToGet: howToGetBrowser,
  },
  {
    name: 'pgbouncer',
    purpose: 'the pooler for tests of stores in PostgreSQL',
    find: findPgbouncer,
    howToGet: howToGetPgbouncer,
  },
  {
    name: 'faketime',
    purpose: 'the library for tests of instances with different clocks',
    find: findFaketime,
    howToGet: howToGetFaketime,
  },
  ...Object.entries({
    python3: 'python3',
    javac: 'default-jdk-headless',
    go: 'golang-go',
    php: 'php-cli',
    mcs: 'mono-mcs libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil',
  }).map(([program, name]) => ({
    name,
    purpose: 'for the receivers in examples/receivers',
    find: () => findProgram(program),
    howToGet: `there is no ${program}. Install it (apt-get install ${name})`,
  })),
]

/**
 * Installs packages on a new Debian machine or container. Tests that miss a package are skipped and
 * say so.
 */
export function installPackages(): void {
  if (process.getuid?.() !== 0) return
  for (const { name, purpose, find, howToGet } of packages) {
    if (find()) continue
    console.log(`Installing ${name}, ${purpose}.`)
    const install = ['install', '--yes', '--no-install-recommends', ...name.split(' ')]
    // A new machine has no package lists yet, and another process may be updating them.
    if (aptGet(install)) continue
    aptGet(['update'])
    if (!aptGet(install)) console.log(`${name} could not be installed: ${howToGet}.`)
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
