// Shows the limit for a token endpoint. This server only makes one RSA-2048 signature for each
// answer. `node peers/signatures.js`.
import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const text = JSON.stringify({ iss: 'bench', sub: 'bench', scope: 'cooperatives:read' })
const server = createServer((_request, response) => {
  const signature = createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')
  const body = JSON.stringify({ access_token: signature, token_type: 'Bearer' })
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
