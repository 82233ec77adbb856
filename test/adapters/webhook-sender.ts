import { spawnSync } from 'node:child_process'
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listen } from 'listhen'
import t, { type Test } from 'tap'
import { findUnusedPort, startPeer, startTcpPeer } from '../../fixtures/servers/peer.ts'
import type { GuardOptions } from '../../src/adapters/outgoing/guarded-agent.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'

const onLoopback = { allowPrivate: true, resolve: async () => ['127.0.0.1'] }
const hasty = { ...onLoopback, connectTimeoutMs: 100, readTimeoutMs: 100 }

function send(url: string, options: GuardOptions = onLoopback) {
  const sender = createWebhookSender(options)
  const headers = { 'Content-Type': 'application/json', 'X-Service-Webhook-Id': 'attempt-1' }
  return sender.send({ url, headers, body: Buffer.from('{"ä":1}') })
}

async function sendTo(t: Test, answer: RequestListener, options?: GuardOptions) {
  return send((await startPeer(t, answer)).url, options)
}

t.test(
  'the sender posts the given bytes and headers, and a 2xx is a success [S-delivery-1]',
  async (t) => {
    let seen: unknown
    const answer: RequestListener = (request, response) => {
      request.setEncoding('utf8').once('data', (body) => {
        const { 'content-type': type, 'x-service-webhook-id': id } = request.headers
        seen = { method: request.method, type, id, body }
        response.writeHead(202).end('thanks')
      })
    }
    t.match(await sendTo(t, answer), {
      status: 202,
      failure: null,
      detail: null,
      address: '127.0.0.1',
      firstByteMs: Number,
      durationMs: Number,
    })
    const type = 'application/json'
    t.strictSame(seen, { method: 'POST', type, id: 'attempt-1', body: '{"ä":1}' })
  },
)

t.test(
  'nothing is sent to a port below 1024 except 443, even if it was registered long ago [D36]',
  async (t) => {
    const resolve = () => Promise.reject(new Error('The name must not be looked up.'))
    t.match(await send('https://partner.example:25/', { resolve }), {
      failure: 'refused_address',
      detail: 'The URL is not allowed: its port must be 443, or 1024 or above.',
      address: null,
    })
  },
)

t.test('the answer of a receiver decides the outcome [D31]', async (t) => {
  const rows = [
    [204, null],
    [301, 'redirect'],
    [302, 'redirect'],
    [307, 'redirect'],
    [400, 'status'],
    [404, 'status'],
    [410, 'status'],
    [500, 'status'],
    [503, 'status'],
  ] as const
  for (const [status, failure] of rows) {
    let asked = 0
    const outcome = await sendTo(t, (_request, response) => {
      asked += 1
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '0' }).end()
    })
    t.match(outcome, { status, failure, address: '127.0.0.1' }, `${status}`)
    t.equal(asked, 1, 'nothing is followed')
  }
})

t.test('a 2xx with a body that it must not have is a success', async (t) => {
  const port = await startTcpPeer(t, (socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nok'),
    )
  })
  t.match(await send(`http://127.0.0.1:${port}/`), { status: 205, failure: null })
})

t.test('informational (1xx) answers before a 2xx have no effect', async (t) => {
  const port = await startTcpPeer(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n')
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })
  const outcome = await send(`http://receiver.example:${port}/`)
  t.match(outcome, { status: 200, failure: null, detail: null })
})

t.test('the reason is recorded if a receiver does not answer [S-delivery-7]', async (t) => {
  const hangUp = (socket: Socket) => socket.once('data', () => socket.destroy())
  const babble = (socket: Socket) => socket.once('data', () => socket.end('220 smtp.example\r\n'))
  const closed = await startTcpPeer(t, hangUp)
  const noHttp = await startTcpPeer(t, babble)
  const silent = await startTcpPeer(t, () => {})
  const unused = await findUnusedPort()
  const http = (port: number) => `http://receiver.example:${port}/`
  const nowhere = { resolve: async () => [] }
  const mixed = { resolve: async () => ['93.184.215.14', '127.0.0.1'] }
  const rows: [string, string, GuardOptions, string, string | null][] = [
    ['nothing listens', http(unused), onLoopback, 'connect', '127.0.0.1'],
    ['it hangs up', http(closed), onLoopback, 'broken_answer', '127.0.0.1'],
    ['it does not speak TLS', http(noHttp), onLoopback, 'broken_answer', '127.0.0.1'],
    ['it never answers', http(silent), hasty, 'timeout', '127.0.0.1'],
    ['no TLS', `https://receiver.example:${closed}/`, onLoopback, 'tls', '127.0.0.1'],
    ['a silent TLS', `https://receiver.example:${silent}/`, hasty, 'timeout', '127.0.0.1'],
    ['no such name', 'https://receiver.invalid/', { resolve: notFound }, 'dns', null],
    ['a name without address', 'https://receiver.example/', nowhere, 'dns', null],
    ['an address that is not public', 'https://127.0.0.1/', {}, 'refused_address', '127.0.0.1'],
    [
      'public and private at once',
      'https://receiver.example/',
      mixed,
      'refused_address',
      '127.0.0.1',
    ],
    ['plain http', http(silent), { resolve: async () => ['8.8.8.8'] }, 'refused_address', null],
  ]
  for (const [title, url, options, failure, address] of rows) {
    const outcome = await send(url, options)
    t.match(outcome, { status: null, failure, address, detail: /^[A-Z].*\S$/ }, title)
    t.notMatch(outcome.detail, url, 'no URL in the text')
  }
})

t.test('a 2xx is a delivery, whatever happens to the body [D32]', async (t) => {
  const drip = (response: ServerResponse) => {
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  }
  const afterwards: (() => void)[] = []
  const bodies: readonly [string, (response: ServerResponse) => void][] = [
    ['drips for ever', (response) => drip(response.writeHead(200))],
    ['never comes', (response) => response.writeHead(200, { 'content-length': 9 }).flushHeaders()],
    [
      'breaks off',
      (response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('only this', () => response.destroy())
      },
    ],
    [
      'is reset',
      (response) => {
        response.writeHead(200).flushHeaders()
        response.write('x')
        // A reset discards data that has arrived but was not read yet, including the status.
        afterwards.push(() => response.socket?.resetAndDestroy())
      },
    ],
  ]
  for (const [title, answer] of bodies) {
    let noteClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      noteClosed = resolve
    })
    const outcome = await sendTo(
      t,
      (request, response) => {
        request.socket.on('close', noteClosed)
        answer(response)
      },
      hasty,
    )
    t.match(outcome, { status: 200, failure: null, detail: null, firstByteMs: Number }, title)
    t.ok(outcome.durationMs < 1000, `${outcome.durationMs} ms`)
    for (const act of afterwards) act()
    await closed
  }
})

t.test('headers that arrive byte by byte end with the read timeout [D32]', async (t) => {
  const peer = await startTcpPeer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x-drip: 1\r\n'), 20)
    socket.on('close', () => clearInterval(timer)).on('error', () => {})
  })
  t.match(await send(`http://receiver.example:${peer}/`, hasty), { failure: 'timeout' })
})

t.test('only the start of a 100 MB body is read, and the status decides [D32]', async (t) => {
  const megabyte = Buffer.alloc(1024 * 1024)
  for (const [status, failure] of [
    [200, null],
    [500, 'status'],
  ] as const) {
    let written = 0
    const flood = (response: ServerResponse): void => {
      if (written === 100 || response.destroyed) return void response.end()
      written += 1
      response.write(megabyte, () => flood(response))
    }
    const outcome = await sendTo(t, (_request, response) => flood(response.writeHead(status)))
    t.match(outcome, { status, failure })
    t.ok(written < 100, `the receiver could send only ${written} MB`)
  }
})

t.test('the certificate must be valid and for the name in the URL [S-delivery-6]', async (t) => {
  const listener = await listen((_request, response) => response.end(), {
    port: 0,
    hostname: '127.0.0.1',
    isProd: true,
    showURL: false,
    autoClose: false,
    https: { domains: ['receiver.example'] },
  })
  t.teardown(() => listener.close())
  const { port } = listener.address
  const trusting = { ...onLoopback, ca: listener.https ? listener.https.cert : '' }
  t.match(await send(`https://receiver.example:${port}/`, trusting), { failure: null })
  const wrongName = await send(`https://other.example:${port}/`, trusting)
  t.match(wrongName, { failure: 'tls', detail: /ERR_TLS_CERT_ALTNAME_INVALID/ })
  t.match(await send(`https://receiver.example:${port}/`), { failure: 'tls', status: null })
})

t.test('the connect timeout and the read timeout are 5 s each [S-delivery-3]', async (t) => {
  const silent = await startTcpPeer(t, () => {})
  const [connecting, reading] = await Promise.all([
    send(`https://receiver.example:${silent}/`),
    send(`http://receiver.example:${silent}/`),
  ])
  for (const outcome of [connecting, reading]) {
    t.match(outcome, { failure: 'timeout' })
    t.ok(outcome.durationMs > 4950 && outcome.durationMs < 7500, `${outcome.durationMs} ms`)
  }
})

t.test('the read timeout is 5.0 s, counted from the end of the request [D32]', async (t) => {
  const silent = await startTcpPeer(t, () => {})
  const { durationMs, failure } = await send(`http://receiver.example:${silent}/`)
  t.equal(failure, 'timeout')
  t.ok(durationMs >= 4990 && durationMs < 5250, `${durationMs} ms`)
})

t.test('connections are reused for later events', async (t) => {
  const ports = new Set<number | undefined>()
  const { url } = await startPeer(t, (request, response) => {
    ports.add(request.socket.remotePort)
    response.writeHead(200).end('ok')
  })
  const sender = createWebhookSender(onLoopback)
  for (const body of '12345678') {
    const outcome = await sender.send({ url, headers: {}, body: Buffer.from(body) })
    t.match(outcome, { failure: null, address: '127.0.0.1' })
  }
  t.ok(ports.size <= 2, `${ports.size} connections for eight events`)
})

t.test("a resource that this machine lacks is not the receiver's fault", async (t) => {
  const exhausted = Object.assign(new Error('getaddrinfo EMFILE'), { code: 'EMFILE' })
  const resolve = () => Promise.reject(exhausted)
  const url = 'https://receiver.example/?token=secret'
  const error: Error = await send(url, { resolve }).then(
    () => t.fail(),
    (reason) => reason,
  )
  t.ok(error instanceof Error)
  t.notMatch(`${error.message}${error.stack}`, 'token=secret')
})

const cutOff = ['--net', '--map-root-user', process.execPath]
const isCuttable = spawnSync('unshare', [...cutOff, '-e', '0']).status === 0
const skip = !isCuttable && 'it needs unshare(1), and permission to use it'

t.test(
  "a network that this machine cannot reach is not the receiver's fault [D33]",
  { skip },
  async (t) => {
    const program = `
    import { createWebhookSender } from './src/adapters/webhook-sender/webhook-sender.ts'
    const { send } = createWebhookSender()
    for (const url of ['https://93.184.215.14/', 'https://receiver.example/']) {
      const sent = send({ url, headers: {}, body: Buffer.from('') })
      console.log(await sent.then(({ failure }) => failure, () => 'ours'))
    }`
    const argv = [...cutOff, '--import=tsx', '--input-type=module', '-e', program]
    const { stdout } = spawnSync('unshare', argv, { encoding: 'utf8' })
    t.equal(stdout, 'ours\nours\n')
  },
)

t.test('an aborted attempt has no outcome', async (t) => {
  const { url } = await startPeer(t, () => {})
  const stop = new AbortController()
  const sender = createWebhookSender(onLoopback)
  const sending = sender.send({ url, headers: {}, body: Buffer.from(''), signal: stop.signal })
  stop.abort()
  await t.rejects(sending, { name: 'AbortError' })
})

t.test('an address is checked before anything is sent to it', async (t) => {
  const sender = createWebhookSender({ resolve: async (name) => addresses[name] ?? notFound() })
  const addresses: Record<string, string[]> = {
    'public.example': ['93.184.215.14', '2606:2800:21f:cb07::1'],
    'private.example': ['10.0.0.1'],
    'mixed.example': ['93.184.215.14', '169.254.169.254'],
    'empty.example': [],
  }
  const rows = [
    ['https://public.example/hook', undefined],
    ['https://8.8.8.8/', undefined],
    ['https://[2606:4700:4700::1111]/', undefined],
    ['https://private.example/', /public addresses only/],
    ['https://mixed.example/', /public addresses only/],
    ['https://empty.example/', /cannot be resolved/],
    ['https://unknown.example/', /cannot be resolved/],
    ['https://127.0.0.1/', /public addresses only/],
    ['https://[::1]/', /public addresses only/],
    ['https://[::ffff:10.0.0.1]/', /public addresses only/],
    ['https://2130706433/', /public addresses only/],
  ] as const
  for (const [url, expected] of rows) t.match(await sender.findAddressError(url), expected, url)
  t.equal(await createWebhookSender(onLoopback).findAddressError('https://[::1]/'), undefined)
})

async function notFound(): Promise<never> {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
}
