// Orders and reads for minutes: how speed and memory change, and the longest pause. Nothing is
// required, because other work on the machine causes some of the changes.
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { type Bench, median, requireRight } from '../bench.ts'
import type { Load, Outcome } from '../load/load.ts'
import { placing } from '../load/partner-loads.ts'
import { residentBytesOf } from '../servers/process-tree.ts'
import { startOnEngines } from '../servers/service.ts'

const investors = 1000
const connections = 16
const warmUpSeconds = 5

interface Turn {
  readonly orders: Outcome
  readonly reads: Outcome
  readonly megabytes: number
  readonly slowestReadyMs: number
}

export async function measure(bench: Bench): Promise<void> {
  const { ours } = await startOnEngines(bench, { setUp: { investors, entryFee: '0.00' } })
  for (const service of ours) {
    const { load: orders } = await placing(service, { investors })
    const { origin, paths, headers } = orders
    const reads: Load = { origin, paths, headers, method: 'GET', expected: { status: 200 } }
    const send = async (load: Load, seconds: number) => {
      const outcome = await bench.generator.send({ load, connections, seconds })
      requireRight(service.name, outcome)
      return outcome
    }
    for (const load of [orders, reads]) await send(load, warmUpSeconds)
    const count = Math.min(20, Math.max(3, Math.floor(bench.minutes * 10)))
    const seconds = (bench.minutes * 60) / count / 2
    const turns: Turn[] = []
    for (let number = 1; number <= count; number++) {
      const ended = new AbortController()
      const watching = slowestReadyMs(service.origin, ended.signal)
      const outcomes = { orders: await send(orders, seconds), reads: await send(reads, seconds) }
      ended.abort()
      const megabytes = residentBytesOf(service.pid) / 1e6
      turns.push({ ...outcomes, megabytes, slowestReadyMs: await watching })
      console.log(`${((number * seconds * 2) / 60).toFixed(1)} min  ${describe(turns.at(-1))}`)
    }
    showChanges(bench, service.name, turns)
  }
}

/** Asks whether the service is ready every few milliseconds, which shows its pauses. */
async function slowestReadyMs(origin: string, ended: AbortSignal): Promise<number> {
  let slowestMs = 0
  while (!ended.aborted) {
    const askedAt = performance.now()
    const { statusCode, body } = await request(`${origin}/readyz`)
    await body.dump()
    if (statusCode !== 200) throw new Error(`/readyz: ${statusCode}`)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    await pause(10)
  }
  return slowestMs
}

function describe(turn: Turn | undefined): string {
  if (!turn) return ''
  const figures = ({ perSecond, p50Ms, p99Ms }: Outcome) =>
    `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  return [
    `orders ${figures(turn.orders)}`,
    `reads ${figures(turn.reads)}`,
    `${turn.megabytes.toFixed(0)} MB`,
    `longest pause ${turn.slowestReadyMs.toFixed(0)} ms`,
  ].join('  ')
}

function showChanges(bench: Bench, name: string, turns: readonly Turn[]): void {
  const third = Math.floor(turns.length / 3)
  const change = (what: string, figure: (turn: Turn) => number) => {
    const [first, last] = [turns.slice(0, third), turns.slice(-third)]
    const times = median(last.map(figure)) / median(first.map(figure))
    bench.show(`${name}: ${what} of the last third, compared with the first`, [times], 'times')
  }
  change('p50 of orders', ({ orders }) => orders.p50Ms)
  change('p50 of reads', ({ reads }) => reads.p50Ms)
  const placed = turns.slice(1).reduce((sum, { orders }) => sum + orders.answers, 0)
  const grown = (turns.at(-1)?.megabytes ?? 0) - (turns[0]?.megabytes ?? 0)
  bench.show(`${name}: memory of an order`, [(grown * 1000) / placed], 'kB')
  const pauses = turns.map((turn) => turn.slowestReadyMs)
  bench.show(`${name}: longest pause`, [Math.max(...pauses)], 'ms')
}
