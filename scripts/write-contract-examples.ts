// Puts what the demo service answers into the latest contract, as long as that is a draft.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument, Scalar, visit } from 'yaml'
import { collectExamples } from '../fixtures/contract/collect-examples.ts'
import { contractDirectory as directory, readManifest, readSource } from './contract/sources.ts'

const { latest, versions } = readManifest(directory)
if (!versions.some(({ version, draft }) => version === latest && draft)) {
  throw new Error(`${latest} is published: its examples stay as they are.`)
}
const document = parseDocument(readSource(directory, `${latest}.yaml`))
for (const { place, value } of await collectExamples()) {
  document.setIn(place, document.createNode({ value }))
}
visit(document, {
  Scalar(_key, node) {
    // Readers of YAML 1.1 make a date of what is none here.
    if (/^\d{4}-\d{2}-\d{2}/.test(String(node.value))) node.type = Scalar.QUOTE_SINGLE
  },
})
writeFileSync(join(directory, `${latest}.yaml`), document.toString({ lineWidth: 0 }))
