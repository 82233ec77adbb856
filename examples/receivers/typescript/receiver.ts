// Receives webhooks, with the client of the npm package. Node.js 22.18 or newer: node receiver.ts
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import {
  createClient,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from 'coopshare/client'

function setting(name: string): string {
  const value = process.env[name]
  if (value) return value
  console.error(`${name} is missing.`)
  process.exit(1)
}

const secrets = [
  setting('COOPSHARE_SIGNING_SECRET'),
  process.env['COOPSHARE_PREVIOUS_SIGNING_SECRET'],
]
const client = createClient({
  baseUrl: setting('COOPSHARE_URL'),
  clientId: setting('COOPSHARE_CLIENT_ID'),
  clientSecret: setting('COOPSHARE_CLIENT_SECRET'),
})
const { EVENTS_FILE = 'events.jsonl', RECONCILE_SECONDS = '3600', SHOW_STATE } = process.env
const longestBody = 64 * 1024

// In your database: your orders, and a table of events whose primary key is the id.
const orders = new Map<
  string,
  { investorId: string; status: string; isFinal: boolean; at: string }
>()
const seen = new Map<string, string | undefined>()

/** In your database: one transaction. If it fails, the answer is 500, and the service sends the event again. */
function handle(event: WebhookEvent): string {
  if (seen.has(event.id)) return `repeated: ${event.type}`
  // A line begins with its line break, so that a line which a crash cut off does not spoil the next one.
  const file = openSync(EVENTS_FILE, 'a')
  writeSync(file, `\n${JSON.stringify(event)}`)
  fsyncSync(file)
  closeSync(file)
  return apply(event)
}

function apply({ id, type, created_at: at, data }: WebhookEvent): string {
  const { share_purchase_id, investor_id, status, terminal }: Record<string, unknown> = { ...data }
  const orderId = share_purchase_id === undefined ? undefined : String(share_purchase_id)
  seen.set(id, orderId)
  // `webhook.test`, and types that will be added, need not be about an order.
  if (orderId === undefined || typeof terminal !== 'boolean') return `ignored: ${type}`
  const known = orders.get(orderId)
  // A replayed event can come after later ones, and then changes nothing.
  if (known && (known.isFinal || known.at > at)) return `too late: ${type}`
  orders.set(orderId, {
    investorId: String(investor_id),
    status: String(status),
    isFinal: terminal,
    at,
  })
  return `${orderId}: ${status} (${terminal ? 'final' : 'open'})`
}

/** Events can be lost; the API knows the truth. An order that cannot be read does not stop the others. */
async function reconcile() {
  const open = [...orders.values()].filter(({ isFinal }) => !isFinal)
  for (const investorId of new Set(open.map((order) => order.investorId))) {
    try {
      const path = '/v1/investors/{investorId}/share-purchases'
      for await (const order of client.pages(path, { params: { path: { investorId } } })) {
        const { share_purchase_id, status, updated_at } = order
        if (orders.get(share_purchase_id)?.status === status) continue
        const terminal = ['settled', 'rejected', 'cancelled'].includes(status)
        const data = { share_purchase_id, investor_id: investorId, status, terminal }
        console.log(
          handle({
            id: `${share_purchase_id}:${status}`,
            type: 'reconciled',
            created_at: updated_at,
            data,
          }),
        )
      }
    } catch (error) {
      console.log(`not reconciled: ${investorId}: ${error}`)
    }
  }
}

/** Returns undefined if the body is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > longestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function receive(request: IncomingMessage): Promise<number> {
  const body = await readBody(request)
  if (!body) return 413
  try {
    const event = verifyWebhook({ body, headers: request.headers, secrets })
    if (!event.id) return 400
    console.log(handle(event))
    return 204
  } catch (error) {
    console.log(`not received: ${error}`)
    return error instanceof WebhookVerificationError ? 401 : 500
  }
}

/** For `coopshare webhook certify --state-url`, in tests only. */
function stateOf(orderId: string | null): string {
  const events = [...seen].filter(([, about]) => about === orderId).map(([id]) => id)
  return JSON.stringify({ status: orders.get(orderId ?? '')?.status ?? null, events })
}

const stored = existsSync(EVENTS_FILE) ? readFileSync(EVENTS_FILE, 'utf8').split('\n') : []
for (const line of stored) {
  try {
    apply(JSON.parse(line))
  } catch {
    // The line was cut off, so its event was not acknowledged.
  }
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    response.writeHead(await receive(request).catch(() => 400)).end()
  } else if (SHOW_STATE === 'true') {
    const { searchParams } = new URL(`http://receiver${request.url}`)
    response.end(stateOf(searchParams.get('share_purchase_id')))
  } else {
    response.writeHead(404).end()
  }
})
server.listen(Number(setting('PORT')), '127.0.0.1')
for (;;) {
  await reconcile()
  await setTimeout(Number(RECONCILE_SECONDS) * 1000)
}
