// How long partners wait who test against the service (`serve --bench`) on a laptop or in CI.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import type { Bench } from '../bench.ts'
import { placing } from '../load/partner-loads.ts'
import { startChild } from '../servers/child-process.ts'
import { askOperator } from '../servers/operator.ts'
import { ownProgram, type RunningService, startService } from '../servers/service.ts'
import { organization } from '../servers/set-up.ts'

const setUp = { investors: 200 }
const dueDeliveries = 1000

export async function measure(bench: Bench): Promise<void> {
  bench.show('ready with demo data after', await readyMs(bench, 1), 'ms')
  bench.show('ten at the same time, the last one ready after', await readyMs(bench, 10), 'ms')
  const name = 'with --bench'
  const service = await startService(bench, { name, flags: ['--bench'], setUp })
  const { directory } = service
  const resets: number[] = []
  for (let round = 0; round < 3 * bench.rounds; round++) {
    await askOperator(directory, 'POST', '/operations/organization.create', { name: `${round}` })
    resets.push(await timeOf(() => askOperator(directory, 'POST', '/bench/reset')))
  }
  bench.show('a reset', resets, 'ms')
  const advance = await advanceMs(service)
  bench.show(`an advance over ${dueDeliveries} due deliveries`, [advance], 'ms')
  const other = await startService(bench, { name: 'without', setUp })
  await bench.run({
    work: 'order',
    connections: 16,
    ours: [await placing(service, setUp)],
    others: [await placing(other, setUp)],
    warmUp: { answers: 10_000, maximumSeconds: 8 },
    seconds: 1,
  })
}

/** Starts this number of services in each round. */
async function readyMs(bench: Bench, count: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < bench.rounds; round++) {
    const startedAt = performance.now()
    const starting = Array.from({ length: count }, (_, number) => {
      const directory = join(bench.directory, `ready-${count}-${round}-${number}`)
      const argv = ['serve', '--bench', '--demo', '--json', '--port', '0', '--data-dir', directory]
      return startChild([process.execPath, ownProgram, ...argv])
    })
    const started = await Promise.all(starting)
    times.push(performance.now() - startedAt)
    await Promise.all(started.map((child) => child.stop()))
  }
  return times
}

/** Advances the clock over the retries of deliveries that have each failed once. */
async function advanceMs(service: RunningService): Promise<number> {
  const { directory } = service
  let status = 500
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const advance = (by: string) =>
    askOperator(directory, 'POST', '/bench/clock', { advance: by, timeout: '2m' })
  try {
    await askOperator(directory, 'POST', '/operations/webhook.register', { organization, url })
    const { load } = await placing(service, setUp)
    const [body = null] = [load.body ?? []].flat()
    for (let number = 0; number < dueDeliveries; number++) {
      const path = load.paths[number % load.paths.length]
      const { origin, headers } = load
      const answer = await request(`${origin}${path}`, { method: 'POST', headers, body })
      const text = await answer.body.text()
      if (answer.statusCode !== 201) throw new Error(`${path}: ${text}`)
    }
    await advance('0s')
    status = 204
    const ms = await timeOf(() => advance('1h'))
    const coverage = JSON.parse(await askOperator(directory, 'GET', '/bench/coverage'))
    const [delivered] = coverage.deliveries
    if (delivered.times < dueDeliveries) throw new Error(`Only ${delivered.times} were delivered.`)
    await askOperator(directory, 'POST', '/bench/reset')
    return ms
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}
