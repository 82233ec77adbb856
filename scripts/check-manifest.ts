// A stale manifest hides a new command without a word, so it is made anew and compared.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const file = 'oclif.manifest.json'

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** oclif lists commands as they come in, which is another order each time. */
function sorted(manifest: string): string {
  const { commands, ...rest } = JSON.parse(manifest)
  const byName = Object.entries(commands).sort(([left], [right]) => (left < right ? -1 : 1))
  return `${JSON.stringify({ commands: Object.fromEntries(byName), ...rest }, null, 2)}\n`
}

const before = read()
execFileSync('npx', ['oclif', 'manifest'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: '1' },
})
const fresh = sorted(read() ?? '')
writeFileSync(file, fresh)
if (before !== fresh) {
  console.error(`${file} was stale. It is fresh now: commit it.`)
  process.exitCode = 1
}
