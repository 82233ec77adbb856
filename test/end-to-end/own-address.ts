import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { serve } from '../../fixtures/program/serve.ts'

t.test('the documents of a service name its own address', async (t) => {
  const data = join(t.testdir(), 'data')
  for (const argv of [[], ['--base-url', 'https://own.example/']]) {
    const here = ['--data-dir', data, '--log-level', 'silent']
    const { base_url, listening_url, stop } = await serve(t, [...here, ...argv])
    const read = (path: string) => checkedFetch(`${listening_url}${path}`)
    const { body } = await read('/openapi.json')
    t.equal(body.servers[0].url, base_url)
    t.match((await read('/openapi.yaml')).text, `url: ${base_url}\n`)
    const collection = (await read('/openapi.postman_collection.json')).body
    t.match(collection.variable[0], { key: 'baseUrl', value: base_url })
    const page = (await read('/docs')).text
    t.match(page, `"url":"${base_url}"`)
    t.notMatch(page, 'https://partners.example')
    const { versions } = (await read('/openapi/manifest.json')).body
    for (const { name, sha256 } of versions.flatMap(({ files }: { files: unknown[] }) => files)) {
      const pinned = (await read(`/openapi/${name}`)).text
      t.equal(createHash('sha256').update(pinned).digest('hex'), sha256, name)
    }
    await stop()
  }
})

t.test('errors for malformed HTTP and operator requests also link to a page', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir(), '--log-level', 'silent'])
  const socket = connect(Number(new URL(served.listening_url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end('this is not HTTP\r\n\r\n')
  const [, body = ''] = (await text(socket)).split('\r\n\r\n')
  const { type } = JSON.parse(body)
  t.equal(type, `${served.base_url}/errors/bad-request`)
  t.match((await checkedFetch(type)).text, '<h1>BAD_REQUEST</h1>')
  const { type: refusal } = (await (
    await checkedOperatorFetch(`${served.operator_url}/metrics`)
  ).json()) as {
    type: string
  }
  t.equal(refusal, `${served.operator_url}/errors/unauthenticated`)
  t.match((await checkedFetch(refusal)).text, '<h1>UNAUTHENTICATED</h1>')
})
