import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sealed } from '../../domain/sealed.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { writeFileDurably } from '../disk.ts'
import { formatVersion } from './line-forms.ts'
import { damaged, manifestName } from './store-files.ts'

const manifestFormat = 'coopshare-store'

/** Says that a directory is a store. It is written last when one is made, so that half of one is none. */
export interface Manifest {
  readonly createdAt: Timestamp
  /** A known text, sealed with the store's key: another key cannot open it. */
  readonly keyCheck: Sealed
}

export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch(ignoreMissing)
  return text === undefined ? undefined : parseManifest(text)
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const content = { format: manifestFormat, version: formatVersion, ...manifest }
  await writeFileDurably(join(directory, manifestName), `${JSON.stringify(content)}\n`)
}

function parseManifest(text: string): Manifest {
  const { format, version, ...manifest } = parseJson(text)
  if (format !== manifestFormat || version !== formatVersion) {
    throw damaged(`${manifestName} is not in a form that this program knows.`)
  }
  return manifest
}

function parseJson(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(`${manifestName} is not what was written.`, cause)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
