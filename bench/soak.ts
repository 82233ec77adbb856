// Orders and what is read of them, for ten minutes: does memory or time drift? `npm run bench:soak -- [--minutes 10]`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orderFor } from '../fixtures/seed-orders.ts'
import { median } from './compare.ts'
import { Generator } from './load/generator.ts'
import type { Load, Outcome } from './load/load.ts'
import { residentBytesOf } from './process-tree.ts'
import { type RunningService, startCoopshare } from './service.ts'
import { refOf } from './set-up.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const [investors, connections, turns] = [1000, 16, 20]
const secondsPerTurn = (Number(values.minutes) * 60) / turns

interface Turn {
  readonly orders: Outcome
  readonly reads: Outcome
  readonly megabytes: number
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
      body: JSON.stringify(orderFor(items[0].id)),
      expected: { status: 201, contains: ['"status":"submitted"'] },
    },
    reads: { origin, method: 'GET', paths, headers, expected: { status: 200 } },
  }
}

function show({ orders, reads, megabytes }: Turn, number: number): void {
  const figures = ({ perSecond, p50Ms, p99Ms }: Outcome) =>
    `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  const at = (((number + 1) * secondsPerTurn) / 60).toFixed(1)
  console.log(
    `${at} min  orders ${figures(orders)}  reads ${figures(reads)}  ${megabytes.toFixed(0)} MB`,
  )
}

/** The last third beside the first one. */
function showDrift(all: readonly Turn[]): void {
  const third = Math.floor(all.length / 3)
  const drift = (figure: (turn: Turn) => number) =>
    (median(all.slice(-third).map(figure)) / median(all.slice(0, third).map(figure))).toFixed(2)
  const placed = all.reduce((sum, { orders }) => sum + orders.answers, 0)
  const grown = (all.at(-1)?.megabytes ?? 0) - (all[0]?.megabytes ?? 0)
  console.log(
    `\nThe last third of the first: p50 of orders ${drift(({ orders }) => orders.p50Ms)},`,
  )
  console.log(
    `p50 of reads ${drift(({ reads }) => reads.p50Ms)}, memory ${drift((turn) => turn.megabytes)}`,
  )
  console.log(
    `${placed} orders were placed: ${((grown * 1000) / placed).toFixed(2)} kB of memory each.`,
  )
}

const directory = await mkdtemp(join(tmpdir(), 'coopshare-soak-'))
const generator = new Generator()
const service = await startCoopshare({ directory: join(directory, 'data'), setUp: { investors } })
try {
  const loads = await loadsOf(service)
  const all: Turn[] = []
  for (let number = 0; number < turns; number++) {
    const seconds = secondsPerTurn / 2
    const orders = await generator.send({ load: loads.orders, connections, seconds })
    const reads = await generator.send({ load: loads.reads, connections, seconds })
    const turn = { orders, reads, megabytes: residentBytesOf(service.pid) / 1e6 }
    all.push(turn)
    show(turn, number)
  }
  showDrift(all)
  const wrong = all.flatMap(({ orders, reads }) => orders.firstWrong ?? reads.firstWrong ?? [])
  if (wrong.length > 0) {
    console.error(`There were wrong answers: ${wrong[0]}`)
    process.exitCode = 1
  }
} finally {
  generator.stop()
  await service.stop()
  await rm(directory, { recursive: true, force: true })
}
