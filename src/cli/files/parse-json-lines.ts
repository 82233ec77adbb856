import { findRepeatedKey } from '../../operations/shapes/find-repeated-key.ts'
import { fileProblem } from './file-problem.ts'
import type { LocatedDocument } from './located-document.ts'
import { repeatedKey } from './yaml-faults.ts'

interface Line {
  readonly number: number
  readonly text: string
}

/** NDJSON: the document is the array of what its lines hold. Empty lines count, but hold nothing. */
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
    // V8 quotes what it read, which may be personal data; where it stopped is enough.
    throw fileProblem([`${file}:${number}: is not well-formed JSON`])
  }
}
