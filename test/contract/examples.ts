import t from 'tap'
import { collectExamples } from '../../fixtures/contract/collect-examples.ts'
import { contract, locate, pointerOf } from '../../fixtures/contract/contract.ts'
import { createDemoService, demoClients } from '../../fixtures/contract/demo-service.ts'
import { listOperations } from '../../fixtures/contract/list-operations.ts'
import { examplePath } from '../../fixtures/contract/parameters.ts'
import { findFaults } from '../../fixtures/contract/validators.ts'
import { basic } from '../../fixtures/token-request.ts'
import type { RequestOptions } from '../../fixtures/world.ts'

const madeAtEachStart = ['access_token', 'kid', 'n']
const idMadeByUse = /[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g
const referenceMadeByUse = /^[\dA-F]{12}7[\dA-F]{3}[89AB][\dA-F]{15}$/

/** All but signing keys, and ids that tell how many were made before: what is published stays, the code goes on. */
function whatStays(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, part) => {
    if (typeof part !== 'string') return part
    if (madeAtEachStart.includes(name)) return `any ${name}`
    return part.replaceAll(idMadeByUse, 'an id').replace(referenceMadeByUse, 'a reference')
  })
}

/** Of every example of an answer or an event that the contract shows. */
function listPlaces(node: unknown, place: readonly string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, part]) =>
    key === 'examples' && !Array.isArray(part)
      ? Object.keys(part).map((name) => [...place, key, name])
      : listPlaces(part, [...place, key]),
  )
}

t.test('every example is what the demo service answers', async (t) => {
  const collected = await collectExamples()
  for (const { place, value } of collected) {
    const shown = locate<{ value: unknown }>(place)?.part.value
    t.strictSame(whatStays(value), whatStays(shown), pointerOf(place))
  }
  const shown = listPlaces(contract).filter(
    (place) => place.includes('responses') || place[0] === 'webhooks',
  )
  t.strictSame(
    shown.map(pointerOf).sort(),
    collected.map(({ place }) => pointerOf(place)).sort(),
    'none is invented',
  )
})

t.test('every example fits the schema it stands beside', async (t) => {
  for (const place of listPlaces(contract)) {
    const example = locate<{ value: unknown }>(place)?.part.value
    t.strictSame(findFaults([...place.slice(0, -2), 'schema'], example), [], pointerOf(place))
  }
})

t.test(
  'every example of a request is accepted at the paths that the parameters show',
  async (t) => {
    const { request, token } = await createDemoService()
    for (const { operation, method, template } of listOperations()) {
      const [[mediaType, content] = []] = Object.entries(operation.requestBody?.content ?? {})
      for (const [name, { value }] of Object.entries(content?.examples ?? {})) {
        const options = mediaType === 'application/json' ? { token, body: value } : formOf(value)
        const { status } = await request(method, examplePath(template), options)
        t.ok(status === 200 || status === 201, `${operation.operationId} ${name}: ${status}`)
      }
    }
  },
)

function formOf(value: unknown): RequestOptions {
  const fields = value as Record<string, string>
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const credentials = fields['client_id'] ? {} : basic(...demoClients.full)
  return { body: String(new URLSearchParams(fields)), headers: { ...headers, ...credentials } }
}
