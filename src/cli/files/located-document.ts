import { createReadStream } from 'node:fs'
import { type Document, isAlias, isDocument, isMap, isScalar, isSeq, LineCounter } from 'yaml'
import { Problem } from '../../domain/problem.ts'
import { readAtMost } from '../read-at-most.ts'
import { fileProblem } from './file-problem.ts'
import { naming } from './naming.ts'
import { parseYaml } from './parse-yaml.ts'
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
  const bytes = await readWhole(file)
  const text = bytes.includes(0) ? undefined : decode(bytes)
  if (text === undefined) throw fileProblem([`${file}: is not text in UTF-8`])
  return text
}

/** What could be written at once is all that is read: more would be refused anyway, after a long while. */
async function readWhole(file: string): Promise<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  const bytes = await readAtMost(stream, largestInput).catch(naming(file))
  if (bytes) return bytes
  throw tooLarge(`${file}: is larger than ${largestInputText}`)
}

/** Of a file, and of all files of a command together with their images. */
export const largestInput = 128 * 1024 * 1024
const largestInputText = '128 MiB'

/** @param what names what is larger than the bound */
export function tooLarge(what = `the files are larger than ${largestInputText} together`): Problem {
  return new Problem(
    'PAYLOAD_TOO_LARGE',
    `${what}, which is the most that is written at once. Nothing was changed. Split it, cooperatives first, and apply the parts one after the other: each is applied as a whole, and after a fault you can begin again, because what is there does not change.`,
  )
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
