// What is published stays as it is, what is made from it is fresh, and the newest document and that of the sandbox pass the linter.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxDocument } from '../src/contract/sandbox.ts'
import { findChanged } from './contract/find-changed.ts'
import { renderGenerated } from './contract/render-generated.ts'
import {
  contractDirectory as directory,
  latestOf,
  type Manifest,
  newestOf,
  readManifest,
  readSource,
} from './contract/sources.ts'

async function findStale(manifest: Manifest): Promise<string[]> {
  const generated = Object.entries(await renderGenerated(directory, manifest))
  const stale = generated.filter(([name, text]) => text !== readSource(directory, name))
  return stale.map(([name]) => `src/contract/${name} is stale: npm run contract.`)
}

function findOldLatest({ latest, versions }: Manifest): string[] {
  return latest === latestOf(versions)
    ? []
    : ['src/contract/manifest.json names another latest: npm run contract.']
}

/** The document of the sandbox is made of code, and is a file only here. */
function lintSandbox(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-sandbox-'))
  const file = join(folder, 'sandbox.json')
  writeFileSync(file, JSON.stringify(sandboxDocument()))
  try {
    return lint(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function lint(file: string): string[] {
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

const manifest = readManifest(directory)
const faults = [
  ...findChanged(directory, manifest),
  ...findOldLatest(manifest),
  ...(await findStale(manifest)),
  ...lint(join(directory, `${newestOf(manifest)}.yaml`)),
  ...lintSandbox(),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
