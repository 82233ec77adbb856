// With a manifest that is out of date, a new command would be missing silently. So this script
// generates the manifest again and compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Plugin } from '@oclif/core'

const file = 'oclif.manifest.json'

/** oclif lists commands in the order in which they load, which varies. */
async function renderManifest(): Promise<string> {
  const options = { ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true }
  const plugin = new Plugin({ root: process.cwd(), isRoot: true, ...options })
  await plugin.load()
  const { commands, ...rest } = plugin.manifest
  const byName = Object.entries(commands).sort(([left], [right]) => (left < right ? -1 : 1))
  return `${JSON.stringify({ commands: Object.fromEntries(byName), ...rest }, null, 2)}\n`
}

const before = existsSync(file) && readFileSync(file, 'utf8')
const fresh = await renderManifest()
writeFileSync(file, fresh)
if (before !== fresh) {
  console.error(`${file} was stale. It is fresh now: commit it.`)
  process.exitCode = 1
}
