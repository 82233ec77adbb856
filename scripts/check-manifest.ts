// A stale manifest hides a new command without a word, so it is made anew and compared.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const file = 'oclif.manifest.json'

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const before = read()
execFileSync('npx', ['oclif', 'manifest'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (before !== read()) {
  console.error(`${file} was stale. It is fresh now: commit it.`)
  process.exitCode = 1
}
