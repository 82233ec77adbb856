import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { germanIban } from '../../fixtures/builders/investors.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { type Credentials, signIn } from '../../fixtures/program/partner-client.ts'
import { runCoopshare, type Served, serve, spawnCoopshare } from '../../fixtures/program/serve.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'

const demoClient = ({ client_id = '', client_secret = '' }: Served): Credentials => ({
  client_id,
  client_secret,
})

t.test(
  'an investor gets a holding, from the token to the settlement, over HTTP and by commands',
  async (t) => {
    const here = ['--data-dir', t.testdir()]
    const served = await serve(t, ['--demo', ...here])
    const partner = await signIn(served.base_url, demoClient(served))
    const { body: catalogue } = await partner.send('GET', '/v1/cooperatives?sort=name_asc')
    const investorId = await partner.register()
    const order = await partner.order(investorId, catalogue.items[0].id)
    t.match(order, { status: 201, body: { status: 'submitted' } })
    const id: string = order.body.share_purchase_id

    for (const verb of ['approve', 'settle']) {
      const decided = await runCoopshare(['purchase', verb, id, '--json', ...here])
      t.match(decided, { code: 0 }, decided.stderr)
    }
    const holdings = await partner.send('GET', `/v1/investors/${investorId}/holdings`)
    t.match(
      holdings.body.items,
      exactArrays([{ cooperative_id: catalogue.items[0].id, shares: 5 }]),
    )

    await t.test('the service is alive and ready', async (t) => {
      for (const path of ['/livez', '/readyz']) {
        t.equal((await checkedFetch(`${served.base_url}${path}`)).status, 200)
      }
    })

    const { code, stderr } = await served.stop()
    t.equal(code, 0)
    await t.test('the log is JSON lines without secrets or personal data', async (t) => {
      const lines = stderr.trim().split('\n')
      const json = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
      const route = '/v1/investors/:investorId/share-purchases'
      const answered = json.find((line) => line.route === route)
      t.match(answered, { level: 'info', method: 'POST', status: 201, requestId: String })
      t.ok(
        json.some((line) => line.msg === 'stopped'),
        'the log is complete to its last line',
      )
      const log = lines.filter((line) => line.startsWith('{')).join('\n')
      const secrets = [partner.accessToken, demoClient(served).client_secret, germanIban]
      const personal = ['Sonnenschein', 'frieda.sonnenschein', 'customer-1', investorId]
      for (const text of [...secrets, ...personal]) t.notOk(log.includes(text))
    })
  },
)

t.test('the commands that --demo prints work as printed', async (t) => {
  const { process, ended } = await spawnCoopshare([
    ...['serve', '--demo', '--port', '0', '--log-level', 'silent'],
    ...['--data-dir', t.testdir()],
  ])
  t.teardown(() => process.kill('SIGKILL'))
  const [printed] = await once(process.stdout, 'data')
  t.match(printed, /^Reference +http\S+\/docs\nConsole +http:\/\/127\.0\.0\.1:\d+\/\n/m)
  t.notMatch(printed, /code=/, 'no link signs in if no person reads the output')
  const lines = String(printed).trim().split('\n').slice(-3)
  const script = lines.join('\necho\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', script])
  const [, catalogue = '', investor = ''] = stdout.split('\n')
  t.equal(JSON.parse(catalogue).items.length, 3)
  t.match(JSON.parse(investor), { partner_customer_ref: 'first-customer' })
  process.kill('SIGINT')
  t.match(await ended, { code: 0 })
})

t.test(
  'after SIGTERM the service finishes its requests and has exit code 0 within 10 s',
  async (t) => {
    const dataDirectory = t.testdir()
    const served = await serve(t, ['--demo', '--data-dir', dataDirectory])
    const { accessToken } = await signIn(served.base_url, demoClient(served))
    const body = JSON.stringify({ partner_customer_ref: 'in-flight' })
    const inFlight = request(`${served.base_url}/v1/investors`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    inFlight.flushHeaders()
    // The service now has the request and waits for the body.
    await once(inFlight, 'continue')
    const answered = once(inFlight, 'response')
    const startedAt = performance.now()
    const stopped = served.stop()
    await untilRefused(Number(new URL(served.base_url).port))
    inFlight.end(body)
    const [answer] = await answered
    t.equal(answer.statusCode, 201)
    answer.resume()
    t.match(await stopped, { code: 0, signal: null })
    t.ok(performance.now() - startedAt < 10_000)
    t.notOk((await readdir(dataDirectory)).includes('control.json'))
  },
)

t.test('SIGTERM right after the first answer stops the service properly', async (t) => {
  const port = await findUnusedPort()
  for (let round = 0; round < 4; round += 1) {
    const dataDirectory = join(t.testdir(), `data-${round}`)
    const argv = ['serve', '--port', `${port}`, '--data-dir', dataDirectory]
    const { process: child, ended } = await spawnCoopshare(argv)
    t.teardown(() => child.kill('SIGKILL'))
    // A pause between two requests would hide the moment that this test needs.
    while ((await statusOf(port)) !== 200);
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    t.equal(code, 0)
    t.match(stderr, '"msg":"stopped"')
    const left = (await readdir(dataDirectory)).filter((name) => /^(control|lock)/.test(name))
    t.strictSame(left, [])
  }
})

/** Returns 0 while nobody answers. */
function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request({ port, path: '/readyz' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.once('error', () => resolve(0)).end()
  })
}

t.test('after SIGTERM answers close their connections', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir()])
  const { port } = new URL(served.base_url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const begin = async () => {
    const form = 'grant_type=client_credentials'
    const asked = request(`${served.base_url}/oauth2/token`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': form.length,
        expect: '100-continue',
      },
    })
    asked.flushHeaders()
    await once(asked, 'continue')
    return async () => {
      asked.end(form)
      const [answer] = await once(asked, 'response')
      answer.resume()
      await once(answer, 'end')
      return answer.headers.connection
    }
  }
  const before = await begin()
  t.equal(await before(), 'keep-alive')
  const finish = await begin()
  const stopped = served.stop()
  await untilRefused(Number(port))
  t.equal(await finish(), 'close')
  t.match(await stopped, { code: 0, signal: null })
})

t.test('a request that never ends does not keep the service from stopping', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir()])
  const socket = connect(Number(new URL(served.base_url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n')
  socket.write('Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\n')
  await once(socket, 'data')
  const startedAt = performance.now()
  t.match(await served.stop(), { code: 0 })
  t.ok(performance.now() - startedAt < 10_000)
})

t.test(
  'a port in use leads to a clear error that names the settings, and never to another port',
  async (t) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.teardown(() => other.close())
    const { port } = other.address() as AddressInfo
    const taken = String(port)
    const rows = [
      ['--port', 'COOPSHARE_PORT'],
      ['--operator-port', 'COOPSHARE_OPERATOR_PORT'],
    ] as const
    for (const [flag, variable] of rows) {
      const free = flag === '--port' ? [] : ['--port', '0']
      const refused = await runCoopshare(['serve', '--data-dir', t.testdir(), flag, taken, ...free])
      t.equal(refused.code, 5, flag)
      t.match(refused.stderr, `port ${taken} of 127.0.0.1: the port is in use`)
      t.match(refused.stderr, `Stop that program, or use another port with ${flag} or ${variable}.`)
      t.notMatch(refused.stderr, /store|locked/)
    }
    const reserved = await runCoopshare(['serve', '--data-dir', t.testdir(), '--port', '6000'])
    t.equal(reserved.code, 5, 'a port that browsers do not open')
    t.match(reserved.stderr, 'port 6000')
  },
)

/** Resolves when the port accepts no more connections. */
async function untilRefused(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const outcome = await new Promise((resolve) => {
    socket.once('connect', () => resolve('taken'))
    socket.once('error', () => resolve('refused'))
  })
  socket.destroy()
  if (outcome === 'taken') return untilRefused(port)
}
