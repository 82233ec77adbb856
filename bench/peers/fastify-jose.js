// Serves a page of a list to clients with a bearer token, written as is usual with fastify. `node
// peers/fastify-jose.js ITEMS JWKS`.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'

const [items, keys] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')))
const keyOf = createLocalJWKSet(keys)
const app = fastify()

app.addHook('onRequest', async ({ headers: { authorization = '' } }, reply) => {
  try {
    await jwtVerify(authorization.replace(/^Bearer /, ''), keyOf, { algorithms: ['RS256'] })
  } catch {
    return reply.code(401).send({ error: 'invalid_token' })
  }
})

app.get('/v1/cooperatives', async ({ query }) => {
  const [page, size] = [Number(query.page ?? 1), Number(query.size ?? 20)]
  const start = (page - 1) * size
  return { items: items.slice(start, start + size), page, size, total_items: items.length }
})

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
