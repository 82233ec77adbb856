// Receives webhooks. GET /figures returns when webhook N and the last webhook arrived, and how many
// were wrong. DELETE /figures resets the figures. `node peers/sink.js N SECRET`.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const first = Number(process.argv[2])
const secret = process.argv[3]
const maximumAgeSeconds = 300
let figures = {}
let seen = new Set()

function forget() {
  seen = new Set()
  figures = { count: 0, firstMs: 0, lastMs: 0, wrong: 0 }
}

/** The specification defines the header as `t=…,v1=…`. */
function isSigned(header, body) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (t === undefined || Math.abs(Date.now() / 1000 - t) > maximumAgeSeconds) return false
  const made = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return timingSafeEqual(made, Buffer.from(v1, 'hex'))
}

function take(headers, body) {
  const { id } = JSON.parse(body)
  const isRight =
    headers['content-type']?.startsWith('application/json') &&
    isSigned(headers['x-service-webhook-signature'], body)
  if (!isRight || seen.has(id)) figures.wrong += 1
  seen.add(id)
  figures.count += 1
  figures.lastMs = performance.now()
  if (figures.count === first) figures.firstMs = figures.lastMs
}

const server = createServer((request, response) => {
  const { method, headers } = request
  if (method === 'DELETE') forget()
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (method === 'GET') return response.end(JSON.stringify(figures))
    if (method === 'POST') take(headers, Buffer.concat(chunks))
    response.writeHead(204).end()
  })
})
forget()
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
