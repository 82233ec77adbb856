import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, parseDocument, Scalar, visit } from 'yaml'
import { sandboxDocument } from '../../src/http/sandbox/document.ts'
import { installLockedPackages, lockedFolder } from '../packages/locked-packages.ts'
import { buildCollection } from './collection.ts'
import { withSamples } from './samples.ts'
import {
  collectionName,
  contractDirectory,
  findBrokenPins,
  findChanged,
  latestOf,
  type Manifest,
  newestOf,
  pin,
  readManifest,
  readSource,
  renderGenerated,
  type Version,
} from './sources.ts'

/**
 * Generates code samples, the collection and digests of draft versions, and the modules for all
 * versions. Throws if a frozen version was changed.
 */
export async function renewContract(directory = contractDirectory): Promise<void> {
  const { latest, versions } = readManifest(directory)
  const broken = findBrokenPins(directory, { latest, versions })
  if (broken.length > 0) throw new Error(broken.join('\n'))
  const renewed = await Promise.all(versions.map((version) => renew(directory, version)))
  const manifest: Manifest = { latest: latestOf(renewed), versions: renewed }
  write(directory, 'manifest.json', renderJson(manifest))
  const generated = Object.entries(await renderGenerated(directory, manifest))
  for (const [name, text] of generated) write(directory, name, text)
}

async function renew(directory: string, version: Version): Promise<Version> {
  if (!version.draft) return version
  const name = `${version.version}.yaml`
  write(directory, name, withSamples(readSource(directory, name)))
  const document = parse(readSource(directory, name))
  write(directory, collectionName(version), renderJson(await buildCollection(document)))
  return { ...version, files: pin(directory, version) }
}

function write(directory: string, name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function findStale(directory: string, manifest: Manifest): Promise<string[]> {
  const generated = Object.entries(await renderGenerated(directory, manifest))
  const stale = generated.filter(([name, text]) => text !== readSource(directory, name))
  return stale.map(([name]) => `src/contract/${name} is out of date. Run \`npm run contract\`.`)
}

function findOldLatest({ latest, versions }: Manifest): string[] {
  return latest === latestOf(versions)
    ? []
    : ['src/contract/manifest.json names another latest version. Run `npm run contract`.']
}

/**
 * Lints a document and that of the sandbox, which is generated from code and is a file only here.
 */
function lintWithSandbox(document: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-sandbox-'))
  const file = join(folder, 'sandbox.json')
  writeFileSync(file, JSON.stringify(sandboxDocument()))
  try {
    return lint(document, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function lint(...files: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(
    join(installLockedPackages(lockedFolder('contract')), '.bin', 'redocly'),
    ['lint', ...files, '--extends', 'recommended', '--format', 'stylish'],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  const isClean = status === 0 && !/\b(?:warning|error)s?\b/.test(stdout)
  return isClean ? [] : [`redocly lint:\n${stdout}${stderr}`]
}

/**
 * Finds changed published files, generated files that are out of date, and faults in the newest
 * document and in that of the sandbox.
 */
export async function findContractFaults(directory = contractDirectory): Promise<string[]> {
  const manifest = readManifest(directory)
  return [
    ...findChanged(directory, manifest),
    ...findOldLatest(manifest),
    ...(await findStale(directory, manifest)),
    ...lintWithSandbox(join(directory, `${newestOf(manifest)}.yaml`)),
  ]
}

/** Writes answers of the demo service into the newest contract, if that is a draft. */
export async function writeExamples(directory = contractDirectory): Promise<void> {
  const manifest = readManifest(directory)
  const newest = newestOf(manifest)
  if (!manifest.versions[0]?.draft)
    throw new Error(`${newest} is published, so its examples do not change.`)
  const document = parseDocument(readSource(directory, `${newest}.yaml`))
  // This import is here, because it loads the whole service.
  const { collectExamples } = await import('../../fixtures/contract/collect-examples.ts')
  for (const { place, value } of await collectExamples())
    document.setIn(place, document.createNode({ value }))
  visit(document, {
    Scalar(_key, node) {
      // Without quotes, readers of YAML 1.1 would take such a text for a date.
      if (/^\d{4}-\d{2}-\d{2}/.test(String(node.value))) node.type = Scalar.QUOTE_SINGLE
    },
  })
  write(directory, `${newest}.yaml`, document.toString({ lineWidth: 0 }))
}
