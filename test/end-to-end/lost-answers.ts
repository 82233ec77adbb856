import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { v7 } from 'uuid'
import { until } from '../../fixtures/async.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { type DroppingProxy, openDroppingProxy } from '../../fixtures/postgres/dropping-proxy.ts'
import { findFaketime, howToGetFaketime } from '../../fixtures/program/installed-tools.ts'
import { connectOperator, type OperatorClient } from '../../fixtures/program/operator-client.ts'
import { type PartnerClient, signIn } from '../../fixtures/program/partner-client.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { serve, type Variables } from '../../fixtures/program/serve.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'

t.teardown(stopServer)

interface Market {
  readonly line: DroppingProxy
  readonly seed: SeededOrders
  readonly partner: PartnerClient
  readonly operator: OperatorClient
  /** The address of the database, without the proxy. */
  readonly databaseUrl: string
  /** Starts another instance, which does without the proxy. */
  startOther(): Promise<unknown>
}

/** Starts the real program with a proxy to its database. The proxy can lose answers. */
async function openMarket(t: Test, variables: Variables = {}): Promise<Market> {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  const directory = t.testdir()
  const keyFile = join(directory, 'encryption.key')
  writeFileSync(keyFile, randomBytes(32).toString('hex'))
  const argv = (url: string) => ['--database-url', url, '--encryption-key-file', keyFile]
  const dataDirectory = join(directory, 'data')
  const seed = await fillStore(dataDirectory, seedOrders(1), ...argv(options.url))
  const line = await openDroppingProxy(t, options.url)
  // Without e-mails there are no deliveries, which would also commit and lose the answer instead.
  const quiet = ['--no-investor-mail', '--log-level', 'silent']
  const served = await serve(
    t,
    ['--data-dir', dataDirectory, ...quiet, ...argv(line.url)],
    variables,
  )
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  const partner = await signIn(served.listening_url, credentials)
  const startOther = () =>
    serve(t, ['--data-dir', join(directory, 'other'), ...quiet, ...argv(options.url)])
  const operator = await connectOperator(dataDirectory)
  return { line, seed, partner, operator, startOther, databaseUrl: options.url }
}

t.test('an order without an acknowledgement exists once, and its key returns it', async (t) => {
  const { line, seed, partner, operator } = await openMarket(t)
  const { cooperativeId } = seed
  const investorId = await partner.register({ partner_customer_ref: 'lost' })
  for (const round of [1, 2, 3]) {
    const key = `lost-${round}`
    const isLost = line.loseAnswer(investorId)
    const answer = await partner.order(investorId, cooperativeId, key)
    await isLost
    t.equal(answer.status, 201, 'the service has asked the database for the outcome')
    const again = await partner.order(investorId, cooperativeId, key)
    t.strictSame([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
    t.strictSame(answer.body, again.body)
    const { body } = await partner.send('GET', `/v1/investors/${investorId}/share-purchases`)
    t.equal(body.items.length, round)
  }
  const { body } = await partner.send('GET', `/v1/investors/${investorId}/holdings`)
  t.match(body.items, exactArrays([{ pending_shares: 15 }]))
  t.match(await operator.call('store.check', {}), { sound: true })
})

t.test('many simultaneous orders without an acknowledgement each exist once', async (t) => {
  const { line, seed, partner, operator } = await openMarket(t)
  const references = Array.from({ length: 12 }, (_, index) => `customer-of-many-${index}`)
  const investors = await Promise.all(
    references.map((ref) => partner.register({ partner_customer_ref: ref })),
  )
  for (const round of [1, 2, 3]) {
    const place = (id: string) => partner.order(id, seed.cooperativeId, `${round}-${id}`)
    const isLost = line.loseAnswer(investors[round] ?? '')
    const answers = await Promise.all(investors.map(place))
    await isLost
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]))
    const again = await Promise.all(investors.map(place))
    t.strictSame(new Set(again.map(({ status }) => status)), new Set([201]))
    t.strictSame(
      answers.map(({ body }) => body.share_purchase_id),
      again.map(({ body }) => body.share_purchase_id),
    )
  }
  const purchases = await operator.call('purchase.list', {})
  const ordersOf = (id: string) => purchases.filter(({ investor_id }) => investor_id === id)
  t.strictSame(new Set(investors.map((id) => ordersOf(id).length)), new Set([3]))
  const events = await operator.call('event.list', {})
  t.equal(events.length, purchases.length, 'each order has one event')
  t.match(await operator.call('store.check', {}), { sound: true })
})

t.test('a decision whose commit was not acknowledged is carried out once', async (t) => {
  const { line, seed, operator } = await openMarket(t)
  const [share_purchase_id = ''] = seed.purchaseIds
  const isLost = line.loseAnswer(share_purchase_id)
  await operator.call('purchase.approve', { share_purchase_id })
  await isLost
  const { history } = await operator.call('purchase.show', { share_purchase_id })
  t.match(history, exactArrays([{ status: 'submitted' }, { status: 'approved' }]))
  t.equal((await operator.call('event.list', {})).length, 2)
})

const faketime = findFaketime()
const skip = faketime ? false : howToGetFaketime

t.test('an order exists once although the clock of its instance is behind', { skip }, async (t) => {
  const { line, seed, partner, startOther, databaseUrl } = await openMarket(t, {
    LD_PRELOAD: faketime ?? '',
    FAKETIME: '-11m',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  await startOther()
  const sql = postgres(databaseUrl, { max: 1 })
  t.teardown(() => sql.end())
  const investorId = await partner.register({ partner_customer_ref: 'behind' })
  const id = v7({ msecs: Date.now() - 15 * 60_000 })
  const isLost = line.loseAnswer(investorId, async () => {
    // When this old record is gone, the other instance has removed all others that are as old for it.
    await sql`insert into calls (id, created_at) values (${id}, now() - interval '15 minutes')`
    await until(t, async () => (await sql`select from calls where id = ${id}`).length === 0)
  })
  const answer = await partner.order(investorId, seed.cooperativeId)
  await isLost
  t.equal(answer.status, 201, 'the service has asked the database for the outcome')
  const { body } = await partner.send('GET', `/v1/investors/${investorId}/share-purchases`)
  t.match(body.items, exactArrays([{ share_purchase_id: answer.body.share_purchase_id }]))
})
