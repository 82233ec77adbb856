import { getEventListeners } from 'node:events'
import { listen } from 'listhen'
import t from 'tap'
import { startBlackHole } from '../../fixtures/servers/black-hole.ts'
import { findUnusedPort, startPeer, startTcpPeer } from '../../fixtures/servers/peer.ts'
import {
  createGuardedFetch,
  type GuardedFetchOptions,
} from '../../src/adapters/outgoing/guarded-fetch.ts'
import { OutgoingError } from '../../src/adapters/outgoing/outgoing-error.ts'
import { isNeverCalled, isPublicAddress } from '../../src/adapters/outgoing/public-address.ts'

const onLoopback = { allowPrivate: true, resolve: async () => ['127.0.0.1'] }

/** Returns the status of the answer, or the reason why there was none. */
async function outcome(url: string, options: GuardedFetchOptions = {}) {
  try {
    const fetch = createGuardedFetch(options)
    const response = await fetch.raw(url, { ignoreResponseError: true, responseType: 'text' })
    return response.status
  } catch (error) {
    const { cause } = error as Error
    return cause instanceof OutgoingError ? cause.failure : error
  }
}

t.test(
  'loopback, link-local, cloud-metadata and private ranges are not public [S-webhooks-8]',
  async (t) => {
    const refused = `127.0.0.1 127.255.255.255 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255
    192.168.1.1 100.64.0.1 100.127.255.255 169.254.169.254 100.100.100.200 168.63.129.16
    192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1
    255.255.255.255 2130706433 0x7f000001 0177.0.0.1 127.1
    :: ::1 ::127.0.0.1 ::808:808 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:169.254.169.254
    ::ffff:168.63.129.16 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 fe80::1 fe80::1%eth0
    febf::1 fec0::1 fc00::1 fd00:ec2::254 ff02::1 100::1 2001:db8::1 2001::1 2002:7f00:1::
    3fff::1 4000::1 localhost example.com`
    for (const address of refused.split(/\s+/)) t.notOk(isPublicAddress(address), address)
    t.notOk(isPublicAddress(''), 'nothing')
    const allowed = '8.8.8.8 172.32.0.1 100.128.0.1 ::ffff:8.8.8.8 2001:4860:4860::8888'
    for (const address of allowed.split(' ')) t.ok(isPublicAddress(address), address)
  },
)

t.test(
  'the service never connects to link-local, metadata and multicast addresses [D36]',
  async (t) => {
    const refused = `0.0.0.0 169.254.0.1 169.254.169.254 100.100.100.200 168.63.129.16 192.0.0.192
    224.0.0.1 :: fe80::1 fe80::1%eth0 febf::1 ff02::1 fd00:ec2::254 fd20:ce::254
    ::ffff:169.254.169.254 ::169.254.169.254 ::ffff:0:169.254.169.254 64:ff9b::a9fe:a9fe
    64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe:: 2001:0:a9fe:a9fe:: 2001:0:808:808::5601:5601
    64:ff9b::6464:64c8`
    const opened =
      '127.0.0.1 ::1 10.0.0.1 192.168.1.1 100.64.0.1 fd00::1 ::ffff:10.0.0.1 2002:a00:1::'
    const resolving = (address: string) => ({
      allowPrivate: true,
      connectTimeoutMs: 1,
      resolve: async () => [address],
    })
    for (const address of refused.split(/\s+/)) {
      const literal = address.includes(':') ? `[${address.replace('%', '%25')}]` : address
      const options = { allowPrivate: true, connectTimeoutMs: 1 }
      t.equal(await outcome('http://peer.example/', resolving(address)), 'refused', address)
      const asLiteral = await outcome(`http://${literal}/`, options)
      if (!address.includes('%')) t.equal(asLiteral, 'refused', `${address} in the URL`)
    }
    for (const address of opened.split(' ')) t.notOk(isNeverCalled(address), address)
  },
)

t.test(
  'an address in the URL is checked in every spelling before any connection [S-webhooks-9]',
  async (t) => {
    const peer = await startPeer(t, (_request, response) => response.end())
    const spellings = `127.0.0.1 127.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001
    %31%32%37.0.0.1 １２７.0.0.1 [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1]
    0.0.0.0 0 [::] 10.0.0.1 169.254.169.254 [fe80::1] [fe80::1%25eth0] [fe80::1%eth0] [fd00::1]`
    for (const host of spellings.split(/\s+/)) {
      t.equal(await outcome(`https://${host}:${peer.port}/`), 'refused', host)
    }
    t.strictSame(peer.requests, [])
  },
)

t.test('only https is called, unless private addresses are allowed', async (t) => {
  const peer = await startPeer(t, (_request, response) => response.end())
  const resolve = async () => ['8.8.8.8']
  for (const url of [
    `http://peer.example:${peer.port}/`,
    'ftp://peer.example/',
    'peer',
    'https://',
  ]) {
    t.equal(await outcome(url, { resolve }), 'refused', url)
  }
  t.equal(await outcome(peer.url, onLoopback), 200)
})

t.test(
  'every address of a name is checked, and one refused address prevents all connections [S-webhooks-10]',
  async (t) => {
    const peer = await startPeer(t, (_request, response) => response.end())
    const url = `https://peer.example:${peer.port}/`
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2001:4860:4860::8888', '::ffff:127.0.0.1'],
    ]) {
      t.equal(
        await outcome(url, { resolve: async () => addresses }),
        'refused',
        addresses.join(' '),
      )
    }
    t.strictSame(peer.requests, [])
  },
)

t.test('a name is resolved once, so later answers of the name server do not matter', async (t) => {
  const peer = await startPeer(t, (_request, response) => response.end())
  const answers = [['127.0.0.1'], ['203.0.113.1']]
  let asked = 0
  const resolve = async () => answers[asked++] ?? []
  const url = `http://rebinding.example:${peer.port}/`
  t.equal(await outcome(url, { allowPrivate: true, resolve }), 200)
  t.equal(asked, 1)
  t.strictSame(peer.requests, ['GET /'])
})

t.test('each failure has a kind', async (t) => {
  const closed = await startTcpPeer(t, (socket) => socket.destroy())
  const silent = await startTcpPeer(t, () => {})
  const odd = await startPeer(t, (_request, response) => response.writeHead(999).end())
  const unused = await findUnusedPort()
  const rows: [title: string, url: string, options: GuardedFetchOptions, expected: string][] = [
    ['a name without addresses', 'https://peer.example/', { resolve: async () => [] }, 'dns'],
    ['no such name', 'https://peer.example/', { resolve: failToResolve }, 'dns'],
    ['a name as this machine resolves it', 'https://localhost/', {}, 'refused'],
    [
      'a resolver that never answers',
      'https://peer.example/',
      { resolve: () => new Promise(() => {}), connectTimeoutMs: 50 },
      'timeout',
    ],
    ['nothing listens', `http://peer.example:${unused}/`, onLoopback, 'connect'],
    ['the peer hangs up', `http://peer.example:${closed}/`, onLoopback, 'answer'],
    ['the peer answers with a status above 599', odd.url, onLoopback, 'answer'],
    ['the peer does not speak TLS', `https://peer.example:${closed}/`, onLoopback, 'tls'],
    [
      'the peer says nothing',
      `http://peer.example:${silent}/`,
      { ...onLoopback, connectTimeoutMs: 50, readTimeoutMs: 50 },
      'timeout',
    ],
    [
      'the TLS handshake is never answered',
      `https://peer.example:${silent}/`,
      { ...onLoopback, connectTimeoutMs: 50, readTimeoutMs: 5000 },
      'timeout',
    ],
  ]
  for (const [title, url, options, expected] of rows) {
    t.equal(await outcome(url, options), expected, title)
  }
})

t.test('a connection attempt without an answer ends at the time limit', async (t) => {
  const port = await startBlackHole(t)
  const hasty = { ...onLoopback, connectTimeoutMs: 50, readTimeoutMs: 60_000 }
  t.equal(await outcome(`http://peer.example:${port}/`, hasty), 'timeout')
})

t.test('when one address refuses the connection, the next address is tried', async (t) => {
  const peer = await startPeer(t, (_request, response) => response.end())
  const resolve = async () => ['::1', '127.0.0.2', '127.0.0.1']
  t.equal(await outcome(`http://peer.example:${peer.port}/`, { allowPrivate: true, resolve }), 200)
})

t.test('the certificate must be for the name in the URL', async (t) => {
  const listener = await listen((_request, response) => response.end(), {
    port: 0,
    hostname: '127.0.0.1',
    isProd: true,
    showURL: false,
    autoClose: false,
    https: { domains: ['peer.example', '127.0.0.1'] },
  })
  t.teardown(() => listener.close())
  const { port } = listener.address
  const ca = listener.https ? listener.https.cert : ''
  const trusting = { ...onLoopback, ca }
  t.equal(await outcome(`https://peer.example:${port}/`, trusting), 200)
  t.equal(await outcome(`https://127.0.0.1:${port}/`, trusting), 200, 'an address as the name')
  t.equal(await outcome(`https://other.example:${port}/`, trusting), 'tls', 'another name')
  t.equal(await outcome(`https://peer.example:${port}/`, onLoopback), 'tls', 'not trusted')
})

t.test('a redirect is an answer and is not followed', async (t) => {
  const peer = await startPeer(t, (request, response) => {
    response.writeHead(request.url === '/' ? 302 : 200, { location: '/elsewhere' }).end()
  })
  t.equal(await outcome(peer.url, onLoopback), 302)
  t.strictSame(peer.requests, ['GET /'])
})

t.test('no request is sent twice, not even a GET whose connection breaks', async (t) => {
  const peer = await startPeer(t, (request) => request.socket.destroy())
  const fetch = createGuardedFetch(onLoopback)
  await t.rejects(fetch(peer.url))
  t.strictSame(peer.requests, ['GET /'])
})

t.test('a body over the limit is not read further, however it arrives', async (t) => {
  const peer = await startPeer(t, (request, response) => {
    const isAnnounced = request.url === '/announced'
    response.writeHead(200, isAnnounced ? { 'content-length': 5_000_000 } : {})
    response.end(Buffer.alloc(5_000_000))
  })
  const limited = { ...onLoopback, maximumBodyBytes: 1000 }
  t.equal(await outcome(`${peer.url}/announced`, limited), 'answer')
  t.equal(await outcome(`${peer.url}/chunked`, limited), 'answer')
})

t.test('a body up to the limit is read, even if it comes with the head', async (t) => {
  const body = 'x'.repeat(64 * 1024)
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`
  const port = await startTcpPeer(t, (socket) => {
    socket.once('data', () => socket.write(head + body))
  })
  const answer = await createGuardedFetch(onLoopback)(`http://peer.example:${port}/`)
  t.equal(answer, body)
})

t.test('a body that arrives byte by byte is not read beyond the time limit', async (t) => {
  const peer = await startPeer(t, (_request, response) => {
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const hasty = { ...onLoopback, connectTimeoutMs: 100, readTimeoutMs: 100 }
  t.equal(await outcome(peer.url, hasty), 'timeout')
})

t.test(
  'method, headers and body are sent, and status, headers and body are returned',
  async (t) => {
    const peer = await startPeer(t, (request, response) => {
      request.setEncoding('utf8').once('data', (body) => {
        const { host, 'x-token': token } = request.headers
        response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] })
        response.end(JSON.stringify({ method: request.method, host, token, body }))
      })
    })
    const fetch = createGuardedFetch(onLoopback)
    const url = `http://peer.example:${peer.port}/hook?a=b`
    const options = { method: 'POST', headers: { 'x-token': 'ok' }, body: '{"ä":1}' } as const
    const response = await fetch.raw(url, { ...options, responseType: 'text' })
    t.equal(response.status, 201)
    t.strictSame(response.headers.getSetCookie(), ['a=1', 'b=2'])
    const host = `peer.example:${peer.port}`
    t.strictSame(JSON.parse(response._data ?? ''), {
      method: 'POST',
      host,
      token: 'ok',
      body: '{"ä":1}',
    })
    t.strictSame(peer.requests, ['POST /hook?a=b'])
  },
)

t.test('an abort signal that outlives many requests does not leak memory', async (t) => {
  const peer = await startPeer(t, (_request, response) => response.end())
  const fetch = createGuardedFetch(onLoopback)
  const { signal } = new AbortController()
  const options = { signal, responseType: 'text' } as const
  for (let request = 0; request < 3; request += 1) await fetch.raw(peer.url, options)
  t.strictSame(getEventListeners(signal, 'abort'), [])
  // Node keeps the signals that depend on this signal in such a property.
  const kept = Object.getOwnPropertySymbols(signal).map((name) => Reflect.get(signal, name)?.size)
  t.strictSame(
    kept.filter((size) => size > 0),
    [],
  )
})

t.test('a caller who aborts a request gets its own reason back', async (t) => {
  const peer = await startPeer(t, () => {})
  const fetch = createGuardedFetch(onLoopback)
  const aborted = fetch(peer.url, { signal: AbortSignal.abort() })
  const error: unknown = await aborted.catch((reason) => reason)
  t.match(error, { cause: { name: 'AbortError' } })
  t.notOk((error as Error).cause instanceof OutgoingError)
})

async function failToResolve(): Promise<string[]> {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
}
