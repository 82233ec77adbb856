// Rewrites generated pages in docs/reference/ that are out of date, and then fails.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderErrors } from './render-errors.ts'
import { renderHelp } from './render-help.ts'
import { renderJsonOutput } from './render-json-output.ts'
import { renderScenarios } from './render-scenarios.ts'

const directory = 'docs/reference'
const commands = 'commands'

const help = [...(await renderHelp())].map(([name, text]) => [join(commands, name), text] as const)
const pages = new Map([
  ...help,
  ['errors.md', renderErrors()],
  ['json-output.md', renderJsonOutput()],
  ['scenarios.md', renderScenarios()],
])
mkdirSync(join(directory, commands), { recursive: true })
const gone = readdirSync(join(directory, commands))
  .map((name) => join(commands, name))
  .filter((name) => !pages.has(name))
const stale = [...pages].filter(([name, text]) => {
  const file = join(directory, name)
  return !existsSync(file) || readFileSync(file, 'utf8') !== text
})
for (const name of gone) rmSync(join(directory, name))
for (const [name, text] of stale) writeFileSync(join(directory, name), text)
const changed = [...gone, ...stale.map(([name]) => name)]
if (changed.length > 0) {
  console.error(
    `In ${directory}/ these were stale: ${changed.join(', ')}. They are fresh now: commit them.`,
  )
  process.exitCode = 1
}
