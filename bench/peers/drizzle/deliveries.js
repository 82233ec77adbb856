// Sends webhooks as jobs of pg-boss. A job is the record of a delivery: pg-boss keeps it with its
// state, its number of retries and the last failure.
import { inArray, lt, sql } from 'drizzle-orm'
import PgBoss from 'pg-boss'
import { createPool } from '../api/database.js'
import { atOnce, attempts, firstRetrySeconds, sendWebhook } from '../api/webhooks.js'
import { endpoints, events, idempotencyKeys } from './tables.js'

const [queueName, purgeName] = ['deliver', 'purge_keys']
/** The time for which jobs of the past are kept. */
const keptDays = 90
const connections = 4

/** pg-boss runs its statements on a pool that prepares them. */
function createBoss(databaseUrl, options = {}) {
  const pool = createPool(databaseUrl, connections)
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    archiveCompletedAfterSeconds: keptDays * 24 * 3600,
    ...options,
  })
  const stop = async () => {
    await boss.stop()
    await pool.end()
  }
  return { boss, stop }
}

export async function createQueue(databaseUrl) {
  // Only migrates: the processes of the API do the upkeep.
  const { boss, stop } = createBoss(databaseUrl, { supervise: false, schedule: false })
  await boss.start()
  const retries = { retryLimit: attempts - 1, retryDelay: firstRetrySeconds, retryBackoff: true }
  await boss.createQueue(queueName, { name: queueName, policy: 'standard', ...retries })
  await boss.createQueue(purgeName)
  await boss.schedule(purgeName, '0 * * * *')
  await stop()
}

export async function startSending({ databaseUrl, db, logger }) {
  const { boss, stop } = createBoss(databaseUrl)
  boss.on('error', (error) => logger.error({ err: error }, 'The queue failed.'))
  await boss.start()
  const options = { batchSize: 4 * atOnce, pollingIntervalSeconds: 1, priority: false }
  const worker = await boss.work(queueName, options, (jobs) => deliverAll(db, boss, jobs))
  await boss.work(purgeName, () => purgeKeys(db))
  return {
    /** Adds a job for each endpoint in the transaction of the change that the event reports. */
    add: (transaction, { event_id }, endpointIds) =>
      endpointIds.length > 0 &&
      boss.insert(
        endpointIds.map((endpoint_id) => ({ name: queueName, data: { event_id, endpoint_id } })),
        { db: { executeSql: (text, values) => executeIn(transaction, text, values) } },
      ),
    /** The worker looks for jobs immediately instead of after a second. */
    notify: () => boss.notifyWorker(worker),
    countDeliveries: () => countDeliveries(db),
    stop,
  }
}

/** Runs a statement with `$1`… on Drizzle, which numbers parameters itself. */
function executeIn(transaction, text, values) {
  const chunks = text
    .split(/\$(\d+)/)
    .map((piece, index) => (index % 2 === 0 ? sql.raw(piece) : sql.param(values[piece - 1])))
  return transaction.execute(sql.join(chunks))
}

/** Sends a batch at the same time. Jobs that fail here are tried again; the others complete. */
async function deliverAll(db, boss, jobs) {
  const [eventOf, endpointOf] = await readAll(db, jobs)
  const outcomes = await Promise.all(
    jobs.map(async ({ id, data }) => {
      const delivery = { ...eventOf.get(data.event_id), ...endpointOf.get(data.endpoint_id) }
      return { id, failure: await sendWebhook(delivery) }
    }),
  )
  for (const { id, failure } of outcomes) {
    if (failure !== null) await boss.fail(queueName, id, { failure })
  }
}

async function readAll(db, jobs) {
  const idsOf = (name) => [...new Set(jobs.map(({ data }) => data[name]))]
  const [eventRows, endpointRows] = await Promise.all([
    db
      .select()
      .from(events)
      .where(inArray(events.event_id, idsOf('event_id'))),
    db
      .select()
      .from(endpoints)
      .where(inArray(endpoints.endpoint_id, idsOf('endpoint_id'))),
  ])
  return [
    new Map(eventRows.map((event) => [event.event_id, event])),
    new Map(endpointRows.map((endpoint) => [endpoint.endpoint_id, endpoint])),
  ]
}

/** Counts the deliveries in the words of the other peer. */
async function countDeliveries(db) {
  const { rows } = await db.execute(sql`
    select case state when 'completed' then 'delivered' when 'failed' then 'dead' else 'pending' end
      as state, count(*)::integer as total
    from pgboss.job where name = ${queueName} group by 1`)
  return Object.fromEntries(rows.map(({ state, total }) => [state, total]))
}

/** Keys are valid for 24 hours. */
function purgeKeys(db) {
  return db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.created_at, sql`now() - interval '24 hours'`))
}
