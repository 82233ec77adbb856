import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { FaultyDisk } from '../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../fixtures/stores/engines.ts'
import { createListeningWorld } from '../../fixtures/world/listening-world.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { Problem } from '../../src/domain/problem.ts'
import type { CompletedRequest } from '../../src/http/request-metrics.ts'

t.test('the log has the cause of a 503 with the request id, and the answer does not', async (t) => {
  const world = await createWorld()
  const cause = new Error('ENOSPC: no space left on /srv/data')
  const problem = new Problem('SERVICE_UNAVAILABLE', 'Try again later.', { cause })
  world.service.store.write = () => Promise.reject(problem)
  const body = { partner_customer_ref: 'a' }
  const answer = await world.request('POST', '/v1/investors', { token: world.partner.token, body })
  t.equal(answer.status, 503)
  t.notMatch(answer.text, 'ENOSPC')
  t.strictSame(world.logger.lines, [
    {
      level: 'warn',
      fields: { requestId: answer.body.trace_id, code: 'SERVICE_UNAVAILABLE', error: cause },
      message: 'A request was refused.',
    },
  ])
})

t.test('a full disk is logged once, and every answer has Retry-After', async (t) => {
  const disk = new FaultyDisk()
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory, openFile: disk.openFile })
  const world = await createWorld({ store })
  const { token } = world.partner
  disk.failAt('append', 'ENOSPC')
  const ask = (reference: string) =>
    world.request('POST', '/v1/investors', { token, body: { partner_customer_ref: reference } })
  const refused = await Promise.all(['a', 'b', 'c'].map(ask))
  const unready = await world.request('GET', '/readyz')
  for (const { status, headers, text } of [...refused, unready, await ask('d')]) {
    t.equal(status, 503)
    t.match(headers.get('retry-after'), /^[1-9]\d*$/)
    t.notMatch(text, 'ENOSPC')
  }
  t.equal(world.logger.lines.length, 1)
  t.match(
    world.logger.lines,
    exactArrays([{ level: 'warn', fields: { error: { code: 'ENOSPC' } } }]),
  )
})

t.test('a refusal is not logged as an error', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  await world.request('GET', '/v1/me')
  await world.request('GET', '/v1/nothing-here', { token })
  await world.request('POST', '/v1/investors', { token, body: {} })
  await world.request('POST', '/oauth2/token')
  t.strictSame(world.logger.lines, [])
})

for (const [path, type] of [
  ['/v1/investors', 'application/json'],
  ['/oauth2/token', 'application/x-www-form-urlencoded'],
] as const) {
  t.test(`a caller that closes the connection is not logged as an error: ${path}`, async (t) => {
    const told = new EventEmitter()
    const observe = (answered: CompletedRequest) => told.emit('answered', answered)
    const world = await createListeningWorld({ app: { observe } })
    t.teardown(world.close)
    const { hostname, port } = new URL(world.baseUrl)
    const socket = connect(Number(port), hostname)
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${world.partner.token}`,
      `Content-Type: ${type}`,
      'Content-Length: 100',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"a":`, () => socket.destroy())
    const [answered] = await once(told, 'answered')
    t.match(answered, { method: 'POST', route: path, status: 400 })
    t.strictSame(world.logger.lines, [])
  })
}

t.test('metrics have the pattern of a path, never the path', async (t) => {
  const answered: CompletedRequest[] = []
  const world = await createWorld({ app: { observe: (each) => answered.push(each) } })
  const { token } = world.partner
  await world.request('GET', '/v1/investors/frieda', { token })
  await world.request('GET', '/frieda', { token })
  t.match(
    answered,
    exactArrays([
      { method: 'GET', route: '/v1/investors/:investorId', status: 404, seconds: 0 },
      { method: 'GET', route: 'none', status: 404 },
    ]),
  )
})
