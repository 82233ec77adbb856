import postgres from 'postgres'
import t, { type Test } from 'tap'
import { euro } from '../../../fixtures/cooperatives.ts'
import { createMarket, type Market, place, provision } from '../../../fixtures/market.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { type OverheardLine, openOverheardLine } from '../../../fixtures/postgres/overheard-line.ts'
import { openSlowLine } from '../../../fixtures/postgres/slow-line.ts'
import { until } from '../../../fixtures/until.ts'
import { MaintainedStore } from '../../../src/adapters/postgres/maintained-store.ts'

t.teardown(stopServer)

const several = Array.from({ length: 20 }, (_, number) => `several-${number}`)

/** A market, in a database that its store reaches by `lineTo`. */
async function openMarket(t: Test, lineTo = async (url: string) => ({ url })) {
  const { options, drop } = await createDatabase()
  const { url } = await lineTo(options.url)
  const store = new MaintainedStore({ ...options, url, poolSize: 16 })
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await store.close()
    await drop()
  })
  return { market: await createMarket({ entryFee: euro('25') }, { store }), store, sql }
}

function provisionSeveral({ world }: Market): Promise<string[]> {
  return Promise.all(several.map((ref) => provision(world, { partner_customer_ref: ref })))
}

const holdingOf = async (
  store: MaintainedStore,
  { world, cooperative }: Market,
  investorId: string,
) =>
  store.read(({ holdings }) =>
    holdings.find(world.partner.organizationId, investorId, cooperative.id),
  )

t.test('orders that come at once share transactions', async (t) => {
  let line: OverheardLine | undefined
  // Far away, so that others come while the first are under way.
  const { market } = await openMarket(t, async (url) => {
    line = await openOverheardLine(t, (await openSlowLine(t, url)).url)
    return line
  })
  const investors = await provisionSeveral(market)
  const answers = await Promise.all(
    investors.map((investorId) => place(market, {}, { investorId })),
  )
  t.same(
    answers.map(({ status }) => status),
    several.map(() => 201),
  )
  const inserts = line?.take().filter(({ text }) => /insert into share_purchases/.test(text))
  t.ok(inserts && inserts.length <= 6, `${inserts?.length} statements for ${several.length} orders`)
})

t.test('eight orders that come at once share one transaction', async (t) => {
  let line: OverheardLine | undefined
  const { market, store } = await openMarket(t, async (url) => {
    line = await openOverheardLine(t, url)
    return line
  })
  const investors = (await provisionSeveral(market)).slice(0, 8)
  line?.take()
  await Promise.all(investors.map((investorId) => place(market, {}, { investorId })))
  const inserts = line?.take().filter(({ text }) => /insert into share_purchases/.test(text))
  t.equal(inserts?.length, 1)
  t.same(store.sharedWrites(), { together: 8, alone: 0 })
})

t.test('of orders at once, each is refused or accepted as if alone', async (t) => {
  const { market, store } = await openMarket(t)
  const [first = '', second = '', third = ''] = await provisionSeveral(market)
  const key = { 'idempotency-key': 'of-two' }
  const answers = await Promise.all([
    place(market, {}, { investorId: first }),
    place(market, { share_count: 0 }, { investorId: second }),
    place(market, { cooperative_id: first }, { investorId: second }),
    place(market, {}, { investorId: '00000000-0000-7000-8000-000000000000' }),
    place(market, {}, { investorId: second, headers: key }),
    place(market, {}, { investorId: third, headers: key }),
    place(market, {}, { investorId: third }),
  ])
  const [, , , , ...keyed] = answers.slice(0, 6).map(({ status }) => status)
  t.same(
    answers.slice(0, 4).map(({ status }) => status),
    [201, 422, 404, 404],
  )
  t.same(keyed.sort(), [201, 409], 'a key is good for one investor')
  t.equal(answers[6]?.status, 201)
  const shares = await Promise.all(
    [first, second, third].map(async (id) => (await holdingOf(store, market, id))?.pendingShares),
  )
  const isSeconds = answers[4]?.status === 201
  t.same(shares, isSeconds ? [5, 5, 5] : [5, undefined, 10])
})

t.test('orders of one investor at once see each other', async (t) => {
  const { market, store } = await openMarket(t)
  const answers = await Promise.all(several.map(() => place(market)))
  t.same(
    answers.map(({ body }) => body.entry_fee).sort(),
    several.map((_, number) => (number < several.length - 1 ? '0.00' : '25.00')),
    'one is the first',
  )
  t.equal((await holdingOf(store, market, market.investorId))?.pendingShares, 5 * several.length)
})

t.test('an investor whom somebody holds holds up nobody else', async (t) => {
  const { market, sql } = await openMarket(t)
  const investors = await provisionSeveral(market)
  let isAnswered = false
  const held = await sql.begin(async (held) => {
    await held`select from investors where investor_id = ${market.investorId} for update`
    // More than there are connections.
    const waiting = Promise.all(several.map(() => place(market))).finally(() => {
      isAnswered = true
    })
    const others = await Promise.all(
      investors.map((investorId) => place(market, {}, { investorId })),
    )
    t.ok(others.every(({ status }) => status === 201))
    t.notOk(isAnswered)
    return { waiting }
  })
  const answers = await held.waiting
  t.ok(answers.every(({ status }) => status === 201))
})

t.test(
  'a shared transaction that is held up holds up the next one for a moment only',
  async (t) => {
    const { market, sql } = await openMarket(t)
    const { partner, otherPartner } = market.world
    const theirs = await provision(market.world, {}, otherPartner.token)
    const investors = await provisionSeveral(market)
    const held = await sql.begin(async (held) => {
      const log = `events/${partner.organizationId}`
      await held`select pg_advisory_xact_lock(hashtextextended(${log}, 0))`
      const waiting = Promise.all(investors.map((investorId) => place(market, {}, { investorId })))
      await until(t, async () => {
        const [row] = await held`select count(*)::integer as count from pg_locks
        where locktype = 'advisory' and not granted`
        return row?.count > 0
      })
      const answer = await place(market, {}, { investorId: theirs, token: otherPartner.token })
      t.equal(answer.status, 201)
      return { waiting }
    })
    const answers = await held.waiting
    t.ok(answers.every(({ status }) => status === 201))
  },
)

t.test('what the database refuses of one is done for the others', async (t) => {
  const { market, store, sql } = await openMarket(t)
  const investors = await provisionSeveral(market)
  // Refuses one investor's orders: no matter with whom they came.
  const [refused = ''] = investors
  await sql.unsafe(
    `alter table share_purchases add constraint refused check (investor_id <> '${refused}')`,
  )
  const answers = await Promise.all(
    investors.map((investorId) => place(market, {}, { investorId })),
  )
  t.same(
    answers.map(({ status }) => status),
    investors.map((investorId) => (investorId === refused ? 500 : 201)),
  )
  const stored = await store.read(({ sharePurchases }) => sharePurchases.list({}))
  t.equal(stored.length, several.length - 1)
  t.equal(await holdingOf(store, market, refused), undefined)
  const { together, alone } = store.sharedWrites()
  t.equal(together + alone, several.length)
  t.ok(alone > 0, 'it is told how many went alone')
})

t.test('what is asked while a transaction is committed is no fault of it', async (t) => {
  const { market, store } = await openMarket(t, (url) => openSlowLine(t, url))
  const { organizationId } = market.world.partner
  let late: Promise<unknown> = Promise.resolve()
  const done = await store.writeTogether(market.investorId, async (records) => {
    await records.investors.get(organizationId, market.investorId)
    const asked = new Promise((resolve) => setImmediate(resolve))
    late = asked.then(() => records.cooperatives.get(market.cooperative.id))
    late.catch(() => {})
    return 'done'
  })
  t.equal(done, 'done')
  await t.rejects(late, { message: 'This transaction is over.' })
})

t.test('what is asked when a transaction is over begins none', async (t) => {
  const { market, store, sql } = await openMarket(t)
  const { organizationId } = market.world.partner
  const asked = store.writeTogether('any', ({ holdings, cooperatives }) =>
    // The first fails at once; the second one is on its way by then.
    Promise.all([
      holdings.find(organizationId, '\0', market.cooperative.id),
      cooperatives.get(market.cooperative.id),
    ]),
  )
  await t.rejects(asked)
  const begun = () => sql`select query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`
  t.equal((await begun()).length, 0)
})
