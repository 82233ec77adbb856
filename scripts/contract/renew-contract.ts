import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { buildCollection } from './build-collection.ts'
import { findBrokenPins } from './find-changed.ts'
import { renderGenerated } from './render-generated.ts'
import { withSamples } from './samples/put-samples.ts'
import {
  collectionName,
  latestOf,
  type Manifest,
  pin,
  readManifest,
  readSource,
  type Version,
} from './sources.ts'

/**
 * Generates code samples, the collection and digests of draft versions, and the modules for all
 * versions. Throws if a frozen version was changed.
 */
export async function renewContract(directory: string): Promise<void> {
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
