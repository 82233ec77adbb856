import { buffer } from 'node:stream/consumers'
import { type Document, isAlias, isDocument, isMap, isScalar, isSeq, LineCounter } from 'yaml'
import type { Problem } from '../../domain/problem.ts'
import { fileProblem } from './file-problem.ts'
import { parseYaml } from './parse-yaml.ts'
import { readBytes } from './read-bytes.ts'
import { findValueFault, type YamlFault } from './yaml-faults.ts'

export type Path = readonly PropertyKey[]

/** What a file says, and where in it each part stands. */
export interface LocatedDocument {
  readonly file: string
  readonly value: unknown
  /** Of what the path leads to, or of the innermost part of the way that is there. */
  lineOf(path: Path): number
}

/** `-` is standard input. A missing file fails as readFile does, naming the file. */
export async function readText(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readBytes(file))
  const text = bytes.includes(0) ? undefined : decode(bytes)
  if (text === undefined) throw fileProblem([`${file}: is not text in UTF-8`])
  return text
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** YAML, and so JSON too. */
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
