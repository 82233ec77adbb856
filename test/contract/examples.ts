import t from 'tap'
import {
  collectExamples,
  comparedInDraft,
  comparedInPublished,
} from '../../fixtures/contract/collect-examples.ts'
import { contract, contractCheck, contracts } from '../../fixtures/contract/contract.ts'
import { createDemoService, demoClients } from '../../fixtures/contract/demo-service.ts'
import { examplePath } from '../../fixtures/contract/operations.ts'
import { basic } from '../../fixtures/world/token-request.ts'
import type { RequestOptions } from '../../fixtures/world/world.ts'
import { listOperations, locate, pointerOf } from '../../src/contract/document.ts'

/** Lists the places of all examples of answers and events in the contract. */
function listPlaces(node: unknown, place: readonly string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, part]) =>
    key === 'examples' && !Array.isArray(part)
      ? Object.keys(part).map((name) => [...place, key, name])
      : listPlaces(part, [...place, key]),
  )
}

const compared = contracts.isDraft ? comparedInDraft : comparedInPublished

t.test('every example is the actual answer of the demo service', async (t) => {
  const collected = await collectExamples()
  for (const { place, value } of collected) {
    const shown = locate<{ value: unknown }>(contract, place)?.part.value
    t.strictSame(compared(value), compared(shown), pointerOf(place))
  }
  const shown = listPlaces(contract).filter(
    (place) => place.includes('responses') || place[0] === 'webhooks',
  )
  t.strictSame(
    shown.map(pointerOf).sort(),
    collected.map(({ place }) => pointerOf(place)).sort(),
    'no example is invented',
  )
})

t.test('a published example must match in its codes, a draft in every word', async (t) => {
  const problem = {
    type: 'http://localhost/errors/validation-error',
    title: 'The request is not valid.',
    status: 422,
    detail: 'One field is wrong.',
    code: 'VALIDATION_ERROR',
    errors: { share_count: 'has to be at least 1' },
  }
  const better = {
    ...problem,
    title: 'Something is wrong.',
    detail: 'Correct share_count.',
    errors: { share_count: 'is too small' },
  }
  t.strictSame(comparedInPublished(better), comparedInPublished(problem))
  t.notSame(comparedInDraft(better), comparedInDraft(problem))
  const moved = ['status', 'code', 'type', 'errors'].map((name) => ({ ...problem, [name]: {} }))
  const event = { type: 'share_purchase.settled', data: { status: 'settled', terminal: true } }
  const open = { ...event, data: { ...event.data, terminal: false } }
  for (const [was, is] of [...moved.map((now) => [problem, now]), [event, open]]) {
    t.notSame(comparedInPublished(is), comparedInPublished(was), JSON.stringify(is))
  }
})

t.test('every example fits its schema', async (t) => {
  for (const place of listPlaces(contract)) {
    const example = locate<{ value: unknown }>(contract, place)?.part.value
    const faults = contractCheck.findFaults([...place.slice(0, -2), 'schema'], example)
    t.strictSame(faults, [], pointerOf(place))
  }
})

t.test('every example request is accepted at its example path', async (t) => {
  const { request, token } = await createDemoService()
  for (const { operation, method, template } of listOperations(contract)) {
    const [[mediaType, content] = []] = Object.entries(operation.requestBody?.content ?? {})
    for (const [name, { value }] of Object.entries(content?.examples ?? {})) {
      const options = mediaType === 'application/json' ? { token, body: value } : formOf(value)
      const { status } = await request(method, examplePath(template), options)
      t.ok(status === 200 || status === 201, `${operation.operationId} ${name}: ${status}`)
    }
  }
})

function formOf(value: unknown): RequestOptions {
  const fields = value as Record<string, string>
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const credentials = fields['client_id'] ? {} : basic(...demoClients.full)
  return { body: String(new URLSearchParams(fields)), headers: { ...headers, ...credentials } }
}
