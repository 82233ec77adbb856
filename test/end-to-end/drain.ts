import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { type Served, serve } from '../../fixtures/program/serve.ts'
import { createInstances } from '../../fixtures/program/served-instances.ts'
import { startLoadBalancer } from '../../fixtures/servers/load-balancer.ts'

async function statusOf(served: Served, path: string): Promise<number> {
  return (await checkedFetch(`${served.listening_url}${path}`)).status
}

const production = ['--environment', 'production', '--no-investor-mail']

t.test(
  'after SIGTERM the service is not ready, but it serves until the end of the drain [D44]',
  async (t) => {
    const rows: [title: string, argv: string[], variables: Record<string, string>][] = [
      ['in production by default', production, {}],
      ['as the flag says', ['--drain', '60m'], {}],
      ['as the variable says', [], { COOPSHARE_DRAIN: '5m' }],
    ]
    const directory = t.testdir()
    for (const [title, argv, variables] of rows) {
      const here = ['--data-dir', join(directory, title)]
      const served = await serve(t, [...here, ...argv], variables)
      t.equal(await statusOf(served, '/readyz'), 200, title)
      const stopped = served.stop()
      await until(t, async () => (await statusOf(served, '/readyz')) === 503)
      t.equal(await statusOf(served, '/livez'), 200, 'the service is alive')
      t.equal(await statusOf(served, '/v1/me'), 401, 'the service answers on new connections')
      const secondAt = performance.now()
      process.kill(served.pid, 'SIGINT')
      const { code, signal, stderr } = await stopped
      t.strictSame([code, signal], [0, null], 'a second signal ends the wait, not the process')
      t.ok(performance.now() - secondAt < 3000)
      t.match(stderr, /"msg":"draining"[\s\S]*"msg":"stopped"/)
    }
  },
)

t.test('SIGHUP drains as SIGTERM does [D44]', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir(), '--drain', '60m'])
  const stopped = served.stop('SIGHUP')
  await until(t, async () => (await statusOf(served, '/readyz')) === 503)
  t.equal(await statusOf(served, '/v1/me'), 401, 'the service answers on new connections')
  process.kill(served.pid, 'SIGHUP')
  const { code, signal, stderr } = await stopped
  t.strictSame([code, signal], [0, null], 'a second signal ends the wait, not the process')
  t.match(stderr, /"msg":"draining"[\s\S]*"msg":"stopped"/)
})

t.test('a drain ends at its limit, and its last answers close connections [D44]', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir(), '--drain', '2s'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const ask = async () => {
    const asked = request(`${served.listening_url}/readyz`, { agent }).end()
    const [answer] = await once(asked, 'response')
    await text(answer)
    return [answer.statusCode, answer.headers.connection]
  }
  t.strictSame(await ask(), [200, 'keep-alive'])
  const startedAt = performance.now()
  const stopped = served.stop()
  const seen: unknown[][] = []
  await until(t, async () => {
    const answer = await ask()
    seen.push(answer)
    return answer[1] === 'close'
  })
  t.ok(
    seen.some(([status, connection]) => status === 503 && connection === 'keep-alive'),
    'connections stay open at first',
  )
  t.strictSame(await ask(), [503, 'close'], 'a new connection is accepted')
  t.match(await stopped, { code: 0, signal: null })
  const seconds = (performance.now() - startedAt) / 1000
  t.ok(seconds >= 2 && seconds < 8, `the service ended after ${seconds} s`)
})

t.test('staging drains only if a setting requests it [D44]', async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir()])
  const startedAt = performance.now()
  const { stderr } = await served.stop()
  t.notMatch(stderr, 'draining')
  t.ok(performance.now() - startedAt < 3000)
})

interface Load {
  /** Returns the number of successful requests. */
  answered(): number
  /** Ends the clients and returns the faults. */
  stop(): Promise<readonly string[]>
}

/**
 * Starts clients that send requests one after the other. They read, and they register investors.
 */
function sendSteadily(url: string, token: string, clients = 4): Load {
  const agent = new Agent({ keepAlive: true })
  const faults: string[] = []
  let [isOver, answered] = [false, 0]
  const ask = async (path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request(`${url}${path}`, { agent, method, headers }).end(body)
    const [answer] = await once(asked, 'response')
    const told = await text(answer)
    if (answer.statusCode < 300) answered += 1
    else faults.push(`${method} ${path}: ${answer.statusCode} ${told}`)
  }
  const client = async (name: number) => {
    for (let round = 0; !isOver; round += 1) {
      const body = JSON.stringify({ partner_customer_ref: `customer-${name}-${round}` })
      const sent = round % 4 === 0 ? ask('/v1/investors', body) : ask('/v1/me')
      await sent.catch((error) => faults.push(String(error)))
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, name) => client(name)))
  return {
    answered: () => answered,
    async stop() {
      isOver = true
      await all
      agent.destroy()
      return faults
    },
  }
}

t.test(
  'a rolling restart behind a proxy that polls readiness loses no request [D44]',
  async (t) => {
    const flags = ['--drain', '2s', '--base-url', 'http://partners.example']
    const instances = await createInstances(t, ['--data-dir', '/var/lib/coopshare-$port', ...flags])
    const proxy = await startLoadBalancer(t)
    const start = async () => {
      const instance = await instances.start()
      const url = instance.served.listening_url
      proxy.add(url)
      await until(t, () => proxy.ready().includes(url))
      return instance
    }
    const running = [await start(), await start()]
    const load = sendSteadily(proxy.url, running[0]?.partner.accessToken ?? '')
    const beforeRestart = load.answered()
    for (const { served } of running) {
      await start()
      t.equal((await served.stop()).code, 0)
      await isClosed(t, served)
    }
    const during = load.answered() - beforeRestart
    const faults = await load.stop()
    t.strictSame(faults.slice(0, 5), [], 'no request failed')
    t.ok(during > 50, `${during} requests were answered during the restarts`)
  },
)

async function isClosed(t: Test, { listening_url }: Served): Promise<void> {
  const { port } = new URL(listening_url)
  const socket = connect(Number(port), '127.0.0.1')
  const [error] = await once(socket, 'error')
  t.equal(error.code, 'ECONNREFUSED')
}
