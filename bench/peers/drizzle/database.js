import { drizzle } from 'drizzle-orm/node-postgres'
import { createPool, fillDatabase, readSigningKey } from '../api/database.js'
import { createQueue, startSending } from './deliveries.js'
import { createStore } from './store.js'

export async function prepare({ databaseUrl }, settings) {
  const pool = createPool(databaseUrl, 1)
  await fillDatabase(pool, settings)
  await pool.end()
  await createQueue(databaseUrl)
}

export async function open({ databaseUrl, connections, logger }) {
  const pool = createPool(databaseUrl, connections, { pipeline: true })
  const db = drizzle(pool)
  const queue = await startSending({ databaseUrl, db, logger })
  const close = async () => {
    await queue.stop()
    await pool.end()
  }
  return { logger, store: createStore(db, queue), ...(await readSigningKey(pool)), close }
}
