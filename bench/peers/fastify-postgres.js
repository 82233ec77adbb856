// Shows the limit for orders in PostgreSQL. This server checks nothing, but stores an order, its key
// and a row for the outbox in one commit, and serves pages of orders. `node
// peers/fastify-postgres.js postgres://…` prints the address of the server.
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import postgres from 'postgres'
import { orderTables } from './order-tables.js'

const sql = postgres(process.argv[2], { max: 16, onnotice: () => {} })
for (const table of orderTables) await sql.unsafe(table)

const app = fastify()

app.post('/investors/:investor/orders', async ({ params, headers, body }, reply) => {
  const [id, event] = [randomUUID(), randomUUID()]
  await sql.begin((sql) => [
    sql`insert into orders (id, investor_id, status, body)
      values (${id}, ${params.investor}, 'submitted', ${body})`,
    sql`insert into keys values (${headers['idempotency-key']}, ${id})`,
    sql`insert into outbox values (${event}, ${id}, ${{ type: 'submitted', order: id }})`,
  ])
  return reply.code(201).send({ id, status: 'submitted', ...body })
})

app.get('/investors/:investor/orders', async ({ params: { investor } }) => {
  const [items, [{ count }]] = await Promise.all([
    sql`select * from orders where investor_id = ${investor} order by sequence desc limit 20`,
    sql`select count(*)::integer as count from orders where investor_id = ${investor}`,
  ])
  return { items, total_items: count }
})

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
