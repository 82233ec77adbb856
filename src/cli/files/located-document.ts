import { buffer } from 'node:stream/consumers'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Problem } from '../../domain/problem.ts'
import { fileProblem } from './file-problem.ts'
import { readBytes } from './read-bytes.ts'
import { describeParseError, findValueFault, type ValueFault } from './yaml-faults.ts'

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
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fileProblem([`${file}: is not text in UTF-8`])
  }
}

/** YAML, and so JSON too. */
export function parseLocated(file: string, text: string): LocatedDocument {
  const lineCounter = new LineCounter()
  const options = { lineCounter, prettyErrors: false, merge: true, logLevel: 'error' } as const
  const document = parseDocument(text, options)
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  const lines = document.errors.map(
    (error) => `${file}:${lineAt(error.pos[0])}: ${describeParseError(error)}`,
  )
  if (lines.length > 0) throw fileProblem([...new Set(lines)])
  return {
    file,
    value: readValue(document, ({ offset, fault }) =>
      fileProblem([`${offset === undefined ? file : `${file}:${lineAt(offset)}`}: ${fault}`]),
    ),
    lineOf: (path) => lineAt(offsetOf(document, path)),
  }
}

function readValue(document: Document.Parsed, refusalOf: (fault: ValueFault) => Problem): unknown {
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
