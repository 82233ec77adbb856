import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { interfaceDigests, interfaceOf } from '../../fixtures/contract/interface-of.ts'
import { documents } from '../../src/contract/documents.ts'

const fixture = join(
  import.meta.dirname,
  '..',
  '..',
  'fixtures',
  'contract',
  '1.6.0.interface.json',
)
const recorded: unknown = JSON.parse(readFileSync(fixture, 'utf8'))

t.test('the revised texts of 1.6.0 have not changed its interface', async (t) => {
  t.strictSame(interfaceDigests(JSON.parse(documents['1.6.0.json'])), recorded)
})

const operation = {
  operationId: 'readThing',
  summary: 'Read a thing',
  'x-codeSamples': [{ lang: 'Shell', source: 'curl' }],
  parameters: [{ name: 'q', in: 'query', description: 'Words.', example: 'sun' }],
  responses: { '200': { description: 'The thing.', headers: { Title: { schema: {} } } } },
}
const schema = {
  type: 'object',
  title: 'Thing',
  required: ['description'],
  properties: { description: { type: 'string', description: 'Text.', examples: ['a'] } },
}
const document = {
  info: { title: 'Things', version: '1', description: 'All about things.' },
  paths: { '/things': { get: operation } },
  components: { schemas: { Thing: schema }, examples: {} },
}

function withSchema(changes: object): unknown {
  return { ...document, components: { schemas: { Thing: { ...schema, ...changes } } } }
}

function withOperation(changes: object): unknown {
  return { ...document, paths: { '/things': { get: { ...operation, ...changes } } } }
}

t.test('new texts, examples and code samples do not change the interface', async (t) => {
  for (const same of [
    { ...document, info: { version: '1', title: 'Other things' } },
    withOperation({ summary: 'Another summary', 'x-codeSamples': [] }),
    withOperation({ parameters: [{ name: 'q', in: 'query', example: 'wind' }] }),
    withSchema({ title: 'Something', properties: { description: { type: 'string' } } }),
  ]) {
    t.strictSame(interfaceOf(same), interfaceOf(document))
  }
})

t.test('a changed property, parameter, header or rule changes the interface', async (t) => {
  for (const other of [
    { ...document, info: { version: '2' } },
    withOperation({ operationId: 'readThings' }),
    withOperation({ parameters: [{ name: 'query', in: 'query' }] }),
    withOperation({
      responses: { '200': { headers: { Title: { schema: { type: 'string' } } } } },
    }),
    withSchema({ required: [] }),
    withSchema({ properties: { title: { type: 'string' } } }),
    withSchema({ properties: { description: { type: 'string', maxLength: 1 } } }),
  ]) {
    t.notSame(interfaceOf(other), interfaceOf(document))
  }
})
