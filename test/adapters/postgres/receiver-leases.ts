import postgres from 'postgres'
import t, { type Test } from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { MaintainedStore } from '../../../src/adapters/postgres/maintained-store.ts'

t.teardown(stopServer)

const none: ReadonlySet<string> = new Set()
const receivers = ['a', 'b', 'c', 'd']

/** The leases of so many instances, and what makes those of a dead one end. */
async function openLeases(t: Test, count: number) {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  const stores = Array.from({ length: count }, () => new MaintainedStore(options))
  t.teardown(async () => {
    await Promise.all([sql.end(), ...stores.map((store) => store.close())])
    await drop()
  })
  const leases = stores.map(({ receiverLeases }) => receiverLeases)
  const expire = () => sql`update receiver_leases set until = now() - interval '1 second'`
  return { leases: leases as [Leases, Leases], expire }
}

type Leases = MaintainedStore['receiverLeases']

function ownedBy(leases: Leases): string[] {
  return receivers.filter((receiver) => leases.mayBegin(receiver))
}

t.test('two instances that ask at once never own the same receiver', async (t) => {
  const { leases } = await openLeases(t, 2)
  await Promise.all(leases.map((one) => one.take(receivers)))
  const all = leases.flatMap(ownedBy)
  t.equal(new Set(all).size, all.length)
  t.ok(all.length > 0)
})

t.test('an instance that comes gets its fair share, but nothing that is in use', async (t) => {
  const { leases } = await openLeases(t, 2)
  const [first, second] = leases
  await first.take(receivers)
  t.strictSame(ownedBy(first), receivers)
  await second.take(receivers)
  t.strictSame(ownedBy(second), [])
  const inUse = new Set(receivers)
  await first.take(receivers)
  await first.renew(inUse)
  t.equal(ownedBy(first).length, 2, 'nothing more is begun at the others')
  t.ok(
    receivers.every((receiver) => first.isOwned(receiver)),
    'what is under way may end',
  )
  await second.renew(none)
  t.strictSame(ownedBy(second), [])
  await first.take(receivers)
  await first.renew(none)
  await second.take(receivers)
  await second.renew(none)
  await second.take(receivers)
  await second.renew(none)
  t.equal(ownedBy(second).length, 2)
  t.strictSame([...ownedBy(first), ...ownedBy(second)].sort(), receivers)
})

t.test('who dies is followed when its leases have ended', async (t) => {
  const { leases, expire } = await openLeases(t, 2)
  const [dead, heir] = leases
  await dead.take(receivers)
  await expire()
  await heir.take(receivers)
  t.strictSame(ownedBy(heir), receivers)
  await dead.renew(new Set(receivers))
  t.notOk(
    receivers.some((receiver) => dead.isOwned(receiver)),
    'should it come back, it knows',
  )
})

t.test(
  'what is given back is free at once, and what has nothing to get is given back',
  async (t) => {
    const { leases } = await openLeases(t, 2)
    const [first, second] = leases
    await first.take(receivers)
    await first.giveBack()
    t.strictSame(ownedBy(first), [])
    await second.take(receivers)
    t.strictSame(ownedBy(second), receivers)
    await second.renew(none)
    await second.renew(none)
    t.strictSame(ownedBy(second), [])
  },
)
