import t from 'tap'
import { statementOfCredit } from '../../fixtures/builders/statement-files.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { openBench } from '../../fixtures/world/bench.ts'
import { consoleToken, openOperatorApp } from '../../fixtures/world/console.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { digestOf, renderSigned, signatureOf } from '../../src/http/operator-signature.ts'
import { statementFilePath } from '../../src/http/statement-file.ts'
import { runOperation } from '../../src/operations/operations.ts'

const instanceId = 'b5c1d0f2-0000-4000-8000-000000000001'

/** Each request that takes a body, with the body that was signed and the one that somebody sent in its place. */
const requests: readonly (readonly [path: string, signed: unknown, sent: unknown])[] = [
  ['/operations/organization.create', { name: 'A' }, { name: 'B' }],
  ['/operations/organization.list', {}, { limit: 1 }],
  ['/operations/fixtures.apply', { organizations: [] }, { organizations: [{ name: 'B' }] }],
  ['/operations/none', {}, { name: 'B' }],
  ['/bench/maintenance', { on: false }, { on: true }],
  ['/bench/clock', { by: '1s' }, { by: '1d' }],
  [
    '/bench/faults',
    { operation: 'readClient', status: 503 },
    { operation: 'listCooperatives', status: 503 },
  ],
  [
    '/bench/journal/await',
    { operation: 'readClient', timeout: '1ms' },
    { operation: 'readClient', timeout: '2ms' },
  ],
  ['/bench/tokens/expire', { client: 'a' }, {}],
]

t.test('a signed request with another body than the signed one is refused [D40]', async (t) => {
  const world = await createWorld()
  const control = openBench()
  const app = openOperatorApp(world.service, { bench: control })
  let nonces = 0
  const send = async (path: string, signed: unknown, sent: unknown) => {
    nonces += 1
    const request = {
      instanceId,
      authority: '127.0.0.1:1',
      digest: digestOf(JSON.stringify(signed)),
      time: world.clock.stopwatchMs(),
      nonce: String(nonces).padStart(32, '0'),
    }
    const whole = { ...request, method: 'POST', path, environment: '' }
    const signature = signatureOf(consoleToken, whole)
    const headers = { authorization: renderSigned({ request, signature }) }
    const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(sent) })
    return { status: answer.status, text: await answer.text() }
  }
  for (const [path, signed, sent] of requests) {
    const { status, text } = await send(path, signed, sent)
    t.equal(status, 401, path)
    t.match(text, 'The body does not match the signature.')
    t.equal((await send(path, {}, '')).status, 401, `${path} with a body removed or added`)
  }
  const { bench } = control
  t.strictSame([bench.maintenance, bench.faults.list()], [undefined, []])
  t.same(await runOperation(world.service, 'organization.list', { name: 'B' }).catch(() => []), [])
  t.equal((await send('/bench/maintenance', { on: true }, { on: true })).status, 200)
  t.match(bench.maintenance, { retryAfterSeconds: 30 })
})

t.test('a statement is stored only if its last byte has proved the signature [D40]', async (t) => {
  const world = await createWorld()
  const app = openOperatorApp(world.service, {})
  let nonces = 0
  const send = async (signed: string, sent: string) => {
    nonces += 1
    const path = `${statementFilePath}?name=statement.xml`
    const request = {
      instanceId,
      authority: '127.0.0.1:1',
      digest: digestOf(signed),
      time: world.clock.stopwatchMs(),
      nonce: String(nonces).padStart(32, '0'),
    }
    const signature = signatureOf(consoleToken, {
      ...request,
      method: 'POST',
      path,
      environment: '',
    })
    const headers = { authorization: renderSigned({ request, signature }) }
    return (await app.request(path, { method: 'POST', headers, body: sent })).status
  }
  const list = () => runOperation(world.service, 'statement.list', {})
  const [text, other] = ['10.00', '20.00'].map((amount) =>
    statementOfCredit({ iban: 'DE02120300000000202051', amount, purpose: 'Shares' }),
  ) as [string, string]
  t.equal(await send(text, other), 401)
  t.equal(await send(text, text.slice(0, -1)), 401)
  t.same(await list(), [])
  t.equal(await send(text, text), 200)
  t.match(await list(), exactArrays([{ file: 'statement.xml', entries: 1 }]))
})
