import { array } from 'superstruct'
import type { Problem } from '../domain/problem.ts'
import {
  cooperativeDefinitionShape,
  type WireCooperativeDefinition,
} from '../wire/cooperative-definition.ts'
import { readImageFiles } from './files/images.ts'
import {
  type Fault,
  type FilePlaces,
  findShapeFaults,
  type LocatedDocument,
  type Path,
  parseJson,
  parseJsonLines,
  parseLocated,
  placesIn,
  renderFaults,
} from './files/located-document.ts'
import { decodeText, fileProblem, readWhole } from './files/read-file.ts'

export interface CooperativeFiles extends FilePlaces {
  readonly input: {
    readonly cooperatives: WireCooperativeDefinition[]
    readonly keep_absent?: true
  }
}

const definitionsShape = array(cooperativeDefinitionShape)

interface ReadFile {
  readonly document: LocatedDocument
  readonly isTable: boolean
  readonly faults: readonly Fault[]
}

/** Reads the files into one import, so that either all are imported or none. */
export async function readCooperativeFiles(files: readonly string[]): Promise<CooperativeFiles> {
  const read: ReadFile[] = []
  for (const file of files) read.push(await readCooperativeFile(file, await readWhole(file), local))
  return joinFiles(read)
}

/**
 * A file that came over HTTP, while others wait for the service. The images that it names are on another machine, so they
 * are refused.
 */
export async function readSentCooperatives(file: string, bytes: Buffer): Promise<CooperativeFiles> {
  if (bytes.length > sent.mostMiB * 1024 * 1024) {
    throw tooLargeToSend(`${file}:`, `${sent.mostMiB} MiB`)
  }
  return joinFiles([await readCooperativeFile(file, bytes, sent)])
}

const sent = { hasImages: false, mostMiB: 1, mostUnpackedMiB: 8, mostYamlKiB: 128 }
const local = { hasImages: true, mostUnpackedMiB: 32, mostYamlKiB: Number.POSITIVE_INFINITY }

function tooLargeToSend(what: string, most: string): Problem {
  const fault = `${what} is larger than ${most}: use \`coopshare cooperative import\``
  return fileProblem([fault], 'PAYLOAD_TOO_LARGE')
}

/** The maximum number of cooperatives; no catalogue has nearly as many. */
const mostCooperatives = 5000
/** Nobody corrects more faults in one go. */
const mostFaults = 100

function joinFiles(read: readonly ReadFile[]): CooperativeFiles {
  const lines = read.flatMap(({ document, faults }) => renderFaults(document, faults))
  const isStopped = read.some(({ faults }) => faults.length >= mostFaults)
  if (lines.length > 0) throw fileProblem(lines, 'VALIDATION_ERROR', { isStopped })
  const origins = read.flatMap(({ document }) =>
    (document.value as unknown[]).map((_, index) => ({ document, index })),
  )
  const originOf = ([, index, ...path]: Path) => {
    const origin = origins[Number(index)]
    return origin && { document: origin.document, path: [origin.index, ...path] }
  }
  return { input: inputOf(read), ...placesIn(originOf) }
}

/**
 * An import from a table keeps the stored values of fields without a column. A definition in another file is
 * complete, so missing fields are null.
 */
function inputOf(read: readonly ReadFile[]): CooperativeFiles['input'] {
  const definitions = ({ document }: ReadFile) => document.value as WireCooperativeDefinition[]
  if (!read.some(({ isTable }) => isTable)) return { cooperatives: read.flatMap(definitions) }
  const whole = (one: ReadFile) =>
    one.isTable ? definitions(one) : definitions(one).map(withoutGaps)
  return { cooperatives: read.flatMap(whole), keep_absent: true }
}

const unset = Object.fromEntries(
  Object.keys(cooperativeDefinitionShape.schema).map((name) => [name, null]),
)

function withoutGaps(definition: WireCooperativeDefinition): WireCooperativeDefinition {
  const projects = definition.projects?.map((project) => ({ image: null, ...project })) ?? null
  return { ...unset, ...definition, projects }
}

async function readCooperativeFile(
  file: string,
  bytes: Buffer,
  { hasImages, mostUnpackedMiB, mostYamlKiB }: Omit<typeof sent, 'mostMiB'>,
): Promise<ReadFile> {
  const { readSheet, sheetFormatOf } = await import('./files/spreadsheet.ts')
  const format = sheetFormatOf(file, bytes)
  if (format) {
    const { readCooperativeTable } = await import('./files/cooperative-table.ts')
    const sheet = await readSheet(file, bytes, { format, mostMiB: mostUnpackedMiB })
    const table = readCooperativeTable(sheet, mostFaults)
    const known = new Set(table.faults.map(({ path }) => path.join('.')))
    const ofShape = findShapeFaults(table.value, definitionsShape, { most: mostFaults })
    const faults = [...table.faults, ...ofShape.filter(({ path }) => !known.has(path.join('.')))]
    return { document: table, isTable: true, faults }
  }
  const document = parse(file, decodeText(file, bytes), mostYamlKiB)
  if (Array.isArray(document.value) && document.value.length > mostCooperatives) {
    throw fileProblem([`${file}: has more than 5,000 cooperatives: split it`], 'PAYLOAD_TOO_LARGE')
  }
  const faults = [
    ...(hasImages ? await readImageFiles(file, document.value, []) : []),
    ...findShapeFaults(document.value, definitionsShape, { most: mostFaults }),
  ]
  return { document, isTable: false, faults: hasImages ? faults : faults.map(explainImage) }
}

function explainImage({ path, fault }: Fault): Fault {
  if (!/image$/.test(String(path.at(-1)))) return { path, fault }
  return {
    path,
    fault:
      'names a file that was not uploaded: leave it out and upload the image on the page of the cooperative, or use `coopshare cooperative import`',
  }
}

function parse(file: string, text: string, mostYamlKiB: number): LocatedDocument {
  if (isJsonLines(file, text)) return parseJsonLines(file, text)
  const json = parseJson(file, text)
  if (json) return json
  if (text.length <= mostYamlKiB * 1024) return parseLocated(file, text)
  throw tooLargeToSend(`${file}: is not well-formed JSON, and as YAML`, `${mostYamlKiB} KiB`)
}

function isJsonLines(file: string, text: string): boolean {
  if (/\.(ndjson|jsonl)$/i.test(file)) return true
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length > 0 && lines.every((line) => line.startsWith('{') && line.endsWith('}'))
}
