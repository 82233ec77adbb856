import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { importLocked, lockedFolder } from '../packages/locked-packages.ts'

interface PinnedFile {
  readonly name: string
  readonly sha256: string
}

export interface Version {
  readonly version: string
  readonly date: string
  readonly changes: readonly string[]
  /** Whether the version may still change. The files of all other versions are frozen. */
  readonly draft?: true
  readonly files?: readonly PinnedFile[]
}

export interface Manifest {
  readonly latest: string
  readonly versions: readonly Version[]
}

/**
 * Returns the version for partners: the newest that is not a draft, or the newest draft if there is
 * nothing else.
 */
export function latestOf(versions: readonly Version[]): string {
  const latest = versions.find(({ draft }) => !draft) ?? versions[0]
  if (!latest) throw new Error('The manifest has no version.')
  return latest.version
}

/** Returns the version to which answers conform, even if it is a draft. */
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
 * Reads the pinned files of a version, among which the collection must exist. Each key is a file
 * name. JSON is for programs, so it is on one line.
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

const notice = '// Made by `npm run contract` from the files beside it.\n'

/**
 * Renders the files that `npm run contract` generates in src/contract for the program. Each key is
 * a file name.
 */
export async function renderGenerated(
  directory: string,
  manifest: Manifest,
): Promise<Record<string, string>> {
  return {
    'documents.ts': renderDocuments(directory, manifest),
    'types.ts': await renderTypes(directory, manifest),
  }
}

/** Reads the files that the service publishes. Each key is a file name. */
export function readDocuments(
  directory: string,
  { versions }: Manifest,
): Readonly<Record<string, string>> {
  const pinned = versions.map((version) => readPinned(directory, version))
  return Object.assign({}, ...pinned, {
    'manifest.json': readSource(directory, 'manifest.json'),
  })
}

/** Renders the documents as a module, because some forms of the program have no other files. */
function renderDocuments(directory: string, manifest: Manifest): string {
  const entries = Object.entries(readDocuments(directory, manifest))
  const lines = entries.map(([name, text]) => `  '${name}': ${JSON.stringify(text)},\n`)
  return [
    notice,
    `export const latestVersion = '${manifest.latest}'\n`,
    `/** The same as the latest version unless it is a draft. */\nexport const newestVersion = '${newestOf(manifest)}'\n`,
    `export const documents = {\n${lines.join('')}} as const satisfies Record<string, string>\n`,
  ].join('\n')
}

const importGenerator = () =>
  importLocked<typeof import('openapi-typescript')>(lockedFolder('contract'), 'openapi-typescript')

/** Renders the types of the newest version, because the current code implements that version. */
async function renderTypes(directory: string, manifest: Manifest): Promise<string> {
  const document = parse(readSource(directory, `${newestOf(manifest)}.yaml`))
  const { default: openapiTS, astToString } = await importGenerator()
  return `${notice}\n${astToString(await openapiTS(document, { immutable: true }))}`
}

/** Finds files whose digest differs from the manifest, and says what to do. */
export function findChanged(directory: string, { versions }: Manifest): string[] {
  return versions.flatMap((version) =>
    listChanged(directory, version).map((name) =>
      version.draft
        ? `src/contract/${name} is out of date. Run \`npm run contract\`.`
        : `${name} differs from the published file, which is frozen. Undo the change, or make it in a new version: raise info.version in a copy of ${version.version}.yaml (docs/project/releasing.md).`,
    ),
  )
}

export function findBrokenPins(directory: string, { versions, latest }: Manifest): string[] {
  return findChanged(directory, { latest, versions: versions.filter(({ draft }) => !draft) })
}

function listChanged(directory: string, version: Version): string[] {
  const published = new Map(version.files?.map(({ name, sha256 }) => [name, sha256]))
  const pinned = pin(directory, version)
  return pinned.filter(({ name, sha256 }) => published.get(name) !== sha256).map(({ name }) => name)
}
