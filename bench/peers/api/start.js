// Starts a peer: `node peers/NAME/main.js postgres://… SETTINGS.json` creates the tables in an empty
// database and prints the address of the API. With `workers` above 1, the API runs in that number of
// processes.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createApp, createLogger } from './app.js'

const allScopes = [
  'cooperatives:read',
  'projects:read',
  'investors:read',
  'investors:write',
  'applications:read',
  'applications:write',
  'portfolio:read',
]

/**
 * `prepare` fills a new database, and `open` returns the store, the key that signs tokens, and
 * `close`.
 */
export async function start({ prepare, open }) {
  const [databaseUrl, settingsFile] = process.argv.slice(2)
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8'))
  const { workers = 1, connections = 16 } = settings
  const place = { databaseUrl, connections: Math.ceil(connections / workers) }
  if (cluster.isPrimary) await prepare(place, { ...settings, scopes: allScopes })
  if (cluster.isPrimary && workers > 1) await startWorkers(workers)
  else await serve(await open({ ...place, logger: createLogger() }), settings)
}

async function serve({ logger, close, ...opened }, settings) {
  const app = await createApp(logger, { ...opened, ...settings, allScopes })
  process.once('SIGTERM', async () => {
    await app.close()
    await close()
    process.exit()
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  if (cluster.isPrimary) console.log(address)
}

async function startWorkers(count) {
  const started = Array.from({ length: count }, () => once(cluster.fork(), 'listening'))
  const [[{ port }]] = await Promise.all(started)
  process.once('SIGTERM', () => stopWorkers(Object.values(cluster.workers)))
  console.log(`http://127.0.0.1:${port}`)
}

async function stopWorkers(workers) {
  const ended = Promise.all(workers.map((worker) => once(worker, 'exit')))
  for (const { process: child } of workers) child.kill('SIGTERM')
  await ended
  process.exit()
}
