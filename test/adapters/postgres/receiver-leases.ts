import { isDeepStrictEqual } from 'node:util'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

t.teardown(stopServer)

const none: ReadonlySet<string> = new Set()
const receivers = ['a', 'b', 'c', 'd']

/**
 * Opens the leases of several instances, with a function that ends the leases of a dead instance.
 */
async function openLeases(t: Test, count: number) {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  const stores = Array.from({ length: count }, () => new PostgresStore(options))
  t.teardown(async () => {
    await Promise.all([sql.end(), ...stores.map((store) => store.close())])
    await drop()
  })
  const leases = stores.map(({ receiverLeases }) => receiverLeases)
  const expire = () => sql`update receiver_leases set until = now() - interval '1 second'`
  const lastRenewal = async () => (await sql`select max(until) as until from receiver_leases`)[0]
  return { leases: leases as [Leases, Leases], expire, lastRenewal }
}

type Leases = PostgresStore['receiverLeases']

function ownedBy(leases: Leases): string[] {
  return receivers.filter((receiver) => leases.maySend(receiver))
}

t.test('two instances that ask at the same time never own the same receiver [D58]', async (t) => {
  const { leases } = await openLeases(t, 2)
  await Promise.all(leases.map((one) => one.acquire(receivers)))
  const all = leases.flatMap(ownedBy)
  t.equal(new Set(all).size, all.length)
  t.ok(all.length > 0)
})

t.test(
  'a new instance gets its fair share of the receivers, but none that is in use [D58]',
  async (t) => {
    const { leases } = await openLeases(t, 2)
    const [first, second] = leases
    await first.acquire(receivers)
    t.strictSame(ownedBy(first), receivers)
    await second.acquire(receivers)
    t.strictSame(ownedBy(second), [])
    const inUse = new Set(receivers)
    await first.acquire(receivers)
    await first.renew(inUse)
    t.equal(ownedBy(first).length, 2, 'no delivery begins at the other receivers')
    t.ok(
      receivers.every((receiver) => first.isOwned(receiver)),
      'deliveries in progress may end',
    )
    await second.renew(none)
    t.strictSame(ownedBy(second), [])
    await first.acquire(receivers)
    await first.renew(none)
    await second.acquire(receivers)
    await second.renew(none)
    await second.acquire(receivers)
    await second.renew(none)
    t.equal(ownedBy(second).length, 2)
    t.strictSame([...ownedBy(first), ...ownedBy(second)].sort(), receivers)
  },
)

t.test(
  'when an instance dies, other instances get its receivers after the leases end [D58]',
  async (t) => {
    const { leases, expire } = await openLeases(t, 2)
    const [dead, heir] = leases
    await dead.acquire(receivers)
    await expire()
    await heir.acquire(receivers)
    t.strictSame(ownedBy(heir), receivers)
    await dead.renew(new Set(receivers))
    t.notOk(
      receivers.some((receiver) => dead.isOwned(receiver)),
      'if it comes back, it knows that it has lost the receivers',
    )
  },
)

t.test(
  'a returned receiver is free immediately, and a receiver without deliveries is returned',
  async (t) => {
    const { leases } = await openLeases(t, 2)
    const [first, second] = leases
    await first.acquire(receivers)
    await first.releaseAll()
    t.strictSame(ownedBy(first), [])
    await second.acquire(receivers)
    t.strictSame(ownedBy(second), receivers)
    await second.renew(none)
    await second.renew(none)
    t.strictSame(ownedBy(second), [])
  },
)

t.test('an instance asks at most once a second for a receiver that another one owns', async (t) => {
  const { leases, lastRenewal } = await openLeases(t, 2)
  const [first, second] = leases
  await first.acquire(receivers)
  const startedAtMs = performance.now()
  await second.acquire(['a'])
  await second.acquire(['b'])
  const before = await lastRenewal()
  await second.acquire(['a', 'b'])
  const hasAsked = !isDeepStrictEqual(await lastRenewal(), before)
  const isSecondOver = performance.now() - startedAtMs > 900
  t.ok(isSecondOver || !hasAsked)
})
