// What is published stays as it is, what is made from it is fresh, and the latest document passes the linter.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { renderGenerated } from './contract/render-generated.ts'
import { directory, type Manifest, pin, readManifest, readSource } from './contract/sources.ts'

function findChanged({ versions }: Manifest): string[] {
  return versions.flatMap((version) => {
    const published = new Map(version.files?.map(({ name, sha256 }) => [name, sha256]))
    const changed = pin(version).filter(({ name, sha256 }) => published.get(name) !== sha256)
    return changed.map(({ name }) =>
      version.draft
        ? `src/contract/${name} is stale: npm run contract.`
        : `${name} is not what was published: a change is a new version.`,
    )
  })
}

async function findStale(manifest: Manifest): Promise<string[]> {
  const generated = Object.entries(await renderGenerated(manifest))
  const stale = generated.filter(([name, text]) => text !== readSource(name))
  return stale.map(([name]) => `src/contract/${name} is stale: npm run contract.`)
}

function lint({ latest }: Manifest): string[] {
  const file = join(directory, `${latest}.yaml`)
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['redocly', 'lint', file, '--extends', 'recommended', '--format', 'stylish'],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  const isClean = status === 0 && !/\b(?:warning|error)s?\b/.test(stdout)
  return isClean ? [] : [`redocly lint:\n${stdout}${stderr}`]
}

const manifest = readManifest()
const faults = [...findChanged(manifest), ...(await findStale(manifest)), ...lint(manifest)]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
