// Sends webhooks as jobs of graphile-worker, with the settings that its page on performance
// recommends for many short jobs.
import { Logger, run, runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import { atOnce, attempts, secondsUntilRetry, sendWebhook } from './webhooks.js'

const schedule = '0 * * * * purge_keys'

export function prepareWorker(connectionString) {
  return runMigrations({ connectionString })
}

export function startWorker({ databaseUrl, db, logger }) {
  return run({
    connectionString: databaseUrl,
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') logger.error(message)
    }),
    preset: {
      worker: {
        concurrentJobs: atOnce,
        maxPoolSize: atOnce + 2,
        localQueue: { size: 4 * atOnce },
        completeJobBatchDelay: 5,
      },
    },
    taskList: {
      deliver: (delivery) => deliver(db, delivery),
      purge_keys: () => purgeKeys(db),
    },
    crontab: schedule,
  })
}

/**
 * Attempts a delivery and records the outcome. graphile-worker's own retries begin after seconds, so
 * a failed attempt adds the job again for the time that partners were promised.
 */
async function deliver(db, { event_id, endpoint_id }) {
  const delivery = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.event_id', 'deliveries.event_id')
    .innerJoin('endpoints', 'endpoints.endpoint_id', 'deliveries.endpoint_id')
    .select(['url', 'signing_secret', 'type', 'body', 'state', 'attempts'])
    .where('deliveries.event_id', '=', event_id)
    .where('deliveries.endpoint_id', '=', endpoint_id)
    .executeTakeFirst()
  if (delivery?.state !== 'pending') return
  const failure = await sendWebhook(delivery)
  const attempt = delivery.attempts + 1
  const retriesIn = attempt < attempts ? secondsUntilRetry(attempt) : null
  if (failure === null) await record(db, { event_id, endpoint_id, attempt, state: 'delivered' })
  else await recordFailure(db, { event_id, endpoint_id, attempt, failure, retriesIn })
}

function record(db, { event_id, endpoint_id, attempt, state, failure = null }) {
  return db
    .updateTable('deliveries')
    .set({ state, attempts: attempt, last_failure: failure, updated_at: new Date() })
    .where('event_id', '=', event_id)
    .where('endpoint_id', '=', endpoint_id)
    .execute()
}

function recordFailure(db, { retriesIn, ...outcome }) {
  const { event_id, endpoint_id } = outcome
  const state = retriesIn === null ? 'dead' : 'pending'
  return db.transaction().execute(async (transaction) => {
    await record(transaction, { ...outcome, state })
    if (retriesIn === null) return
    const payload = JSON.stringify({ event_id, endpoint_id })
    await sql`select graphile_worker.add_job('deliver', ${payload}::json,
      run_at => now() + make_interval(secs => ${retriesIn}))`.execute(transaction)
  })
}

/** Keys are valid for 24 hours. */
function purgeKeys(db) {
  return db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql`now() - interval '24 hours'`)
    .execute()
}
