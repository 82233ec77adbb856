// What a team could build instead of this service: fastify, TypeBox, jose and undici, with Kysely on
// node-postgres, and graphile-worker for the webhooks. `node peers/alternative/main.js postgres://…
// SETTINGS.json` creates the tables in an empty database and prints the address of the API. With
// `workers` above 1, the API runs in that number of processes.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Kysely, PostgresDialect } from 'kysely'
import { createApp, createLogger } from './app.js'
import { createPool, fillDatabase, readSigningKey } from './database.js'
import { prepareWorker, startWorker } from './deliveries.js'
import { createStore } from './store.js'

const allScopes = [
  'cooperatives:read',
  'projects:read',
  'investors:read',
  'investors:write',
  'applications:read',
  'applications:write',
  'portfolio:read',
]

const [databaseUrl, settingsFile] = process.argv.slice(2)
const settings = JSON.parse(readFileSync(settingsFile, 'utf8'))
const { workers = 1, connections = 16 } = settings
if (cluster.isPrimary) {
  await fillDatabase(databaseUrl, { ...settings, scopes: allScopes })
  await prepareWorker(databaseUrl)
}
if (cluster.isPrimary && workers > 1) await startWorkers()
else await serve()

async function serve() {
  const logger = createLogger()
  const pool = createPool(databaseUrl, Math.ceil(connections / workers))
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const worker = await startWorker({ databaseUrl, db, logger })
  const key = await readSigningKey(pool)
  const app = await createApp(logger, { store: createStore(db), ...key, ...settings, allScopes })
  process.once('SIGTERM', async () => {
    await app.close()
    await worker.stop()
    await db.destroy()
    process.exit()
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  if (cluster.isPrimary) console.log(address)
}

async function startWorkers() {
  const started = Array.from({ length: workers }, () => once(cluster.fork(), 'listening'))
  const [[{ port }]] = await Promise.all(started)
  process.once('SIGTERM', async () => {
    const children = Object.values(cluster.workers)
    const ended = Promise.all(children.map((child) => once(child, 'exit')))
    for (const child of children) child.process.kill('SIGTERM')
    await ended
    process.exit()
  })
  console.log(`http://127.0.0.1:${port}`)
}
