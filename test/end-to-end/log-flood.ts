import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { type Served, serve } from '../../fixtures/program/serve.ts'

interface Line {
  readonly msg: string
  readonly time: string
  readonly route?: string
  readonly status?: number
  readonly leftOut?: number
}

const operatorToken = 'operator-token-of-the-test-0123456789'

function start(t: Test): Promise<Served> {
  return serve(t, ['--demo', '--data-dir', t.testdir()], {
    COOPSHARE_OPERATOR_TOKEN: operatorToken,
  })
}

const perConnection = 50

interface Sent {
  readonly path: string
  readonly token?: string
  readonly times: number
  /** Every connection has an address of its own, of this machine. */
  readonly fromManyAddresses?: boolean
}

/** Sends many requests on each connection, without waiting for their answers. */
async function send(url: string, { path, token, times, fromManyAddresses }: Sent): Promise<void> {
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : ''
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}`
  for (let sent = 0; sent < times; sent += perConnection) {
    const localAddress = fromManyAddresses ? `127.0.1.${1 + sent / perConnection}` : '127.0.0.1'
    const port = Number(new URL(url).port)
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.write(`${`${head}\r\n`.repeat(perConnection - 1)}${head}Connection: close\r\n\r\n`)
    await once(socket.resume(), 'end')
  }
}

async function linesOf({ stop }: Served): Promise<readonly Line[]> {
  const { stderr } = await stop()
  return stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Lines that were written however many there were before. */
function unlimited({ msg }: Line): boolean {
  return ['starting', 'serving', 'draining', 'stopped', 'delivery attempted'].includes(msg)
}

function checkSeconds(t: Test, lines: readonly Line[]): void {
  const limited = lines.filter((line) => !unlimited(line))
  for (const second of new Set(limited.map(({ time }) => time.slice(0, 19)))) {
    const { length } = limited.filter(({ time }) => time.startsWith(second))
    t.ok(length <= 200, `${length} lines`)
  }
}

function leftOutIn(lines: readonly Line[]): number {
  return lines.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0)
}

t.test(
  'a flood writes at most 200 log lines a second, and the log counts the others [D41]',
  async (t) => {
    const served = await start(t)
    const times = 3000
    await send(served.base_url, { path: '/none', times })
    await send(served.base_url, { path: '/v1/me', token: 'none', times })
    const lines = await linesOf(served)
    checkSeconds(t, lines)
    t.ok(leftOutIn(lines) > 0)
    t.equal(lines.filter(({ msg }) => msg === 'answered').length + leftOutIn(lines), 2 * times)
    t.ok(
      lines.some(({ msg }) => msg === 'stopped'),
      'other lines are written',
    )
  },
)

t.test('wrong operator tokens from many addresses do not fill the log [D41]', async (t) => {
  const served = await start(t)
  await send(served.operator_url, {
    path: '/metrics',
    token: 'none',
    times: 5000,
    fromManyAddresses: true,
  })
  const lines = await linesOf(served)
  checkSeconds(t, lines)
  t.ok(leftOutIn(lines) > 0)
})

t.test('the log has every request of a known caller [D41]', async (t) => {
  const served = await start(t)
  const { base_url, operator_url, client_id = '', client_secret = '' } = served
  const { accessToken: token } = await signIn(base_url, { client_id, client_secret })
  const times = 500
  await send(base_url, { path: '/none', times })
  await send(base_url, { path: '/v1/cooperatives', token, times })
  await send(operator_url, { path: '/none', times })
  await send(operator_url, { path: '/requests', token: operatorToken, times })
  const lines = await linesOf(served)
  const countOf = (path: string) =>
    lines.filter(({ route, status }) => route === path && status === 200).length
  t.equal(countOf('/v1/cooperatives'), times)
  t.equal(countOf('/requests'), times)
})
