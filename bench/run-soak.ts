import { join } from 'node:path'
import { orderFor } from '../fixtures/world/seed-orders.ts'
import { median } from './compare.ts'
import { Generator } from './load/generator.ts'
import type { Load, Outcome } from './load/load.ts'
import { residentBytesOf } from './process-tree.ts'
import { watchReadiness } from './readiness.ts'
import { type RunningService, startCoopshare } from './service.ts'
import { refOf } from './set-up.ts'
import { refuseOutcome } from './wrong-answers.ts'

const [investors, connections, warmUpSeconds] = [1000, 16, 5]

interface Turn {
  readonly orders: Outcome
  readonly reads: Outcome
  readonly megabytes: number
  /** The longest time of an answer to `/readyz`, which shows pauses of the service. */
  readonly slowestReadyMs: number
}

async function loadsOf(service: RunningService): Promise<{ orders: Load; reads: Load }> {
  const { origin, headers } = service
  const paths: string[] = []
  for (let number = 0; number < investors; number++) {
    const found = await service.get(`/v1/investors?partner_customer_ref=${refOf(number)}`)
    paths.push(`/v1/investors/${found.investor_id}/share-purchases`)
  }
  const { items } = await service.get('/v1/cooperatives')
  return {
    orders: {
      ...{ origin, method: 'POST', paths, hasKeys: true },
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(orderFor(items[0].id, new Date().toISOString())),
      expected: { status: 201, contains: ['"status":"submitted"'] },
    },
    reads: { origin, method: 'GET', paths, headers, expected: { status: 200 } },
  }
}

function show({ orders, reads, megabytes, slowestReadyMs }: Turn, seconds: number): void {
  const figures = ({ perSecond, p50Ms, p99Ms }: Outcome) =>
    `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  const at = (seconds / 60).toFixed(1)
  console.log(
    `${at} min  orders ${figures(orders)}  reads ${figures(reads)}  ${megabytes.toFixed(0)} MB  slowest readiness ${slowestReadyMs.toFixed(0)} ms`,
  )
}

/** Compares the last third of the run with the first third. */
function showDrift(all: readonly Turn[]): void {
  const third = Math.floor(all.length / 3)
  const drift = (figure: (turn: Turn) => number) =>
    (median(all.slice(-third).map(figure)) / median(all.slice(0, third).map(figure))).toFixed(2)
  const placed = all.slice(1).reduce((sum, { orders }) => sum + orders.answers, 0)
  const grown = (all.at(-1)?.megabytes ?? 0) - (all[0]?.megabytes ?? 0)
  console.log(
    `\nThe last third in comparison with the first: p50 of orders ${drift(({ orders }) => orders.p50Ms)},`,
  )
  console.log(
    `p50 of reads ${drift(({ reads }) => reads.p50Ms)}, memory ${drift((turn) => turn.megabytes)}`,
  )
  console.log(
    `${placed} orders were placed: ${((grown * 1000) / placed).toFixed(2)} kB of memory each.`,
  )
  const slowest = Math.max(...all.map(({ slowestReadyMs }) => slowestReadyMs))
  console.log(`The slowest readiness answer took ${slowest.toFixed(0)} ms.`)
}

async function runTurns(
  service: RunningService,
  generator: Generator,
  minutes: number,
): Promise<readonly Turn[]> {
  const turns = Math.min(20, Math.max(3, Math.floor(minutes * 10)))
  const secondsPerTurn = (minutes * 60) / turns
  const loads = await loadsOf(service)
  const send = async (work: 'orders' | 'reads', seconds: number) => {
    const outcome = await generator.send({ load: loads[work], connections, seconds })
    refuseOutcome(service.name, work, outcome)
    return outcome
  }
  for (const work of ['orders', 'reads'] as const) await send(work, warmUpSeconds)
  const all: Turn[] = []
  for (let number = 0; number < turns; number++) {
    const { result, slowestReadyMs } = await watchReadiness(service.origin, async () => ({
      orders: await send('orders', secondsPerTurn / 2),
      reads: await send('reads', secondsPerTurn / 2),
    }))
    const turn = { ...result, megabytes: residentBytesOf(service.pid) / 1e6, slowestReadyMs }
    all.push(turn)
    show(turn, (number + 1) * secondsPerTurn)
  }
  return all
}

export async function runSoak(directory: string, minutes: number): Promise<void> {
  const generator = new Generator()
  const setUp = { investors, entryFee: '0.00' }
  const service = await startCoopshare({ directory: join(directory, 'data'), setUp })
  try {
    showDrift(await runTurns(service, generator, minutes))
  } finally {
    generator.stop()
    await service.stop()
  }
}
