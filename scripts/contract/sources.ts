import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface PinnedFile {
  readonly name: string
  readonly sha256: string
}

export interface Version {
  readonly version: string
  readonly date: string
  readonly changes: readonly string[]
  /** While this is set, the version may change. Without it, its files are frozen. */
  readonly draft?: true
  readonly files?: readonly PinnedFile[]
}

export interface Manifest {
  readonly latest: string
  readonly versions: readonly Version[]
}

/**
 * The version for partners: the newest that is not a draft, or the newest of all if there are only
 * drafts.
 */
export function latestOf(versions: readonly Version[]): string {
  const latest = versions.find(({ draft }) => !draft) ?? versions[0]
  if (!latest) throw new Error('The manifest has no version.')
  return latest.version
}

/** The version that answers conform to, draft or not. */
export function newestOf({ versions, latest }: Manifest): string {
  return versions[0]?.version ?? latest
}

/** The folder with the versions of the contract and the files that are generated from them. */
export const contractDirectory = join(import.meta.dirname, '..', '..', 'src', 'contract')

export function readSource(directory: string, name: string): string {
  return readFileSync(join(directory, name), 'utf8')
}

export function readManifest(directory: string): Manifest {
  return JSON.parse(readSource(directory, 'manifest.json'))
}

export function collectionName({ version }: Version): string {
  return `${version}.postman_collection.json`
}

/**
 * Reads the pinned files of a version by name. Its collection must exist. JSON is for programs, so
 * it is on one line.
 */
export function readPinned(directory: string, version: Version): Readonly<Record<string, string>> {
  const yaml = readSource(directory, `${version.version}.yaml`)
  return {
    [`${version.version}.yaml`]: yaml,
    [`${version.version}.json`]: `${JSON.stringify(parse(yaml))}\n`,
    [collectionName(version)]: readSource(directory, collectionName(version)),
  }
}

export function pin(directory: string, version: Version): PinnedFile[] {
  return Object.entries(readPinned(directory, version)).map(([name, text]) => {
    return { name, sha256: sha256(text) }
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
