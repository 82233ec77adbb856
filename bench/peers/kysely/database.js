import { Kysely, PostgresDialect } from 'kysely'
import { createPool, fillDatabase, readSigningKey } from '../api/database.js'
import { prepareWorker, startWorker } from './deliveries.js'
import { createStore } from './store.js'

const deliveries = `
  create table deliveries (
    event_id uuid not null references events,
    endpoint_id uuid not null references endpoints,
    state text not null default 'pending',
    attempts integer not null default 0,
    last_failure text,
    updated_at timestamptz not null default now(),
    primary key (event_id, endpoint_id)
  );
`

export async function prepare({ databaseUrl }, settings) {
  const pool = createPool(databaseUrl, 1)
  await fillDatabase(pool, settings, deliveries)
  await pool.end()
  await prepareWorker(databaseUrl)
}

export async function open({ databaseUrl, connections, logger }) {
  const pool = createPool(databaseUrl, connections)
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const worker = await startWorker({ databaseUrl, db, logger })
  const close = async () => {
    await worker.stop()
    await db.destroy()
  }
  return { logger, store: createStore(db), ...(await readSigningKey(pool)), close }
}
