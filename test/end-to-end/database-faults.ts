import { chownSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { seededRandom } from '../../fixtures/kill-rounds/load.ts'
import { createProgram } from '../../fixtures/kill-rounds/program.ts'
import {
  begin,
  beginLoad,
  type Running,
  requireAllOutcomes,
} from '../../fixtures/kill-rounds/run.ts'
import type { DatabaseServer } from '../../fixtures/postgres/server.ts'
import { mountSmallDisk } from '../../fixtures/stores/disks.ts'
import { temporaryDirectory } from '../../fixtures/stores/engines.ts'

interface Progress {
  acknowledged: number
  refused: number
}

/** Sends orders and decisions to all instances while `happen` runs. */
async function underLoad(
  { scene, instances }: Running,
  happen: (progress: Progress) => Promise<void>,
): Promise<void> {
  const progress: Progress = { acknowledged: 0, refused: 0 }
  const round = {
    isOver: false,
    noteAcknowledged() {
      progress.acknowledged += 1
    },
    noteRefused() {
      progress.refused += 1
    },
  }
  const working = Promise.all(instances.flatMap((instance) => beginLoad(scene, instance, round)))
  try {
    // The test ends early if a worker finds a defect or if an instance ends.
    await Promise.race([happen(progress), working, requireAlive(instances)])
  } finally {
    round.isOver = true
  }
  await working
}

/**
 * Never resolves, and throws if an instance ends. A fault of the database is no reason for that.
 */
async function requireAlive(instances: Running['instances']): Promise<void> {
  const { code, signal, stderr } = await Promise.race(instances.map(({ served }) => served.ended))
  throw new Error(`An instance has ended with ${code ?? signal}: ${stderr}`)
}

/**
 * Requires that the service refuses requests during the fault and recovers automatically
 * afterwards.
 */
async function requireRecovery(
  t: Test,
  progress: Progress,
  fault: { begin(): Promise<unknown>; end(): Promise<unknown> },
): Promise<void> {
  const enough = 20
  await until(t, () => progress.acknowledged > enough)
  const refusedBefore = progress.refused
  await fault.begin()
  await until(t, () => progress.refused > refusedBefore + 3, 60_000)
  await fault.end()
  const before = progress.acknowledged
  await until(t, () => progress.acknowledged > before + enough, 60_000)
}

/** Runs statements as an administrator, who may write in any state of the database. */
async function administer(
  { url }: DatabaseServer,
  ...statements: readonly string[]
): Promise<void> {
  const database = Object.assign(new URL(url), { pathname: '/template1' }).href
  const connection = { default_transaction_read_only: false }
  const sql = postgres(database, { max: 1, connection, onnotice: () => {} })
  try {
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

function setReadOnly(database: DatabaseServer, value: 'on' | 'off'): Promise<void> {
  const setting = `alter system set default_transaction_read_only = ${value}`
  return administer(database, setting, 'select pg_reload_conf()')
}

const endConnections =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coopshare'"

/**
 * Moves the tables to a separate disk. The log of the database stays where it is, because a server
 * without space for its log stops.
 */
async function moveToDisk(server: DatabaseServer, disk: string): Promise<void> {
  const { uid, gid } = statSync(await dataDirectoryOf(server))
  for (const directory of [disk, dirname(disk)]) chownSync(directory, uid, gid)
  const place = `create tablespace small location '${disk}'`
  await administer(server, place, 'alter database postgres set tablespace small')
}

t.test('no acknowledged order is lost during any fault of the database', async (t) => {
  const disk = temporaryDirectory(t)
  const refusal = await mountSmallDisk(t, disk, '48m')
  const { program, server } = await createOn(t, refusal ? undefined : disk)
  const running = await begin(t, program, seededRandom(1))
  await underLoad(running, async (progress) => {
    for (let cut = 1; cut <= 5; cut += 1) {
      const before = progress.acknowledged
      await until(t, () => progress.acknowledged > before + 5)
      await administer(server, endConnections)
    }
    t.pass('connections were ended')
    await requireRecovery(t, progress, {
      begin: () => setReadOnly(server, 'on'),
      end: () => setReadOnly(server, 'off'),
    })
    t.pass('the database was read-only')
    await requireRecovery(t, progress, { begin: server.crash, end: server.start })
    t.pass('the database was restarted')
    if (refusal) {
      t.pass('the disk was full', { skip: refusal })
      return
    }
    const other = join(disk, 'other')
    await requireRecovery(t, progress, {
      // The file fills the disk to its last byte. The disk stores as much as it can and then
      // reports that it is full.
      begin: () => writeFile(other, Buffer.alloc(64 * 1024 * 1024)).catch(() => undefined),
      end: () => rm(other),
    })
    t.pass('the disk was full')
  })
  await requireAllOutcomes(t, running)
})

async function createOn(t: Test, disk: string | undefined) {
  const servers: DatabaseServer[] = []
  const program = await createProgram(t, 'postgres', async (server) => {
    servers.push(server)
    if (disk !== undefined) await moveToDisk(server, disk)
    return undefined
  })
  const [server] = servers
  if (!server) throw new Error('There is no database.')
  return { program, server }
}

async function dataDirectoryOf({ url }: DatabaseServer): Promise<string> {
  const sql = postgres(url, { max: 1 })
  const [row] = await sql`show data_directory`
  await sql.end()
  return row?.['data_directory']
}
