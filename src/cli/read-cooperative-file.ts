import { array } from 'superstruct'
import {
  cooperativeDefinitionShape,
  type WireCooperativeDefinition,
} from '../operations/shapes/cooperative-definition.ts'
import { explainRefusal } from './files/explain-refusal.ts'
import { findShapeFaults, renderFaults } from './files/faults.ts'
import { fileProblem } from './files/file-problem.ts'
import { type LocatedDocument, parseLocated, readText } from './files/located-document.ts'
import { parseJsonLines } from './files/parse-json-lines.ts'
import { readImageFiles } from './files/read-image-files.ts'

export interface CooperativeFile {
  /** What cooperative.import takes. */
  readonly input: { readonly cooperatives: WireCooperativeDefinition[] }
  /** The refusal of the service, by line; any other error as it is. */
  explain(error: unknown): unknown
}

const definitionsShape = array(cooperativeDefinitionShape)

/** An array in JSON or YAML, or one JSON object a line. */
export async function readCooperativeFile(file: string): Promise<CooperativeFile> {
  const document = parse(file, await readText(file))
  const faults = [
    ...(await readImageFiles(file, document.value, [])),
    ...findShapeFaults(document.value, definitionsShape),
  ]
  if (faults.length > 0) throw fileProblem(renderFaults(document, faults))
  return {
    input: { cooperatives: document.value as WireCooperativeDefinition[] },
    explain: (error) => explainRefusal(error, ([, ...path]) => ({ document, path })),
  }
}

function parse(file: string, text: string): LocatedDocument {
  return isJsonLines(file, text) ? parseJsonLines(file, text) : parseLocated(file, text)
}

function isJsonLines(file: string, text: string): boolean {
  if (/\.(ndjson|jsonl)$/i.test(file)) return true
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length > 0 && lines.every((line) => line.startsWith('{') && line.endsWith('}'))
}
