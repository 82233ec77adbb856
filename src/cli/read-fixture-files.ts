import { fixtureFileShape, type WireFixtureFile } from '../operations/shapes/fixture-file.ts'
import { explainRefusal, type Origin } from './files/explain-refusal.ts'
import { findShapeFaults, renderFaults } from './files/faults.ts'
import { fileProblem } from './files/file-problem.ts'
import {
  type LocatedDocument,
  type Path,
  parseLocated,
  readText,
} from './files/located-document.ts'
import { readImageFiles } from './files/read-image-files.ts'

export interface FixtureFiles {
  /** What fixtures.apply takes: all files as one, so that they are applied together or not at all. */
  readonly input: WireFixtureFile
  /** The refusal of the service, by file and line; any other error as it is. */
  explain(error: unknown): unknown
}

/** YAML or JSON. What is wrong in any of the files is refused by file and line, before a service sees it. */
export async function readFixtureFiles(files: readonly string[]): Promise<FixtureFiles> {
  const read = await Promise.all(files.map(readFixtureFile))
  const faults = read.flatMap((one) => one.faults)
  if (faults.length > 0) throw fileProblem(faults)
  const organizations = read.flatMap((one) => partsOf(one.document, 'organizations'))
  const cooperatives = read.flatMap((one) => partsOf(one.document, 'cooperatives'))
  return {
    input: {
      organizations: valuesOf(organizations),
      cooperatives: valuesOf(cooperatives),
    } as WireFixtureFile,
    explain: (error) =>
      explainRefusal(error, (path) => originOf({ organizations, cooperatives }, path)),
  }
}

async function readFixtureFile(file: string) {
  const document = parseLocated(file, await readText(file))
  const { cooperatives } = (document.value ?? {}) as { cooperatives?: unknown }
  const faults = [
    ...(await readImageFiles(file, cooperatives, ['cooperatives'])),
    ...findShapeFaults(document.value, fixtureFileShape),
  ]
  return { document, faults: renderFaults(document, faults) }
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
