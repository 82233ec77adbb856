// Shows the limit for durable orders. This server appends each request to a file, and all waiting
// requests share an fdatasync. `node peers/append.js FILE`.
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'

const file = await open(process.argv[2], 'a')
let waiting = []
let isWriting = false

async function writeAll() {
  isWriting = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    await file.appendFile(batch.map(({ line }) => line).join(''))
    await file.datasync()
    for (const { answer } of batch) answer()
  }
  isWriting = false
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const order = { id: randomUUID(), status: 'submitted', ...JSON.parse(text) }
    const body = JSON.stringify(order)
    const answer = () =>
      response.writeHead(201, { 'content-length': Buffer.byteLength(body) }).end(body)
    waiting.push({ line: `${body}\n`, answer })
    if (!isWriting) void writeAll()
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
