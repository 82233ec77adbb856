// Publishes versions of the contract that are not published yet, and makes what the program reads of all of them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { buildCollection } from './contract/build-collection.ts'
import { renderGenerated } from './contract/render-generated.ts'
import {
  collectionName,
  directory,
  type Manifest,
  readManifest,
  readPinned,
  readSource,
  sha256,
  type Version,
} from './contract/sources.ts'

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function publish(version: Version): Promise<Version> {
  if (version.files) return version
  const document = parse(readSource(`${version.version}.yaml`))
  write(collectionName(version), renderJson(await buildCollection(document)))
  const files = Object.entries(readPinned(version)).map(([name, text]) => {
    return { name, sha256: sha256(text) }
  })
  console.log(`Published ${version.version}: from now on its files are frozen.`)
  return { ...version, files }
}

const { latest, versions } = readManifest()
const manifest: Manifest = { latest, versions: await Promise.all(versions.map(publish)) }
write('manifest.json', renderJson(manifest))
for (const [name, text] of Object.entries(await renderGenerated(manifest))) write(name, text)
