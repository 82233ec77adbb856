// Receives the webhooks of several senders, each on its own path. It answers 204 immediately and
// checks and counts the webhook afterwards. PUT /NAME sets the signing secret, and GET /NAME
// returns the counts. `node peers/receiver.js`.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const maximumAgeSeconds = 300
const senders = new Map()

/** The specification defines the header as `t=…,v1=…`. */
function isSigned(secret, header, body) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (t === undefined || Math.abs(Date.now() / 1000 - t) > maximumAgeSeconds) return false
  const made = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return timingSafeEqual(made, Buffer.from(v1, 'hex'))
}

function findFault({ secret, events, orders }, headers, body) {
  if (!isSigned(secret, headers['x-service-webhook-signature'], body)) return 'a wrong signature'
  const { id, type, data } = JSON.parse(body)
  if (type !== 'share_purchase.submitted') return `an event of type ${type}`
  if (events.has(id)) return `event ${id} came twice`
  if (orders.has(data.share_purchase_id)) return `order ${data.share_purchase_id} has two events`
  events.add(id)
  orders.add(data.share_purchase_id)
  return null
}

function take(sender, headers, body) {
  const fault = findFault(sender, headers, body)
  if (fault === null) return
  sender.wrong += 1
  sender.firstWrong ??= fault
}

function figuresOf({ orders, wrong, firstWrong }) {
  return { orders: orders.size, wrong, firstWrong }
}

const server = createServer((request, response) => {
  const { method, headers, url } = request
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const sender = senders.get(url)
    if (method === 'GET') return response.end(JSON.stringify(figuresOf(sender)))
    if (method === 'PUT') {
      const nothing = { events: new Set(), orders: new Set(), wrong: 0, firstWrong: null }
      senders.set(url, { secret: body.toString(), ...nothing })
    }
    response.writeHead(204).end()
    if (method === 'POST' && sender) take(sender, headers, body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
