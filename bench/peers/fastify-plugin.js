// Does the same as fastify-postgres.js with fastify's own plugin, used as its README shows.
// Statements have no names, and each is sent after the answer to the previous one.
import { randomUUID } from 'node:crypto'
import plugin from '@fastify/postgres'
import fastify from 'fastify'
import { orderTables } from './order-tables.js'

const app = fastify()
await app.register(plugin, { connectionString: process.argv[2], max: 16 })
for (const table of orderTables) await app.pg.query(table)

app.post('/investors/:investor/orders', async ({ params, headers, body }, reply) => {
  const [id, event] = [randomUUID(), randomUUID()]
  await app.pg.transact(async (client) => {
    await client.query(
      "insert into orders (id, investor_id, status, body) values ($1, $2, 'submitted', $3)",
      [id, params.investor, body],
    )
    await client.query('insert into keys values ($1, $2)', [headers['idempotency-key'], id])
    await client.query('insert into outbox values ($1, $2, $3)', [
      event,
      id,
      { type: 'submitted', order: id },
    ])
  })
  return reply.code(201).send({ id, status: 'submitted', ...body })
})

app.get('/investors/:investor/orders', async ({ params: { investor } }) => {
  const { rows } = await app.pg.query(
    'select count(*)::integer as count from orders where investor_id = $1',
    [investor],
  )
  return { total_items: rows[0].count }
})

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
