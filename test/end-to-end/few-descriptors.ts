import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { programCommand, runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { connectionLimits } from '../../src/cli/serve/connection-limits.ts'

const skip = process.platform !== 'linux' && 'the service reads its limit from /proc'

/** Opens more connections than the service keeps, and sends nothing. Returns those that it keeps. */
async function occupy(t: Test, address: string, most = 0): Promise<readonly Socket[]> {
  const port = Number(new URL(address).port)
  const kept = new Set<Socket>()
  const opened = Array.from({ length: 200 }, async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => kept.delete(socket))
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    kept.add(socket)
  })
  await Promise.all(opened)
  await until(t, async () => kept.size <= most)
  return [...kept]
}

t.test(
  'a flood of connections takes neither the descriptors of the store nor the way in of operators [D22]',
  { skip },
  async (t) => {
    const data = join(t.testdir(), 'data')
    const here = ['--data-dir', data]
    const limited = ['sh', '-c', 'ulimit -n 160 && exec "$0" "$@"', ...programCommand]
    const served = await serve(t, here, {}, limited)
    const limits = connectionLimits(160)
    const flood = await occupy(t, served.listening_url, limits.partners)
    t.equal(flood.length, limits.partners)
    t.ok(readdirSync(`/proc/${served.pid}/fd`).length < 160)
    for (const argv of [
      ['organization', 'create', 'Demo Bank'],
      ['store', 'compact'],
      ['store', 'backup', join(t.testdirName, 'backup')],
    ]) {
      const { code, stderr } = await runCoopshare([...argv, ...here])
      t.equal(code, 0, `${argv.join(' ')}: ${stderr}`)
    }
    const operators = await occupy(t, served.operator_url, limits.operators)
    t.equal(operators.length, limits.operators)
    t.ok(readdirSync(`/proc/${served.pid}/fd`).length < 160)
    for (const socket of flood) socket.destroy()
    // The service notices only in its next turn, and until then it refuses further connections.
    await until(t, async () => readdirSync(`/proc/${served.pid}/fd`).length < flood.length)
    const ready = await checkedFetch(`${served.listening_url}/readyz`)
    t.equal(ready.status, 200, 'partners are answered while others occupy the operator endpoint')
    t.equal((await served.stop()).code, 0)
  },
)

t.test('both limits together are below the number of descriptors', async (t) => {
  for (const descriptors of [1, 64, 100, 256, 1024, 4096, 65_536, 1_048_576]) {
    const { partners = 0, operators } = connectionLimits(descriptors)
    t.ok(partners >= 1 && operators >= 1 && operators <= 500, `${descriptors}`)
    if (descriptors > 66) t.ok(partners + operators <= descriptors - 64, `${descriptors}`)
  }
})
