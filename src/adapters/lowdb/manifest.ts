import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sealed } from '../../domain/sealed.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import { writeFileDurably } from '../disk.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import { formatVersion } from './line-forms.ts'
import { damaged, manifestName } from './store-files.ts'

const manifestFormat = 'coopshare-store'
/** Of a store that has moved: a program that does not know the mark must not open it. */
const movedVersion = 2

/** Says that a directory is a store. It is written last when one is made, so that half of one is none. */
export interface Manifest {
  readonly createdAt: Timestamp
  /** A known text, sealed with the store's key: another key cannot open it. */
  readonly keyCheck: Sealed
  /** Absent unless the store was copied elsewhere and lives there. */
  readonly moved?: StoreMove
}

export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch(ignoreMissing)
  return text === undefined ? undefined : parseManifest(text)
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const version = manifest.moved ? movedVersion : formatVersion
  const content = { format: manifestFormat, version, ...manifest }
  await writeFileDurably(join(directory, manifestName), `${JSON.stringify(content)}\n`)
}

export function parseManifest(text: string): Manifest {
  const { format, version, ...manifest } = parseJson(text)
  if (format === manifestFormat && isNewer(version, movedVersion)) throw madeByNewer(manifestName)
  if (format !== manifestFormat || ![formatVersion, movedVersion].includes(version)) {
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
