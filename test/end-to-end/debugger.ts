import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import {
  runCoopshare,
  serve,
  spawnCoopshare,
  type Variables,
} from '../../fixtures/program/serve.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'

/** The debugger would listen here. */
async function debuggerPort() {
  const port = await findUnusedPort()
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(socket.destroy().destroyed))
      socket.once('error', () => resolve(false))
    })
  return { variables: { NODE_OPTIONS: `--inspect-port=${port}` }, isOpen }
}

t.test(
  'SIGUSR1 opens no debugger to the users of the machine and does not end the service',
  async (t) => {
    const { variables, isOpen } = await debuggerPort()
    const served = await serve(t, ['--data-dir', t.testdir()], variables)
    for (let sent = 0; sent < 3; sent += 1) process.kill(served.pid, 'SIGUSR1')
    t.equal((await checkedFetch(`${served.base_url}/readyz`)).status, 200)
    t.equal(await isOpen(), false)
    const { code, stderr } = await served.stop()
    t.equal(code, 0)
    t.notMatch(stderr, /debugger/i)
  },
)

/** A command that runs until it is stopped. It answers as soon as it has handled the signals that it got before. */
async function startCommand(t: Test, variables: Variables) {
  const argv = ['webhook', 'receive', '--port', '0', '--json']
  const secret = { COOPSHARE_SIGNING_SECRET: 'whsec_x' }
  const { process: child, ended } = await spawnCoopshare(argv, { ...variables, ...secret })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url: receiver } = JSON.parse(line)
  // biome-ignore lint/style/noRestrictedGlobals: this is a receiver of webhooks.
  const answer = async () => (await fetch(receiver, { method: 'POST' })).status
  return { child, ended, answer }
}

t.test('SIGUSR1 opens no debugger of a command', async (t) => {
  const { variables, isOpen } = await debuggerPort()
  const { child, ended, answer } = await startCommand(t, variables)
  for (let sent = 0; sent < 3; sent += 1) {
    child.kill('SIGUSR1')
    t.equal(await answer(), 401)
    t.equal(await isOpen(), false)
  }
  child.kill('SIGTERM')
  t.notMatch((await ended).stderr, /debugger/i)
})

t.test('a debugger that SIGUSR1 has opened before the program runs is closed', async (t) => {
  const early = join(
    t.testdir({ 'early.cjs': `process.kill(process.pid, 'SIGUSR1')` }),
    'early.cjs',
  )
  const { variables, isOpen } = await debuggerPort()
  const { NODE_OPTIONS } = variables
  const { answer } = await startCommand(t, { NODE_OPTIONS: `${NODE_OPTIONS} --require=${early}` })
  await until(t, async () => !(await isOpen()))
  t.equal(await answer(), 401)
})

t.test('a debugger that the user asks for is left open', async (t) => {
  const { code, stderr } = await runCoopshare(['--version'], { NODE_OPTIONS: '--inspect=0' })
  t.equal(code, 0)
  t.match(stderr, /Debugger listening/)
})
