// Twice as much as the service can do, on 1 000 connections, with clients among them that never end what they send:
// `npm run bench:edge -- [--seconds 60]`. Ends with 1 where something was answered that is neither right nor a refusal.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { renderTable } from '../src/cli/table.ts'
import { Generator } from './load/generator.ts'
import type { Outcome } from './load/load.ts'
import { residentBytesOf } from './process-tree.ts'
import { type RunningService, startCoopshare } from './service.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const seconds = Number(values.seconds)
const [connections, slowClients] = [1000, 100]
const page = '/v1/cooperatives?size=20'

interface Phase {
  readonly title: string
  readonly connections: number
  readonly seconds: number
  readonly limits: 'raised' | 'published'
}

interface Run extends Phase, Outcome {
  /** Megabytes, once a second. */
  readonly resident: readonly number[]
}

const phases: readonly Phase[] = [
  { title: 'capacity', connections: 16, seconds: Math.min(10, seconds), limits: 'raised' },
  { title: 'limits raised', connections, seconds, limits: 'raised' },
  { title: 'published limits', connections, seconds, limits: 'published' },
]

async function run(generator: Generator, service: RunningService, phase: Phase): Promise<Run> {
  const { origin, headers, pid } = service
  const load = { origin, method: 'GET' as const, paths: [page], headers, expected: { status: 200 } }
  const resident: number[] = []
  const watch = setInterval(() => resident.push(residentBytesOf(pid) / 1e6), 1000)
  try {
    return { ...phase, ...(await generator.send({ ...phase, load })), resident }
  } finally {
    clearInterval(watch)
  }
}

/** How long each was suffered, in seconds; half of them do not end their headers, half not their body. */
function holdConnections({ origin }: RunningService): Promise<number[]> {
  const { hostname, port } = new URL(origin)
  const begun = [
    `GET ${page} HTTP/1.1\r\nHost: x\r\n`,
    'POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\ngrant',
  ]
  const hold = async (number: number) => {
    const startedAt = performance.now()
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).resume()
    socket.write(begun[number % begun.length] ?? '')
    await once(socket, 'close')
    return (performance.now() - startedAt) / 1000
  }
  return Promise.all(Array.from({ length: slowClients }, (_, number) => hold(number)))
}

function print(runs: readonly Run[], held: readonly number[]): void {
  const middle = ({ resident }: Run) => resident[resident.length >> 1] ?? Number.NaN
  console.log(
    renderTable(runs, {
      load: ({ title }) => title,
      connections: (run) => run.connections,
      seconds: (run) => run.seconds.toFixed(0),
      'answers/s': ({ perSecond }) => perSecond.toFixed(0),
      'p50 ms': ({ p50Ms }) => p50Ms.toFixed(0),
      'p99 ms': ({ p99Ms }) => p99Ms.toFixed(0),
      statuses: ({ statuses }) => JSON.stringify(statuses),
      'MB in the middle': (run) => middle(run).toFixed(0),
      'MB at the end': ({ resident }) => resident.at(-1)?.toFixed(0),
      'MB at most': ({ resident }) => Math.max(...resident).toFixed(0),
    }),
  )
  const [shortest, longest] = [Math.min(...held), Math.max(...held)]
  console.log(
    `\n${held.length} clients that never ended a request were cut off after ${shortest.toFixed(0)} to ${longest.toFixed(0)} s.`,
  )
}

const directory = await mkdtemp(join(tmpdir(), 'coopshare-edge-'))
const generator = new Generator()
const raised = await startCoopshare({ directory: join(directory, 'raised'), setUp: {} })
const published = await startCoopshare({
  directory: join(directory, 'published'),
  setUp: {},
  isLimited: true,
})
try {
  const held = holdConnections(raised)
  const runs: Run[] = []
  for (const phase of phases) {
    runs.push(await run(generator, phase.limits === 'raised' ? raised : published, phase))
  }
  print(runs, await held)
  const unknown = runs.flatMap(({ statuses }) =>
    Object.keys(statuses).filter((status) => !['200', '429', '503'].includes(status)),
  )
  if (unknown.length > 0) {
    console.error(`There were answers that are no refusal: ${unknown.join(', ')} (0: none at all).`)
    process.exitCode = 1
  }
} finally {
  generator.stop()
  await raised.stop()
  await published.stop()
  await rm(directory, { recursive: true, force: true })
}
