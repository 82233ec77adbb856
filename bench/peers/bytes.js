// Shows the limit for answers in Node. This server sends bytes from memory. `node peers/bytes.js
// FILE`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const bytes = readFileSync(process.argv[2])
const headers = { 'content-type': 'application/json', 'content-length': bytes.byteLength }
const server = createServer((_request, response) => response.writeHead(200, headers).end(bytes))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
