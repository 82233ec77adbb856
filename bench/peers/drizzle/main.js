// The partner API with Drizzle on node-postgres. pg-boss sends the webhooks. Drizzle is a thin layer
// on the driver, so its statements can be prepared and sent without waiting for each other. Prisma
// compiles each query in a layer of its own.
import { start } from '../api/start.js'
import { open, prepare } from './database.js'

await start({ prepare, open })
