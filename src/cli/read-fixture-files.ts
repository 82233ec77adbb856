import { toTimestamp } from '../domain/timestamp.ts'
import { fixtureErrors } from '../usecases/fixtures/fixture-errors.ts'
import {
  fixtureFileShape,
  readPartialFixtures,
  type WireFixtureFile,
} from '../wire/fixture-file.ts'
import { renameKeys } from '../wire/problems.ts'
import { readImageFiles } from './files/images.ts'
import {
  type Fault,
  type FilePlaces,
  findShapeFaults,
  type LocatedDocument,
  type Origin,
  type Path,
  parseLocated,
  placesIn,
  renderFaults,
} from './files/located-document.ts'
import { fileProblem, largestInput, readText, tooLarge } from './files/read-file.ts'

export interface FixtureFiles extends FilePlaces {
  /** Contains all files, so that either all are applied or none. */
  readonly input: WireFixtureFile
}

export async function readFixtureFiles(
  files: readonly string[],
  { largest = largestInput } = {},
): Promise<FixtureFiles> {
  const read = await Promise.all(files.map(readFixtureFile))
  const areFit = read.every(
    ({ document, imageFaults }) =>
      imageFaults.length === 0 && findShapeFaults(document.value, fixtureFileShape).length === 0,
  )
  if (!areFit) throw fileProblem(read.flatMap(listAllFaults))
  const organizations = read.flatMap((one) => partsOf(one.document, 'organizations'))
  const cooperatives = read.flatMap((one) => partsOf(one.document, 'cooperatives'))
  const input = {
    organizations: valuesOf(organizations),
    cooperatives: valuesOf(cooperatives),
  } as WireFixtureFile
  // All files are checked before the first part is applied, so all are in memory.
  if (sizeOf(input) > largest) throw tooLarge()
  return { input, ...placesIn((path) => originOf({ organizations, cooperatives }, path)) }
}

function sizeOf({ organizations, cooperatives }: WireFixtureFile): number {
  // This measures one part at a time, because all together can be longer than the longest string of V8.
  const ofOrganizations = (organizations ?? []).flatMap(({ investors, ...own }) => [
    own,
    ...(investors ?? []),
  ])
  const parts = [...ofOrganizations, ...(cooperatives ?? [])]
  return parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
}

interface ReadFile {
  readonly document: LocatedDocument
  readonly imageFaults: readonly Fault[]
}

async function readFixtureFile(file: string): Promise<ReadFile> {
  const document = parseLocated(file, await readText(file))
  const { cooperatives } = (document.value ?? {}) as { cooperatives?: unknown }
  return { document, imageFaults: await readImageFiles(file, cooperatives, ['cooperatives']) }
}

/** The service will not see this file, so the errors that it would find are listed here, too. */
function listAllFaults({ document, imageFaults }: ReadFile): string[] {
  const now = toTimestamp(new Date())
  const faults = findShapeFaults(document.value, fixtureFileShape, {
    findFaults: (parts) => renameKeys(fixtureErrors(readPartialFixtures(parts), now)),
  })
  return renderFaults(document, [...imageFaults, ...faults])
}

type PartName = 'organizations' | 'cooperatives'

interface Part extends Origin {
  readonly value: unknown
}

function partsOf(document: LocatedDocument, name: PartName): Part[] {
  const { [name]: items } = document.value as Record<PartName, unknown[] | null | undefined>
  return (items ?? []).map((value, index) => ({ document, value, path: [name, index] }))
}

function valuesOf(parts: readonly Part[]): unknown[] {
  return parts.map(({ value }) => value)
}

function originOf(
  parts: Readonly<Record<PartName, readonly Part[]>>,
  path: Path,
): Origin | undefined {
  const [name, index, ...rest] = path
  const part = parts[name as PartName]?.[Number(index)]
  return part && { document: part.document, path: [...part.path, ...rest] }
}
