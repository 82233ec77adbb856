// Writes answers of the demo service into the newest contract, if that is a draft.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument, Scalar, visit } from 'yaml'
import { collectExamples } from '../fixtures/contract/collect-examples.ts'
import {
  contractDirectory as directory,
  newestOf,
  readManifest,
  readSource,
} from './contract/sources.ts'

const manifest = readManifest(directory)
const newest = newestOf(manifest)
if (!manifest.versions[0]?.draft) {
  throw new Error(`${newest} is published: its examples stay as they are.`)
}
const document = parseDocument(readSource(directory, `${newest}.yaml`))
for (const { place, value } of await collectExamples()) {
  document.setIn(place, document.createNode({ value }))
}
visit(document, {
  Scalar(_key, node) {
    // Readers of YAML 1.1 take such a text for a date.
    if (/^\d{4}-\d{2}-\d{2}/.test(String(node.value))) node.type = Scalar.QUOTE_SINGLE
  },
})
writeFileSync(join(directory, `${newest}.yaml`), document.toString({ lineWidth: 0 }))
