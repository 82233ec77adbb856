// `npm run bench:engines` measures orders and pages of orders on both storage engines, and compares
// them with a server that only stores orders (bench/peers).
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { Pool } from 'undici'
import { startDatabaseServer } from '../fixtures/postgres/server.ts'
import { orderFor } from '../fixtures/world/seed-orders.ts'
import { renderTable } from '../src/cli/table.ts'
import { readArguments, wholeNumber } from './arguments.ts'
import { median } from './compare.ts'
import { fillOrders } from './fill-orders.ts'
import { fillStore } from './fill-store.ts'
import { installPeers } from './install-peers.ts'
import { servePartner } from './partner.ts'
import { startPeer } from './peer.ts'
import { withFolder } from './with-folder.ts'

const [rounds, requests] = readArguments(() => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '7' },
      requests: { type: 'string', default: '2000' },
    },
  })
  return [wholeNumber('--rounds', values.rounds), wholeNumber('--requests', values.requests)]
})
// The orders belong to a thousand investors. With fewer investors, orders would wait for each
// other, because an investor's records are changed one at a time.
const storedOrders = 10_000

type Work = 'order' | 'page'

interface Subject {
  readonly name: string
  readonly pid: number
  readonly databasePids: () => readonly number[]
  send(work: Work): Promise<unknown>
  stop(): Promise<void>
}

interface Row {
  readonly work: Work
  readonly connections: number
  readonly subject: Subject
  readonly perSecond: number[]
  /** CPU time in microseconds: of the server, and of the database for the server. */
  readonly cpu: number[]
  readonly databaseCpu: number[]
}

const tickMicroseconds = 10_000

/** Returns the CPU time that a process has used so far. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds
  } catch {
    return 0
  }
}

async function measure({ subject, connections, work, ...row }: Row, count: number): Promise<void> {
  const pids = subject.databasePids()
  const [cpu, databaseCpu] = [cpuOf(subject.pid), pids.map(cpuOf).reduce(add, 0)]
  const startedAt = performance.now()
  let left = count
  const worker = async () => {
    while (left-- > 0) await subject.send(work)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  row.perSecond.push((count / (performance.now() - startedAt)) * 1000)
  row.cpu.push((cpuOf(subject.pid) - cpu) / count)
  row.databaseCpu.push((pids.map(cpuOf).reduce(add, 0) - databaseCpu) / count)
}

const add = (left: number, right: number) => left + right

async function startService(name: string, place: readonly string[], directory: string) {
  const seeded = await fillStore(directory, fillOrders(storedOrders), ...place)
  const service = await servePartner(directory, seeded, place)
  const paths = [...new Set(seeded.oldOrders.map((path) => path.replace(/\/[^/]+$/, '')))]
  let next = 0
  const body = orderFor(seeded.cooperativeId)
  const send = (work: Work) => {
    const path = paths[next++ % paths.length] ?? ''
    return work === 'order'
      ? service.send('POST', path, body, randomUUID())
      : service.send('GET', `${path}?size=20`)
  }
  return { name, pid: service.pid, send, stop: service.stop, body }
}

/** Starts a server that stores the orders of partners without checks. */
async function startMinimal(url: string, body: unknown): Promise<Omit<Subject, 'databasePids'>> {
  const child = await startPeer('fastify-postgres', url)
  const client = new Pool(child.said, { connections: 64 })
  let next = 0
  const send = async (work: Work) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const path = `/investors/${next++ % 100}/orders`
    const request =
      work === 'order'
        ? ({ method: 'POST', headers, body: JSON.stringify(body) } as const)
        : ({ method: 'GET' } as const)
    const answer = await client.request({ path, ...request })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(text)
    return JSON.parse(text)
  }
  const stop = async () => {
    await client.close()
    await child.stop()
  }
  return { name: 'minimal', pid: child.pid, send, stop }
}

async function compare(root: string, serverUrl: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
  const databaseOf = async (name: string) => {
    await sql.unsafe(`create database ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }
  const [ours, theirs] = [await databaseOf('ours'), await databaseOf('theirs')]
  const keyFile = join(root, 'key')
  await writeFile(keyFile, randomUUID().replaceAll('-', '').repeat(2))
  const inDatabase = ['--database-url', ours, '--encryption-key-file', keyFile]
  const database = await startService('PostgreSQL', inDatabase, join(root, 'control'))
  const directory = await startService('directory', [], join(root, 'directory'))
  const minimal = await startMinimal(theirs, database.body)
  const backends = (name: string) => () =>
    execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`postgres: postgres ${name} `))
      .map((line) => Number.parseInt(line, 10))
  const subjects: readonly Subject[] = [
    { ...minimal, databasePids: backends('theirs') },
    { ...database, databasePids: backends('ours') },
    { ...directory, databasePids: () => [] },
  ]
  const rows = (['order', 'page'] as const).flatMap((work) =>
    [16, 64].flatMap((connections) =>
      subjects.map((subject): Row => {
        const figures = { perSecond: [], cpu: [], databaseCpu: [] }
        return { work, connections, subject, ...figures }
      }),
    ),
  )
  // The first round only warms up. Each round measures all servers, so that other work on the
  // machine affects all of them.
  for (const row of rows)
    await measure({ ...row, perSecond: [], cpu: [], databaseCpu: [] }, requests)
  for (let round = 0; round < rounds; round++) for (const row of rows) await measure(row, requests)
  print(rows)
  for (const { stop } of subjects) await stop()
  await sql.end()
}

function print(rows: readonly Row[]): void {
  const minimalOf = ({ work, connections }: Row) =>
    rows.find((row) => row.work === work && row.connections === connections)
  /**
   * Compares the servers round by round, because in a round both had the same load on the machine.
   */
  const ratios = (row: Row) =>
    row.perSecond.map((perSecond, round) => perSecond / (minimalOf(row)?.perSecond[round] ?? 1))
  console.log(
    renderTable(rows, {
      work: ({ work }) => work,
      connections: ({ connections }) => connections,
      server: ({ subject }) => subject.name,
      'a second, median': ({ perSecond }) => median(perSecond).toFixed(0),
      'from - to': ({ perSecond }) =>
        `${Math.min(...perSecond).toFixed(0)} - ${Math.max(...perSecond).toFixed(0)}`,
      'of minimal': (row) => median(ratios(row)).toFixed(2),
      'CPU of the server': ({ cpu }) => `${median(cpu).toFixed(0)} µs`,
      'of the database': ({ databaseCpu }) => `${median(databaseCpu).toFixed(0)} µs`,
    }),
  )
}

installPeers()
const server = await startDatabaseServer([])
try {
  console.log(`${rounds} rounds of ${requests} requests.`)
  await withFolder((root) => compare(root, server.url))
} finally {
  await server.stop()
}
