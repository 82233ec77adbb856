import { type Document, isAlias, isDocument, isMap, isScalar, isSeq, LineCounter } from 'yaml'
import type { Problem } from '../../domain/problem.ts'
import { findRepeatedKey } from '../../wire/find-repeated-key.ts'
import { fileProblem } from './read-file.ts'
import { findValueFault, parseYaml, repeatedKey, type YamlFault } from './yaml.ts'

export type Path = readonly PropertyKey[]

export interface LocatedDocument {
  readonly file: string
  readonly value: unknown
  /** If the path does not exist, the line of its last existing part. */
  lineOf(path: Path): number
}

/** JSON is also YAML. */
export function parseLocated(file: string, text: string): LocatedDocument {
  const lineCounter = new LineCounter()
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  const placeOf = (offset?: number) => (offset === undefined ? file : `${file}:${lineAt(offset)}`)
  const refusalOf = (faults: readonly YamlFault[]) =>
    fileProblem([...new Set(faults.map(({ offset, fault }) => `${placeOf(offset)}: ${fault}`))])
  const document = parseYaml(text, lineCounter)
  if (!isDocument(document)) throw refusalOf(document)
  return {
    file,
    value: readValue(document, (fault) => refusalOf([fault])),
    lineOf: (path) => lineAt(offsetOf(document, path)),
  }
}

function readValue(document: Document.Parsed, refusalOf: (fault: YamlFault) => Problem): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw refusalOf(findValueFault(document, error))
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

interface Step {
  readonly node: unknown
  readonly offset: number | undefined
}

function stepInto(node: unknown, segment: PropertyKey): Step | undefined {
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

interface Line {
  readonly number: number
  readonly text: string
}

/** NDJSON becomes an array. Empty lines are skipped but counted. */
export function parseJsonLines(file: string, text: string): LocatedDocument {
  const lines = text
    .split('\n')
    .map((line, index): Line => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
  return {
    file,
    value: lines.map((line) => parseLine(file, line)),
    lineOf: ([index]) => lines[Number(index)]?.number ?? 1,
  }
}

function parseLine(file: string, { number, text }: Line): unknown {
  const value = parse(file, { number, text })
  if (findRepeatedKey(text) === undefined) return value
  throw fileProblem([`${file}:${number}: ${repeatedKey}`])
}

function parse(file: string, { number, text }: Line): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of V8 quotes the text, which may be personal data.
    throw fileProblem([`${file}:${number}: is not well-formed JSON`])
  }
}
