// Serves a mock of the list, without tokens. `node peers/json-server.js ITEMS`.
import { readFileSync } from 'node:fs'
import jsonServer from 'json-server'

const cooperatives = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const app = jsonServer.create()
app.use(jsonServer.router({ cooperatives }))
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
