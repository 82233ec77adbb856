import { join } from 'node:path'
import { renderTable } from '../../src/cli/table.ts'
import { Generator } from '../load/generator.ts'
import type { Load } from '../load/load.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import { refuseOutcome } from '../wrong-answers.ts'
import { askCalmly } from './calm-second.ts'
import { Memory } from './memory.ts'
import { pipeline, pipelined } from './pipelining-clients.ts'
import { floodAndReset, resetting } from './resetting-clients.ts'
import type { SliceFigures } from './slice.ts'
import { describeSlow, faultsOfSlow, holdConnections } from './slow-clients.ts'
import { sendSteadily } from './steady-sender.ts'

const connections = 1000
// With fewer connections, the sender and not the service would limit the rate.
const closedLoop = { connections: 200, warmUpSeconds: 3, maximumSeconds: 10 }
const page = '/v1/cooperatives?size=20'
const maximumPipelinedMegabytes = 400
const resettingRounds = 4
const refusals = ['200', '429', '503']

interface Edge {
  readonly directory: string
  readonly seconds: number
}

/** Returns the limits that did not hold. */
export async function runEdge(edge: Edge): Promise<readonly string[]> {
  const { directory, seconds } = edge
  const start = (name: string, isLimited: boolean) =>
    startCoopshare({ directory: join(directory, name), setUp: {}, isLimited })
  const raised = await start('raised', false)
  const published = await start('published', true)
  const text = await raised.text(page)
  try {
    const capacity = await measureCapacity(raised, seconds)
    console.log(
      `Capacity: ${capacity.toFixed(0)} answers/s on ${closedLoop.connections} connections. ` +
        `Now ${(2 * capacity).toFixed(0)} requests a second are sent on ${connections} connections.\n`,
    )
    const slow = holdConnections(raised.origin)
    const overload = { perSecond: 2 * capacity, seconds }
    const faults = [
      ...(await overloadWith('Limits raised', raised, overload)),
      ...(await overloadWith('Published limits', published, overload)),
    ]
    const held = await slow
    console.log(`${describeSlow(held).join('\n')}\n`)
    const pipelining = await pipelineTo(raised, text, seconds)
    return [...faults, ...faultsOfSlow(held), ...pipelining, ...(await resetTo(raised, seconds))]
  } finally {
    await raised.stop()
    await published.stop()
  }
}

function loadOf({ origin, headers }: RunningService): Load {
  return { origin, headers, method: 'GET', paths: [page], expected: { status: 200 } }
}

async function measureCapacity(service: RunningService, seconds: number): Promise<number> {
  const generator = new Generator()
  const load = loadOf(service)
  const { connections, warmUpSeconds, maximumSeconds } = closedLoop
  try {
    await generator.send({ load, connections, seconds: warmUpSeconds })
    const burst = { load, connections, seconds: Math.min(maximumSeconds, seconds) }
    const outcome = await generator.send(burst)
    refuseOutcome(service.name, 'capacity', outcome)
    return outcome.perSecond
  } finally {
    generator.stop()
  }
}

interface Row extends SliceFigures {
  readonly megabytes: number
}

async function overloadWith(
  title: string,
  service: RunningService,
  rate: { readonly perSecond: number; readonly seconds: number },
): Promise<readonly string[]> {
  const text = await service.text(page)
  const before = await askCalmly(service, page, text)
  const memory = new Memory(service.pid)
  const rows: Row[] = []
  const steady = { load: loadOf(service), connections, ...rate }
  const unanswered = await sendSteadily(steady, (slice) =>
    rows.push({ ...slice, megabytes: memory.samples.at(-1) ?? Number.NaN }),
  )
  memory.stop()
  print(title, rows)
  const after = await askCalmly(service, page, text)
  console.log(
    `A request without other load took ${before.medianMs.toFixed(1)} ms before and ${after.medianMs.toFixed(1)} ms afterwards.\n`,
  )
  const faults = [...faultsOf(rows, unanswered), ...memory.faults(), ...after.faults]
  return faults.map((fault) => `${title}: ${fault}`)
}

function print(title: string, rows: readonly Row[]): void {
  const all = [...new Set(rows.flatMap(({ statuses }) => Object.keys(statuses)))]
  const byStatus = all.map((status) => [
    status === '0' ? 'broken' : `status ${status}`,
    (row: Row) => row.statuses[status] ?? 0,
  ])
  const table = renderTable(rows, {
    from: (row) => `${rows.indexOf(row) * 10} s`,
    offered: ({ offered }) => offered,
    answered: ({ answered }) => answered,
    'not sent': ({ unsent }) => unsent,
    ...Object.fromEntries(byStatus),
    'p50 ms': ({ p50Ms }) => p50Ms.toFixed(0),
    'p99 ms': ({ p99Ms }) => p99Ms.toFixed(0),
    MB: ({ megabytes }) => megabytes.toFixed(0),
  })
  console.log(`${title}\n${table}`)
}

function faultsOf(rows: readonly Row[], unanswered: number): readonly string[] {
  const count = (status: string) =>
    rows.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0)
  const statuses = new Set(rows.flatMap((row) => Object.keys(row.statuses)))
  const unknown = [...statuses].filter((status) => ![...refusals, '0'].includes(status))
  return [
    ...(count('0') > 0 ? [`${count('0')} connections broke without an answer`] : []),
    ...(unanswered > 0 ? [`${unanswered} requests never had an answer`] : []),
    ...(unknown.length > 0 ? [`some answers had an unexpected status: ${unknown.join(', ')}`] : []),
  ]
}

async function pipelineTo(
  service: RunningService,
  text: string,
  seconds: number,
): Promise<readonly string[]> {
  const memory = new Memory(service.pid)
  const bytes = await pipeline(service, page, Math.min(30, seconds))
  const { most } = memory.stop()
  const after = await askCalmly(service, page, text)
  console.log(
    `${pipelined}: ${(bytes / 1e6).toFixed(0)} MB of answers came, and the service used ${most.toFixed(0)} MB of memory at most.`,
  )
  return [
    ...(memory.hasEnded ? ['pipelining: the service has ended'] : []),
    ...(most > maximumPipelinedMegabytes ? [`pipelining: ${most.toFixed(0)} MB of memory`] : []),
    ...after.faults.map((fault) => `pipelining: ${fault}`),
  ]
}

/**
 * If the service kept the state of closed connections, its heap and its number of requests in
 * progress would grow.
 */
async function resetTo(service: RunningService, seconds: number): Promise<readonly string[]> {
  for (let round = 0; round < resettingRounds; round++) {
    const { connections, heapMegabytes, inFlight } = await floodAndReset(
      service,
      Math.min(30, seconds) / resettingRounds,
    )
    console.log(
      `${resetting}: ${connections} connections were reset. The service then had a heap of ${heapMegabytes.toFixed(0)} MB and ${inFlight} requests in progress.`,
    )
    if (inFlight > 0) return [`resetting: ${inFlight} requests are still held`]
    if (heapMegabytes > maximumPipelinedMegabytes) {
      return [`resetting: a heap of ${heapMegabytes.toFixed(0)} MB`]
    }
  }
  return []
}
