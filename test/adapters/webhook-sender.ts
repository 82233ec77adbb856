import { spawnSync } from 'node:child_process'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { startBlackHole } from '../../fixtures/servers/black-hole.ts'
import { findUnusedPort, startPeer, startTcpPeer } from '../../fixtures/servers/peer.ts'
import { startTlsReceiver } from '../../fixtures/servers/tls-receiver.ts'
import type { GuardOptions } from '../../src/adapters/outgoing/guarded-agent.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'

const onLoopback = { allowPrivate: true, resolve: async () => ['127.0.0.1'] }
const accept: RequestListener = (_request, response) => response.end()
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

const done = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const go = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Sends to a receiver that answers each request with these bytes. */
async function sendForBytes(t: Test, bytes: string, options?: GuardOptions) {
  const port = await startTcpPeer(t, (socket) => {
    socket.on('data', () => socket.write(bytes, 'latin1'))
  })
  return send(`http://receiver.example:${port}/`, options)
}

t.test('interim (1xx) answers before the final one have no effect [S-delivery-2]', async (t) => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\nlink: </b.css>\r\n\r\n'
  const rows: readonly [string, string][] = [
    ['100', go],
    ['100 twice', go.repeat(2)],
    ['32 of them', go.repeat(32)],
    ['several kinds', `${go}HTTP/1.1 102 Processing\r\n\r\n${early}HTTP/1.1 199 Odd\r\n\r\n${go}`],
    ['100 without a reason phrase', 'HTTP/1.1 100\r\n\r\n'],
    ['100 with a length', 'HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n'],
    ['100 that announces the end', 'HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n'],
    ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
    ['15 KiB of them', early.replace('a.css', 'a'.repeat(5000)).repeat(3)],
  ]
  for (const [title, interim] of rows) {
    const outcome = await sendForBytes(t, interim + done)
    t.match(outcome, { status: 200, failure: null, detail: null }, title)
  }
  const refused = await sendForBytes(t, `${go}HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`)
  t.match(refused, { status: 500, failure: 'status' })
})

t.test('a connection whose answers begin with 100 Continue is used again', async (t) => {
  let connections = 0
  const port = await startTcpPeer(t, (socket) => {
    connections += 1
    socket.on('data', () => {
      for (const byte of go + done) socket.write(byte)
    })
  })
  const sender = createWebhookSender(onLoopback)
  for (const body of '1234') {
    const url = `http://receiver.example:${port}/`
    t.match(await sender.send({ url, headers: {}, body: Buffer.from(body) }), { status: 200 })
  }
  t.equal(connections, 1)
})

t.test('more than 32 interim answers, or 16 KiB of them, end the attempt [D32]', async (t) => {
  const long = `HTTP/1.1 103 Early Hints\r\nlink: <${'a'.repeat(5600)}>\r\n\r\n`
  for (const [title, bytes] of [
    ['33 and an answer', go.repeat(33) + done],
    ['33 and silence', go.repeat(33)],
    ['17 KiB', long.repeat(3) + done],
  ] as const) {
    const outcome = await sendForBytes(t, bytes)
    t.match(
      outcome,
      { status: null, failure: 'broken_answer', detail: /32 interim answers/ },
      title,
    )
  }
  for (const [title, bytes] of [
    ['interim answers', go.repeat(4000)],
    ['empty lines', '\r\n'.repeat(50_000)],
  ] as const) {
    let written = 0
    let noteClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      noteClosed = resolve
    })
    const port = await startTcpPeer(t, (socket) => {
      socket.on('close', noteClosed)
      const flood = (): void => {
        written += 1
        if (written < 1000 && !socket.destroyed) socket.write(bytes, flood)
      }
      socket.once('data', flood)
    })
    const endless = await send(`http://receiver.example:${port}/`)
    t.match(endless, { failure: 'broken_answer', status: null, address: '127.0.0.1' }, title)
    await closed
    t.ok(written < 1000, `the receiver could send only ${written} times 100 kB of ${title}`)
  }
})

t.test('a switch to a protocol for which nobody asked is no success', async (t) => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'
  t.match(await sendForBytes(t, switching + done), { failure: 'status', status: 101 })
  t.match(await sendForBytes(t, `HTTP/1.1 101 Switching Protocols\r\n\r\n${done}`), {
    failure: /status|broken_answer/,
  })
})

t.test('an answer that breaks a rule without consequences is accepted [D32]', async (t) => {
  for (const [title, bytes] of [
    ['a folded header line', 'HTTP/1.1 200 OK\r\nx-a: b\r\n  c\r\ncontent-length: 0\r\n\r\n'],
    ['line feeds alone', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
    ['a line feed alone', 'HTTP/1.1 200 OK\r\nx-a: b\ncontent-length: 0\r\n\r\n'],
    ['a control character', 'HTTP/1.1 200 OK\r\nx-a: \x01\r\ncontent-length: 0\r\n\r\n'],
    ['Latin-1', 'HTTP/1.1 200 ü\r\nx-a: ü\r\ncontent-length: 0\r\n\r\n'],
    ['another minor version', 'HTTP/1.2 200 OK\r\ncontent-length: 0\r\n\r\n'],
    [
      'a length beside chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ] as const) {
    t.match(await sendForBytes(t, bytes), { status: 200, failure: null }, title)
  }
})

t.test('what is wrong with an answer that is not valid HTTP is recorded [D32]', async (t) => {
  for (const [bytes, detail] of [
    [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok',
      /^The answer is not valid HTTP: .*Content-Length.*\. \(HPE_UNEXPECTED_CONTENT_LENGTH\)$/,
    ],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\nok', /HPE_INVALID_CONTENT_LENGTH/],
    ['HTTP/1.1 200 OK\r\nx-a : b\r\n\r\n', /header.*HPE_INVALID_HEADER_TOKEN/],
    ['HTTP/2 200\r\n\r\n', /HPE_INVALID_VERSION/],
    [`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(20_000)}\r\n\r\n`, /HPE_HEADER_OVERFLOW/],
    ['220 smtp.example\r\n', /HPE_INVALID_CONSTANT/],
  ] as const) {
    const outcome = await sendForBytes(t, bytes)
    t.match(outcome, { status: null, failure: 'broken_answer', detail }, bytes.slice(0, 60))
  }
  const closing = await startTcpPeer(t, (socket) => socket.once('data', () => socket.end()))
  t.match(await send(`http://receiver.example:${closing}/`), {
    failure: 'broken_answer',
    detail: 'The connection was closed before the answer was complete. (ECONNRESET)',
  })
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
  const patient = { ...onLoopback, connectTimeoutMs: 5000, readTimeoutMs: 5000 }
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
      patient,
    )
    t.match(outcome, { status: 200, failure: null, detail: null, firstByteMs: Number }, title)
    t.ok(outcome.durationMs < patient.readTimeoutMs, 'the body is not awaited')
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
  const { port, ca } = await startTlsReceiver(t, accept)
  const trusting = { ...onLoopback, ca }
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

t.test('an address that is silent gives way to the next one in time [D36]', async (t) => {
  const peer = await startPeer(t, (_request, response) => response.end())
  await startBlackHole(t, { port: peer.port, hostname: '127.0.0.2' })
  await startBlackHole(t, { port: peer.port, hostname: '127.0.0.3' })
  const rows: readonly (readonly string[])[] = [
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.4', '127.0.0.1', '127.0.0.2'],
  ]
  for (const addresses of rows) {
    const options = { ...onLoopback, resolve: async () => addresses, connectTimeoutMs: 2000 }
    const outcome = await send(`http://receiver.example:${peer.port}/`, options)
    t.match(outcome, { failure: null, status: 200, address: '127.0.0.1' }, addresses.join(' '))
  }
  t.equal(peer.requests.length, rows.length, 'no event is sent twice')
  const nobody = { ...hasty, resolve: async () => ['127.0.0.2', '127.0.0.4', '127.0.0.3'] }
  const silent = await send(`http://receiver.example:${peer.port}/`, nobody)
  t.match(silent, { failure: 'timeout', detail: 'No connection could be made.' })
})

t.test(
  'an address that is silent during the TLS handshake gives way to the next one [D36]',
  async (t) => {
    const { port, ca } = await startTlsReceiver(t, accept)
    let open = 0
    await startTcpPeer(
      t,
      (socket) => {
        open += 1
        socket.resume().on('close', () => {
          open -= 1
        })
      },
      { port, hostname: '127.0.0.2' },
    )
    const resolve = async () => ['127.0.0.2', '127.0.0.1']
    const options = { ...onLoopback, resolve, ca, connectTimeoutMs: 2000 }
    const outcome = await send(`https://receiver.example:${port}/`, options)
    t.match(outcome, { failure: null, address: '127.0.0.1' })
    await until(t, () => open === 0)
  },
)

t.test('a name with many addresses gets at most four connections [D36]', async (t) => {
  const dialled: (string | undefined)[] = []
  const port = await startTcpPeer(
    t,
    (socket) => {
      dialled.push(socket.localAddress)
      socket.destroy()
    },
    { hostname: '0.0.0.0' },
  )
  const unused = await findUnusedPort()
  const many = Array.from({ length: 250 }, (_, index) => `127.0.1.${index}`)
  for (const [title, addresses, expected] of [
    ['one address 1,800 times', Array.from({ length: 1800 }, () => '127.0.0.1'), ['127.0.0.1']],
    ['in several spellings', ['127.0.0.1', '::ffff:127.0.0.1', '::FFFF:7f00:1'], ['127.0.0.1']],
    ['250 addresses', many, many.slice(0, 4)],
  ] as const) {
    const resolve = async () => addresses
    dialled.length = 0
    await send(`https://receiver.example:${port}/`, { ...onLoopback, resolve })
    t.ok(dialled.length > 0 && dialled.length <= expected.length, title)
    const refused = await send(`http://receiver.example:${unused}/`, { ...onLoopback, resolve })
    t.match(refused, { failure: 'connect', address: expected[0] }, title)
  }
})

t.test('the first 64 addresses of a name are checked, and no other is called [D36]', async (t) => {
  const open = Array.from({ length: 64 }, (_, index) => `8.8.4.${index}`)
  for (const [addresses, expected] of [
    [[...open.slice(1), '10.0.0.1'], /public addresses only/],
    [[...open, '10.0.0.1'], undefined],
  ] as const) {
    const sender = createWebhookSender({ resolve: async () => addresses })
    t.match(await sender.findAddressError('https://receiver.example/'), expected)
    const { addresses: found } = await sender.inspectAddresses('https://receiver.example/')
    t.equal(found.length, 64)
  }
})

t.test('the name and all its addresses have one deadline [D36]', async (t) => {
  const port = await startBlackHole(t)
  await startBlackHole(t, { port, hostname: '127.0.0.2' })
  const resolve = async () => ['127.0.0.1', '127.0.0.2']
  // With a deadline of its own, each address would take as long as the test may.
  const options = { allowPrivate: true, resolve, connectTimeoutMs: 400, readTimeoutMs: 60_000 }
  t.match(await send(`http://receiver.example:${port}/`, options), { failure: 'timeout' })
  const aborted: boolean[] = []
  const never: GuardOptions['resolve'] = (_name, signal) =>
    new Promise(() => signal?.addEventListener('abort', () => aborted.push(true)))
  t.match(await send('http://receiver.example/', { ...options, resolve: never }), {
    failure: 'timeout',
    detail: 'The name was not resolved in time.',
  })
  t.strictSame(aborted, [true], 'nobody asks any longer')
})

t.test('the handshake names the host without the dot at its end [D36]', async (t) => {
  const { port, ca, names } = await startTlsReceiver(t, accept)
  const options = { ...onLoopback, ca }
  for (const host of ['receiver.example', 'receiver.example.', '127.0.0.1']) {
    t.match(await send(`https://${host}:${port}/`, options), { failure: null }, host)
  }
  t.strictSame(names, ['receiver.example', 'receiver.example', false])
})

t.test('a receiver that demands a client certificate is reported as such [D36]', async (t) => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const { port, ca } = await startTlsReceiver(t, accept, {
      requestCert: true,
      minVersion: version,
      maxVersion: version,
    })
    const url = `https://receiver.example:${port}/`
    const sender = createWebhookSender({ ...onLoopback, ca })
    const inspection = await sender.inspectCertificate(url)
    t.match(inspection.fault, /client certificate.*\(ERR_SSL_.+\)$/, version)
    t.match(await send(url, { ...onLoopback, ca }), {
      status: null,
      failure: 'tls',
      detail: /client certificate/,
    })
  }
})

t.test(
  'a receiver that wants a client certificate, and hangs up without a word, is reported as such',
  async (t) => {
    const asking = { requestCert: true, maxVersion: 'TLSv1.2' } as const
    const { port, ca } = await startTlsReceiver(t, accept, asking)
    const between = await startTcpPeer(t, (client) => {
      const receiver = connect(port, '127.0.0.1')
      receiver.pipe(client)
      // The second message of the client has its certificates, which are none.
      client.once('data', (hello) => {
        receiver.write(hello)
        client.once('data', () => client.end())
      })
    })
    const url = `https://receiver.example:${between}/`
    const detail = /asked for a client certificate, .* closed the connection \(ECONNRESET\)/
    t.match(await send(url, { ...onLoopback, ca }), { failure: 'tls', detail })
    const { fault } = await createWebhookSender({ ...onLoopback, ca }).inspectCertificate(url)
    t.match(fault, detail)
  },
)

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

/** How a receiver may end a connection, as after an idle time, at the moment when a request arrives. */
const endings: readonly [string, (socket: Socket) => void][] = [
  ['closes', (socket) => socket.end()],
  ['destroys', (socket) => socket.destroy()],
  ['resets', (socket) => socket.resetAndDestroy()],
]

t.test('an idle connection that ends as a request goes out costs no attempt [D32]', async (t) => {
  for (const [title, end] of endings) {
    let requests = 0
    const port = await startTcpPeer(t, (socket) => {
      socket.once('data', () => {
        requests += 1
        socket.write(done)
        socket.once('data', () => {
          requests += 1
          end(socket)
        })
      })
    })
    const sender = createWebhookSender(onLoopback)
    const once = () =>
      sender.send({
        url: `http://receiver.example:${port}/`,
        headers: {},
        body: Buffer.from('{}'),
      })
    // After these, eight connections are idle, and all of them end at the next request.
    await Promise.all(Array.from({ length: 8 }, once))
    const outcomes = await Promise.all(Array.from({ length: 8 }, once))
    for (const outcome of outcomes) {
      t.match(outcome, { status: 200, failure: null, address: '127.0.0.1' }, title)
    }
    // The last connections may not have been idle yet.
    t.ok(requests > 20 && requests <= 24, `${requests} requests: each is sent once more at most`)
  }
  let requests = 0
  const secure = await startTlsReceiver(t, (request, response) => {
    requests += 1
    if (requests === 2) request.socket.destroy()
    else response.end()
  })
  const sender = createWebhookSender({ ...onLoopback, ca: secure.ca })
  for (const body of '12') {
    const url = `https://receiver.example:${secure.port}/`
    t.match(await sender.send({ url, headers: {}, body: Buffer.from(body) }), { failure: null })
  }
  t.equal(requests, 3)
})

t.test('a request is sent only once if anything else is wrong with the connection', async (t) => {
  const begin = (socket: Socket) => socket.write('HTTP/1.1 200')
  const rows: readonly (readonly [string, boolean, (socket: Socket) => void, string])[] = [
    ...endings.map(([title, end]) => [`new, ${title}`, false, end, 'broken_answer'] as const),
    ['is silent', true, () => {}, 'timeout'],
    ['begins an answer', true, (socket) => begin(socket) && socket.end(), 'broken_answer'],
    ['sends a 100', true, (socket) => socket.end(go), 'broken_answer'],
  ]
  for (const [title, isReused, react, failure] of rows) {
    let requests = 0
    const port = await startTcpPeer(t, (socket) => {
      socket.on('data', () => {
        requests += 1
        if (isReused && requests === 1) socket.write(done)
        else react(socket)
      })
    })
    const sender = createWebhookSender({ ...hasty, connectTimeoutMs: 5000 })
    const url = `http://receiver.example:${port}/`
    const once = () => sender.send({ url, headers: {}, body: Buffer.from('{}') })
    if (isReused) t.match(await once(), { failure: null }, title)
    t.match(await once(), { status: null, failure }, title)
    t.equal(requests, isReused ? 2 : 1, title)
  }
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
    const addresses = { 'ipv4-first.example': ['93.184.215.14', '2606:2800:21f:cb07::1'] }
    addresses['ipv6-first.example'] = addresses['ipv4-first.example'].toReversed()
    const resolve = async (name) => addresses[name]
    for (const [host, options] of [
      ['93.184.215.14', {}],
      ['receiver.example', {}],
      ['ipv4-first.example', { resolve }],
      ['ipv6-first.example', { resolve }],
    ]) {
      const { send } = createWebhookSender(options)
      const sent = send({ url: \`https://\${host}/\`, headers: {}, body: Buffer.from('') })
      console.log(await sent.then(({ failure }) => failure, () => 'ours'))
    }`
    const argv = [...cutOff, '--import=tsx', '--input-type=module', '-e', program]
    const { stdout } = spawnSync('unshare', argv, { encoding: 'utf8' })
    t.equal(stdout, 'ours\n'.repeat(4))
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
