// docs/ has the help of every command, as it is; what was stale is written anew and told.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderHelp } from './render-help.ts'

const directory = 'docs'

const pages = await renderHelp()
mkdirSync(directory, { recursive: true })
const gone = readdirSync(directory).filter((name) => !pages.has(name))
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
