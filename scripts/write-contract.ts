// Makes the collection and the digests of draft versions, and what the program reads of all versions.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { buildCollection } from './contract/build-collection.ts'
import { renderGenerated } from './contract/render-generated.ts'
import {
  collectionName,
  directory,
  type Manifest,
  pin,
  readManifest,
  readSource,
  type Version,
} from './contract/sources.ts'

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function renew(version: Version): Promise<Version> {
  if (!version.draft) return version
  const document = parse(readSource(`${version.version}.yaml`))
  write(collectionName(version), renderJson(await buildCollection(document)))
  return { ...version, files: pin(version) }
}

const { latest, versions } = readManifest()
const manifest: Manifest = { latest, versions: await Promise.all(versions.map(renew)) }
write('manifest.json', renderJson(manifest))
for (const [name, text] of Object.entries(await renderGenerated(manifest))) write(name, text)
