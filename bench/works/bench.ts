import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startChild } from '../children.ts'
import { median } from '../compare.ts'
import type { Contestant, Result } from '../contestant.ts'
import { cpuFloor, figureFloor } from '../floors.ts'
import { askOperator } from '../operator.ts'
import { orderLoadFor } from '../order-load.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import { organization } from '../set-up.ts'
import type { Bench, Floor, Measured } from '../work.ts'

const work = 'bench'
const [withBench, without] = ['order, with --bench', 'order, without']
const investors = 200
const dueDeliveries = 1000
const program = join(import.meta.dirname, '..', '..', 'bin', 'run.js')

/** Measures how long partners who test against the service have to wait. */
export async function measureBench(bench: Bench): Promise<Measured> {
  const one = await measureReady(bench, 1)
  const ten = await measureReady(bench, 10)
  const service = await start(bench, 'with', ['--bench', '--allow-private-webhooks'])
  const reset = await measureReset(bench, service)
  const advance = await measureAdvance(service)
  const results = await measureJournal(bench, service)
  const figure = (what: string, limit: number, unit: string, value: number): Floor =>
    figureFloor({ work, figure: what, bound: 'at most', limit, unit }, value)
  return {
    results,
    floors: [
      figure('ready after', 1000, ' ms', one),
      figure('ten at once, each ready after', 10_000, ' ms', ten),
      figure('reset', 50, ' ms', reset),
      figure(`advance over ${dueDeliveries} due deliveries`, 10_000, ' ms', advance),
      cpuFloor(results, { work, connections: 16, names: [withBench, without] }, 1.15),
    ],
  }
}

/**
 * Starts this number of services with demo data. Returns the milliseconds until the last one is
 * ready.
 */
async function measureReady(bench: Bench, count: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < bench.rounds; round++) {
    const startedAt = performance.now()
    const starting = Array.from({ length: count }, (_, number) => {
      const directory = join(bench.directory, `ready-${count}-${round}-${number}`)
      const argv = ['serve', '--bench', '--demo', '--json', '--port', '0', '--data-dir', directory]
      return startChild([process.execPath, program, ...argv])
    })
    const started = await Promise.all(starting)
    times.push(performance.now() - startedAt)
    await Promise.all(started.map((child) => child.stop()))
  }
  return median(times)
}

async function start(bench: Bench, name: string, flags: readonly string[]) {
  const directory = join(bench.directory, name)
  return bench.stopAtEnd(await startCoopshare({ directory, flags, setUp: { investors } }))
}

async function measureReset(bench: Bench, { directory }: RunningService): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3 * bench.rounds; round++) {
    await askOperator(directory, 'POST', '/operations/organization.create', { name: `${round}` })
    times.push(await timeOf(() => askOperator(directory, 'POST', '/bench/reset')))
  }
  return median(times)
}

/** Advances the clock past the retries of deliveries that have each failed once. */
async function measureAdvance(service: RunningService): Promise<number> {
  const { directory } = service
  let status = 500
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  try {
    await askOperator(directory, 'POST', '/operations/webhook.register', { organization, url })
    await placeOrders(service, dueDeliveries)
    await askOperator(directory, 'POST', '/bench/clock', { advance: '0s', timeout: '2m' })
    status = 204
    const body = { advance: '1h', timeout: '2m' }
    const ms = await timeOf(() => askOperator(directory, 'POST', '/bench/clock', body))
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

async function placeOrders(service: RunningService, count: number): Promise<void> {
  const { origin, paths, headers, body } = await orderLoadFor(service, { investors })
  const [text = ''] = [body ?? ''].flat()
  for (let number = 0; number < count; number++) {
    const path = paths[number % paths.length] ?? ''
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: text })
    if (answer.status !== 201) throw new Error(`${path}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}

async function measureJournal(bench: Bench, service: RunningService): Promise<Result[]> {
  const other = await start(bench, 'without', [])
  const contestants: Contestant[] = []
  for (const [name, one] of [
    [withBench, service],
    [without, other],
  ] as const) {
    contestants.push({ name, roots: [one.pid], load: await orderLoadFor(one, { investors }) })
  }
  const warmUp = { answers: 10_000, maximumSeconds: 8 }
  return bench.run({ work, connections: 16, contestants, warmUp, leastSeconds: 1 })
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}
