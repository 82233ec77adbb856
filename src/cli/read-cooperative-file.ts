import { array } from 'superstruct'
import {
  cooperativeDefinitionShape,
  type WireCooperativeDefinition,
} from '../wire/cooperative-definition.ts'
import { readImageFiles } from './files/images.ts'
import {
  explainRefusal,
  findShapeFaults,
  type LocatedDocument,
  parseJsonLines,
  parseLocated,
  renderFaults,
} from './files/located-document.ts'
import { fileProblem, readText } from './files/read-file.ts'

export interface CooperativeFile {
  readonly input: { readonly cooperatives: WireCooperativeDefinition[] }
  /** Adds lines of the file to a refusal; returns any other error unchanged. */
  explain(error: unknown): unknown
}

const definitionsShape = array(cooperativeDefinitionShape)

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
