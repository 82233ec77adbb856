// The partner API with Kysely on node-postgres. graphile-worker sends the webhooks.
import { start } from '../api/start.js'
import { open, prepare } from './database.js'

await start({ prepare, open })
