// Takes webhooks and says when the last of the first N and the last of all came, and how many were wrong: GET /figures; DELETE /figures forgets. `node peers/sink.js N`.
import { createServer } from 'node:http'

const first = Number(process.argv[2])
let figures = {}
let seen = new Set()

function forget() {
  seen = new Set()
  figures = { count: 0, firstMs: 0, lastMs: 0, wrong: 0 }
}

function take(headers, text) {
  const { id } = JSON.parse(text)
  const isRight =
    headers['content-type']?.startsWith('application/json') &&
    /\bv1=\w/.test(JSON.stringify(headers))
  if (!isRight || seen.has(id)) figures.wrong += 1
  seen.add(id)
  figures.count += 1
  figures.lastMs = performance.now()
  if (figures.count === first) figures.firstMs = figures.lastMs
}

const server = createServer((request, response) => {
  const { method, headers } = request
  if (method === 'DELETE') forget()
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    if (method === 'GET') return response.end(JSON.stringify(figures))
    if (method === 'POST') take(headers, text)
    response.writeHead(204).end()
  })
})
forget()
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
