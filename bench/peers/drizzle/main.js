// The partner API with Drizzle on node-postgres. pg-boss sends the webhooks. Drizzle uses the same
// driver as the other peer, so a statement of pg-boss can be part of the transaction of an order;
// Prisma's statements go through an engine that cannot run them.
import { start } from '../api/start.js'
import { open, prepare } from './database.js'

await start({ prepare, open })
