import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { serve } from '../../fixtures/program/serve.ts'

/** Sends bytes unchanged and reads until the service closes the connection. */
async function exchange(port: number, ...parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  // The service closed the connection while the client was still sending.
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return answer
}

/** Keeps a connection open and continues to send until the service ends it. */
async function occupy(port: number, sent: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(sent)
  const goOn = setInterval(() => answer && socket.write('x'), 200)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(goOn)
  return answer
}

function problemIn(answer: string) {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
}

const tokenRequest =
  'POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n'

t.test('malformed input on a connection does not stop the service', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir()])
  const port = Number(new URL(served.base_url).port)
  // This request starts first, because it takes longest. Node checks for expired requests only
  // every 30 s.
  const endless = {
    'headers that never end': exchange(port, 'GET /livez HTTP/1.1\r\nHost: x\r\n'),
    'a body that never ends': exchange(port, `${tokenRequest}Content-Length: 9\r\n\r\n`, 'grant'),
    'a client that never hangs up': occupy(port, 'GET /livez HTTP/1.1\r\nHost: x\r\n'),
  }

  t.test('a chunked body that is too large is refused, and the connection ends', async (t) => {
    const chunk = `11170\r\n${'a'.repeat(70_000)}\r\n`
    const answer = await exchange(port, `${tokenRequest}Transfer-Encoding: chunked\r\n\r\n`, chunk)
    t.match(answer, /^HTTP\/1\.1 4\d\d /)
    t.match(answer, /^connection: close\r$/im)
  })

  t.test('malformed HTTP is answered with a problem and a request id', async (t) => {
    const rows: [string, string, number][] = [
      ['a text that is not HTTP', 'nonsense\r\n\r\n', 400],
      ['a header that is too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['HTTP/1.1 without Host', 'GET /v1/me HTTP/1.1\r\n\r\n', 400],
    ]
    for (const [title, sent, status] of rows) {
      const answer = await exchange(port, sent)
      t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), title)
      const { trace_id, ...problem } = problemIn(answer)
      t.match(answer, new RegExp(`^x-request-id: ${trace_id}\r$`, 'im'), title)
      t.match(answer, /^content-type: application\/problem\+json\r$/im, title)
      const type = `${served.base_url}/errors/`
      t.match(problem, { status, title: String, detail: String }, title)
      t.ok(problem.type.startsWith(type), title)
      t.strictSame(Object.keys(problem), ['type', 'title', 'status', 'detail'], title)
      t.match(answer, /^connection: close\r$/im, title)
    }
  })

  t.test(
    'a request without Host gets its own X-Request-Id, and HTTP/1.0 needs no Host',
    async (t) => {
      const named = 'GET /livez HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n'
      const answer = await exchange(port, named)
      t.match(answer, /^x-request-id: mine\r$/im)
      t.match(problemIn(answer), { status: 400, detail: /Host header/, trace_id: 'mine' })
      t.match(await exchange(port, 'GET /livez HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
    },
  )

  t.test('an unknown Expect header is ignored', async (t) => {
    const sent = 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n'
    t.match(await exchange(port, sent), /^HTTP\/1\.1 200 /)
  })

  t.test('a request that never ends is cut off with 408', async (t) => {
    for (const [title, answer] of Object.entries(endless)) {
      t.match(await answer, /^HTTP\/1\.1 408 /, title)
    }
  })

  t.test('the operator endpoint has at most 500 connections', async (t) => {
    const operators = Number(new URL(served.operator_url).port)
    const sockets = Array.from({ length: 501 }, () => connect(operators, '127.0.0.1'))
    const closed = sockets.map((socket) =>
      once(
        socket.on('error', () => {}),
        'close',
      ),
    )
    await Promise.race(closed)
    t.equal(sockets.filter((socket) => socket.destroyed).length, 1)
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  })

  const alive = await checkedFetch(`${served.base_url}/livez`)
  t.equal(alive.status, 200)
})
