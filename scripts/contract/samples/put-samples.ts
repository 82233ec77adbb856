import { parseDocument, type Document as YamlDocument } from 'yaml'
import { renderSamples } from './render-samples.ts'
import { type Document, sampleRequest } from './sample-request.ts'

/** Adds a sample of the call to each operation in the text of a contract. */
export function withSamples(text: string): string {
  const document: YamlDocument = parseDocument(text)
  const contract: Document = document.toJS()
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of Object.keys(item)) {
      if (method === 'parameters') continue
      const samples = renderSamples(sampleRequest(contract, { path, method }))
      document.setIn(['paths', path, method, 'x-codeSamples'], document.createNode(samples))
    }
  }
  return document.toString({ lineWidth: 0 })
}
