import type { Struct } from 'superstruct'
import { type Document, isAlias, isDocument, isMap, isScalar, isSeq, LineCounter } from 'yaml'
import { type DeepPartial, type FieldErrors, Problem } from '../../domain/problem.ts'
import { checkShape, describeFailure, OversizeProblem, validParts } from '../../wire/check-shape.ts'
import { endOfString, findRepeatedKey, readString } from '../../wire/find-repeated-key.ts'
import { fileProblem } from './read-file.ts'
import { findValueFault, parseYaml, repeatedKey, type YamlFault } from './yaml.ts'

export type Path = readonly PropertyKey[]

export interface LocatedDocument {
  readonly file: string
  readonly value: unknown
  /** The line of the path. If the path does not exist, the line of its last existing part. */
  lineOf(path: Path): number
  /** For files in which a place is more than a line, such as a sheet: the file and the place. */
  placeOf?(path: Path): string
}

/** The file and the line, such as `demo.yaml:40`. */
function placeIn(document: LocatedDocument, path: Path): string {
  return document.placeOf?.(path) ?? `${document.file}:${document.lineOf(path)}`
}

export function parseLocated(file: string, text: string): LocatedDocument {
  return parseJson(file, text) ?? parseAsYaml(file, text)
}

/**
 * JSON is also YAML, but this takes a fraction of the time. Returns undefined if something is wrong with the text.
 */
export function parseJson(file: string, text: string): LocatedDocument | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (findRepeatedKey(text) !== undefined) return undefined
    let lines: ReadonlyMap<string, number> | undefined
    const lineOf = (path: Path): number => {
      lines ??= linesIn(text)
      return lines.get(path.join('.')) ?? (path.length === 0 ? 1 : lineOf(path.slice(0, -1)))
    }
    return { file, value, lineOf }
  } catch {
    return undefined
  }
}

/** The maximum number of parts in a path to a fault. Longer paths could fill the memory. */
const deepestFault = 10

interface Level {
  readonly path: string
  /** The current index or key. */
  at: number | string
}

/** The line of each item and of each key in well-formed JSON, by its path. */
function linesIn(json: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const levels: Level[] = []
  let line = 1
  let begins = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? ''
    if (character === '\n') line++
    if (/[\s:]/.test(character)) continue
    const level = levels.at(-1)
    if (/[\]},]/.test(character)) {
      if (character !== ',') levels.pop()
      else if (typeof level?.at === 'number') level.at++
      begins = character === ','
      continue
    }
    const end = character === '"' ? endOfString(json, at) : at
    const isNamed = level !== undefined && levels.length <= deepestFault
    if (isNamed && begins) {
      if (typeof level.at === 'string') level.at = readString(json, at, end)
      lines.set(level.path + level.at, line)
    }
    begins = /[[{]/.test(character)
    if (begins) {
      const path = isNamed ? `${level.path}${level.at}.` : ''
      levels.push({ path, at: character === '[' ? 0 : '' })
    }
    at = end
  }
  return lines
}

function parseAsYaml(file: string, text: string): LocatedDocument {
  const lineCounter = new LineCounter()
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  const placeOf = (offset?: number) => (offset === undefined ? file : `${file}:${lineAt(offset)}`)
  const refusalOf = (faults: readonly YamlFault[]) =>
    fileProblem([...new Set(faults.map(({ offset, fault }) => `${placeOf(offset)}: ${fault}`))])
  const document = parseYaml(text, lineCounter)
  if (!isDocument(document)) throw refusalOf(document)
  try {
    const value: unknown = document.toJS()
    return { file, value, lineOf: (path) => lineAt(offsetOf(document, path)) }
  } catch (error) {
    throw refusalOf([findValueFault(document, error)])
  }
}

function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents
  let offset = 0
  for (const segment of path) {
    const next = stepInto(isAlias(node) ? node.resolve(document) : node, segment)
    if (!next) break
    offset = next.offset ?? offset
    node = next.node
  }
  return offset
}

function stepInto(node: unknown, segment: PropertyKey) {
  if (isSeq(node)) {
    const item = node.items[Number(segment)]
    return item === undefined ? undefined : { node: item, offset: startOf(item) }
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment))
  return pair && { node: pair.value, offset: startOf(pair.key) }
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0]
}

/** NDJSON becomes an array. Empty lines are skipped but counted. */
export function parseJsonLines(file: string, text: string): LocatedDocument {
  const lines = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
  const value = lines.map(({ number, text: one }) => {
    const place = `${file}:${number}`
    const parsed = parse(place, one)
    if (findRepeatedKey(one) === undefined) return parsed
    throw fileProblem([`${place}: ${repeatedKey}`])
  })
  return { file, value, lineOf: ([index]) => lines[Number(index)]?.number ?? 1 }
}

function parse(place: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of V8 quotes the text, which may be personal data.
    throw fileProblem([`${place}: is not well-formed JSON`])
  }
}

export interface Fault {
  readonly path: Path
  /** Completes a sentence that starts with the path. */
  readonly fault: string
}

// Nobody reads a path of 64 levels.
const enoughOfPath = 3
const unlimited = Number.POSITIVE_INFINITY

interface FaultSearch<Value> {
  /** Checks the parts that fit the shape. */
  readonly findFaults?: (parts: DeepPartial<Value>) => FieldErrors
  /** The number of faults at which the search stops. */
  readonly most?: number
}

export function findShapeFaults<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
  { findFaults, most = unlimited }: FaultSearch<Value> = {},
): Fault[] {
  try {
    const [failures = []] = checkShape(value, shape, most)
    const further = findFaults?.(validParts<Value>(value, failures, most)) ?? {}
    return [
      ...failures.map((failure) => ({
        path: failure.path,
        fault: failure.type === 'never' ? 'unknown key' : describeFailure(failure),
      })),
      ...Object.entries(further).map(([path, fault]) => ({ path: parsePath(path), fault })),
    ]
  } catch (error) {
    // superstruct copies a refused text into its message, which can exceed the longest string of V8.
    if (error instanceof RangeError)
      return [{ path: [], fault: 'contains a text that is too long' }]
    if (!(error instanceof OversizeProblem)) throw error
    return [{ path: error.path.slice(0, enoughOfPath), fault: error.fault }]
  }
}

export function renderFaults(document: LocatedDocument, faults: readonly Fault[]): string[] {
  const located = faults.map((fault) => ({ fault, line: document.lineOf(fault.path) }))
  const inOrder = located.toSorted((left, right) => left.line - right.line)
  return inOrder.map(({ fault }) => renderFault(document, fault))
}

/** For example `demo.yaml:40: organizations[0].clients[1].scops: unknown key`. */
function renderFault(document: LocatedDocument, { path, fault }: Fault): string {
  const place = placeIn(document, path)
  return path.length === 0 || document.placeOf
    ? `${place}: ${fault}`
    : `${place}: ${renderPath(path)}: ${fault}`
}

function renderPath(path: Path): string {
  return path
    .map((segment) =>
      /^\d+$/.test(String(segment)) ? `[${String(segment)}]` : `.${renderKey(String(segment))}`,
    )
    .join('')
    .replace(/^\./, '')
}

/** A key that is not a name can contain data: `{iban:DE89}` without a space is one key. */
function renderKey(key: string): string {
  const [name = ''] = /^[a-z_<-](?:[a-z_<-]|\d(?!\d\d)){0,39}(?=:|$)/i.exec(key) ?? []
  return name === key ? key : `${name}…`
}

/** @param path as the service writes it: `organizations.0.name` */
function parsePath(path: string): Path {
  return path.split('.').map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))
}

export interface Origin {
  readonly document: LocatedDocument
  readonly path: Path
}

/** What the service says about an input that was read from files, in terms of the files. */
export interface FilePlaces {
  /** Adds files and lines to a refusal; returns any other error unchanged. */
  explain(error: unknown): unknown
  /** For example `partners.yaml:12`, or `catalogue.xlsx: row 4`. */
  placeOf(path: string): string
}

export function placesIn(originOf: (path: Path) => Origin | undefined): FilePlaces {
  return {
    explain: (error) => explainRefusal(error, originOf),
    placeOf: (path) => {
      const origin = originOf(parsePath(path))
      return origin ? placeIn(origin.document, origin.path) : path
    },
  }
}

function explainRefusal(error: unknown, originOf: (path: Path) => Origin | undefined): unknown {
  if (!(error instanceof Problem) || !error.extra.errors) return error
  const faults = Object.entries(error.extra.errors)
  const lines = faults.map(([path, fault]) => {
    const origin = originOf(parsePath(path))
    return origin ? renderFault(origin.document, { path: origin.path, fault }) : `${path} ${fault}`
  })
  // Such a message would only repeat the lines.
  const isSaid =
    error.code === 'VALIDATION_ERROR' || faults.some(([, fault]) => fault === error.message)
  return fileProblem(isSaid ? lines : [error.message, ...lines], error.code)
}
