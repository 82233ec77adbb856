import { timestampOf } from '../domain/timestamp.ts'
import { fixtureFileShape, type WireFixtureFile } from '../operations/shapes/fixture-file.ts'
import { readFixtureParts } from '../operations/shapes/read-fixture-parts.ts'
import { fixtureFaults } from '../usecases/fixtures/fixture-faults.ts'
import { explainRefusal, type Origin } from './files/explain-refusal.ts'
import { type Fault, findShapeFaults, parsePath, renderFaults } from './files/faults.ts'
import { fileProblem } from './files/file-problem.ts'
import {
  type LocatedDocument,
  largestInput,
  type Path,
  parseLocated,
  readText,
  tooLarge,
} from './files/located-document.ts'
import { readImageFiles } from './files/read-image-files.ts'

export interface FixtureFiles {
  /** What fixtures.apply takes: all files as one, so that they are applied together or not at all. */
  readonly input: WireFixtureFile
  /** The refusal of the service, by file and line; any other error as it is. */
  explain(error: unknown): unknown
  /** Where a file says what stands at this path of the input: `partners.yaml:12`. */
  placeOf(path: string): string
}

/** YAML or JSON. What is wrong in any of the files is refused by file and line, before a service sees it. */
export async function readFixtureFiles(
  files: readonly string[],
  { largest = largestInput } = {},
): Promise<FixtureFiles> {
  const read = await Promise.all(files.map(readFixtureFile))
  if (!read.every(hasRightShape)) throw fileProblem(read.flatMap(listAllFaults))
  const organizations = read.flatMap((one) => partsOf(one.document, 'organizations'))
  const cooperatives = read.flatMap((one) => partsOf(one.document, 'cooperatives'))
  const find = (path: Path) => originOf({ organizations, cooperatives }, path)
  const input = {
    organizations: valuesOf(organizations),
    cooperatives: valuesOf(cooperatives),
  } as WireFixtureFile
  // With the images, as it is sent: a service would refuse it only when all of it has come.
  if (sizeOf(input) > largest) throw tooLarge()
  return {
    input,
    explain: (error) => explainRefusal(error, find),
    placeOf: (path) => {
      const origin = find(parsePath(path))
      return origin ? `${origin.document.file}:${origin.document.lineOf(origin.path)}` : path
    },
  }
}

function sizeOf({ organizations, cooperatives }: WireFixtureFile): number {
  // One by one, because no text may be as long as all of them can be.
  const parts = [...(organizations ?? []), ...(cooperatives ?? [])]
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

function hasRightShape({ document, imageFaults }: ReadFile): boolean {
  return imageFaults.length === 0 && findShapeFaults(document.value, fixtureFileShape).length === 0
}

/** Of a file that no service will see, also what the service would find wrong. */
function listAllFaults({ document, imageFaults }: ReadFile): string[] {
  const now = timestampOf(new Date())
  const faults = findShapeFaults(document.value, fixtureFileShape, (parts) =>
    fixtureFaults(readFixtureParts(parts), now),
  )
  return renderFaults(document, [...imageFaults, ...faults])
}

type PartName = 'organizations' | 'cooperatives'

/** An item of a list, and where it comes from. */
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
