import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { createMarket, type Market, placeAccepted } from '../../fixtures/world/market.ts'
import { systemClock, systemRandom } from '../../src/adapters/clock.ts'
import { openMemoryStore } from '../../src/adapters/lowdb/open-store.ts'
import { PostgresStore } from '../../src/adapters/postgres/postgres-store.ts'
import { auditEntries, auditSeals } from '../../src/adapters/store/audit.ts'
import { type AuditEntry, sealNumber } from '../../src/domain/audit/audit-entry.ts'
import { localAdministrator } from '../../src/domain/operators/operator.ts'
import { machineTime, useTime } from '../../src/machine/time.ts'
import { runAs } from '../../src/operations/run-audited.ts'
import type { Timer } from '../../src/ports/machine.ts'
import { type ReadableRecords, type Store, StoreFailedProblem } from '../../src/ports/store.ts'
import { subjects } from '../../src/ports/subjects.ts'
import { AuditSealer, sealAudit } from '../../src/usecases/audit/audit-chain.ts'
import { systemAuditContext, withAudit } from '../../src/usecases/audit/record-audit.ts'

t.teardown(stopServer)

/** Changes the store as a person with access to its files or its database could. */
interface Tampering {
  changeEntry(entryId: string): Promise<void>
  removeEntry(entryId: string): Promise<void>
  removeSeal(number: string): Promise<void>
  /** Copies an entry to a place before the end of the chain. */
  insertEntry(entryId: string): Promise<void>
}

interface Opened extends Tampering {
  readonly store: Store
}

function openMemory(): Opened {
  const store = openMemoryStore()
  const entryOf = (id: string) =>
    store.look(async (lookup) => {
      const found = await lookup.get(auditEntries, [id])
      if (!found) throw new Error(`There is no entry ${id}.`)
      return found
    })
  return {
    store,
    async changeEntry(id) {
      const { record } = await entryOf(id)
      await store.transact((work) => work.put(auditEntries, { ...record, actorName: 'nobody' }))
    },
    async removeEntry(id) {
      const found = await entryOf(id)
      await store.transact(async (work) => work.remove(auditEntries, found))
    },
    async removeSeal(number) {
      await store.transact(async (work) => {
        const found = await work.get(auditSeals, [number])
        if (found) work.remove(auditSeals, found)
      })
    },
    // In memory a new record always comes last, so the test then puts the end of the chain again.
    async insertEntry(id) {
      const { record } = await entryOf(id)
      const last = await store.read((records) => records.auditSeals.last())
      const end = await entryOf(last?.entryIds.at(-1) ?? '')
      await store.transact(async (work) => work.remove(auditEntries, end))
      await store.transact((work) => work.put(auditEntries, { ...record, entryId: `${id}-2` }))
      await store.transact((work) => work.put(auditEntries, end.record))
    },
  }
}

interface OpenedDatabase extends Opened {
  /** Begins a transaction that has a number, as one that writes. Returns what ends it. */
  beginTransaction(): Promise<() => Promise<unknown>>
}

async function openDatabase(t: Test): Promise<OpenedDatabase> {
  const database = await createDatabase()
  const store = new PostgresStore(database.options)
  const sql = postgres(database.options.url)
  t.teardown(async () => {
    await sql.end()
    await store.close()
    await database.drop()
  })
  return {
    store,
    async changeEntry(id) {
      await sql`update audit_entries set actor_name = 'nobody' where entry_id = ${id}`
    },
    async removeEntry(id) {
      await sql`delete from audit_entries where entry_id = ${id}`
    },
    async removeSeal(number) {
      await sql`delete from audit_seals where number = ${number}`
    },
    async beginTransaction() {
      const session = await sql.reserve()
      await session`begin`
      await session`select pg_current_xact_id()`
      return async () => {
        await session`commit`
        session.release()
      }
    },
    async insertEntry(id) {
      const [row] = await sql`select * from audit_entries where entry_id = ${id}`
      const { sequence: _, ...copy } = row ?? {}
      await sql`insert into audit_entries ${sql({ ...copy, entry_id: `${id}-2` })}`
    },
  }
}

const maria = { operatorId: 'op-1', name: 'maria', role: 'operator' } as const
const requestId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const vera = { operatorId: 'op-2', name: 'vera', role: 'viewer' } as const

function asOperator({ world }: Market, operator: typeof maria | typeof vera) {
  return (name: string, input: unknown) =>
    runAs(world.service, { operator, via: 'command', requestId }, name, input)
}

// biome-ignore lint/suspicious/noExplicitAny: the answer is JSON, and the assertions look into it.
function asAdministrator({ world }: Market, name: string, input: unknown): Promise<any> {
  const caller = {
    operator: localAdministrator,
    via: 'command',
    requestId: systemRandom.traceId(),
  } as const
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  return runAs(world.service, caller, name, input) as Promise<any>
}

function testOnBoth(title: string, test: (t: Test, opened: Opened) => Promise<void>): void {
  t.test(`${title} (in a directory)`, (t) => test(t, openMemory()))
  t.test(`${title} (in PostgreSQL)`, async (t) => test(t, await openDatabase(t)))
}

testOnBoth(
  'the audit shows who changed what, and contains no personal data',
  async (t, { store }) => {
    const market = await createMarket({}, { store })
    const id = await placeAccepted(market)
    const run = asOperator(market, maria)
    await run('purchase.approve', { share_purchase_id: id })
    await t.rejects(run('purchase.approve', { share_purchase_id: id }))
    await t.rejects(asOperator(market, vera)('purchase.settle', { share_purchase_id: id }))
    await t.rejects(run('organization.create', { name: 'Frieda Muster' }))

    const ofOrder = await asAdministrator(market, 'audit.list', { order: id })
    const { organizationId, clientId } = market.world.partner
    const organization = await market.world.service.store.read(({ organizations }) =>
      organizations.get(organizationId),
    )
    const client = { kind: 'client', id: clientId, organization: organization?.name }
    const named = ofOrder.map(({ operation, outcome, code, actor }: Record<string, unknown>) => ({
      operation,
      outcome,
      code,
      actor,
    }))
    t.match(
      named,
      exactArrays([
        {
          operation: 'purchase.settle',
          outcome: 'refused',
          code: 'FORBIDDEN',
          actor: { kind: 'operator', id: 'op-2', name: 'vera', role: 'viewer' },
        },
        { operation: 'purchase.approve', code: 'SHARE_PURCHASE_ILLEGAL_STATE' },
        { operation: 'purchase.approve', outcome: 'done', code: null, actor: { name: 'maria' } },
        { operation: 'placeSharePurchase', actor: { ...client, role: null } },
      ]),
    )
    const before = { status: 'submitted' }
    const approval = {
      via: 'command',
      request_id: requestId,
      subjects: {
        share_purchase_id: id,
        organization_id: organizationId,
        investor_id: market.investorId,
      },
      changes: [{ record: 'share_purchase', before, after: { status: 'approved' } }],
    }
    t.match(ofOrder[2], exactArrays(approval))
    t.match(ofOrder[3], exactArrays({ via: 'api', changes: [{ before: null, after: before }] }))

    const all = await asAdministrator(market, 'audit.list', {})
    t.notMatch(JSON.stringify(all), /Frieda|DE\d{2}|customer-1|@/)
    t.match(all[0], { operation: 'organization.create', code: 'FORBIDDEN', subjects: {} })
    t.same(await asAdministrator(market, 'audit.list', { operator: 'local' }), [])

    type Entry = Record<'operation' | 'outcome', string> & { readonly actor: { kind: string } }
    const find = async (filter: object): Promise<readonly Entry[]> =>
      asAdministrator(market, 'audit.list', filter)
    const refused = await find({ refused: true })
    t.same(
      refused.map(({ operation }) => operation),
      ['organization.create', 'purchase.settle', 'purchase.approve'],
    )
    t.same(await find({ order: id, refused: true }), refused.slice(1), 'the audit of an order')
    t.same(await find({ actor: 'operator', refused: true }), refused, 'of operators')
    t.same(await find({ actor: 'client', refused: true }), [], 'of partners')
    t.same(await find({ actor: 'client', operator: 'local' }), [], 'no actor is both')
    const operators = await find({ actor: 'operator' })
    t.same(
      operators.map(({ outcome }) => outcome),
      ['refused', 'refused', 'refused', 'done'],
    )
    for (const actor of ['client', 'system'] as const) {
      const found = await find({ actor })
      t.same(
        found,
        all.filter((entry: Entry) => entry.actor.kind === actor),
        `all of ${actor}`,
      )
    }
  },
)

testOnBoth('a change and its entry are stored together or not at all', async (t, { store }) => {
  const market = await createMarket({}, { store })
  const id = await placeAccepted(market)
  const { service } = market.world
  const failing = { ...service, clock: market.world.clock, renderEvent: fail }
  const caller = { operator: maria, via: 'command', requestId } as const
  await t.rejects(runAs(failing, caller, 'purchase.approve', { share_purchase_id: id }), /stop/)
  const shown = await asAdministrator(market, 'purchase.show', { share_purchase_id: id })
  t.equal(shown.status, 'submitted')
  const entries = await asAdministrator(market, 'audit.list', { order: id })
  t.equal(entries.length, 1)
})

testOnBoth(
  'the audit shows who exported or erased a person, but not the person',
  async (t, { store }) => {
    const market = await createMarket({}, { store })
    const share_purchase_id = await placeAccepted(market)
    const investor = { investor_id: market.investorId }
    const erase = { ...investor, reason: 'Request of 3 May' }
    await asAdministrator(market, 'investor.export', investor)
    await t.rejects(asAdministrator(market, 'investor.erase', erase))
    await asAdministrator(market, 'purchase.reject', { share_purchase_id, reason: 'Not wanted.' })
    await asAdministrator(market, 'investor.erase', erase)
    await t.rejects(asOperator(market, vera)('investor.export', investor))
    for (const investor_id of ['customer-1', 'Frieda', 'DE02120300000000202051', '12345678']) {
      await t.rejects(asAdministrator(market, 'investor.export', { investor_id }), {
        code: 'INVESTOR_NOT_FOUND',
      })
    }
    const entries = await asAdministrator(market, 'audit.list', {})
    const about = entries.filter(({ operation }: { readonly operation: string }) =>
      operation.startsWith('investor.'),
    )
    const subjects = investor
    t.match(
      about,
      exactArrays([
        ...Array.from({ length: 4 }, () => ({ code: 'INVESTOR_NOT_FOUND', subjects: {} })),
        { operation: 'investor.export', outcome: 'refused', code: 'FORBIDDEN', subjects },
        { operation: 'investor.erase', outcome: 'done', code: null, subjects },
        { operation: 'investor.erase', outcome: 'refused', code: 'INVESTOR_HAS_OPEN_ORDERS' },
        { operation: 'investor.export', outcome: 'done', code: null, subjects },
      ]),
    )
    t.notMatch(JSON.stringify(entries), /frieda|DE\d{2}|de0212030|customer-1|12345678|@/)
  },
)

testOnBoth(
  'the audit shows that a person was erased although they are a member [D61]',
  async (t, { store }) => {
    const market = await createMarket({}, { store })
    const share_purchase_id = await placeAccepted(market)
    await asAdministrator(market, 'purchase.approve', { share_purchase_id })
    await asAdministrator(market, 'purchase.settle', { share_purchase_id })
    const erase = { investor_id: market.investorId, reason: 'Request of 3 May' }
    await t.rejects(asAdministrator(market, 'investor.erase', erase), {
      code: 'INVESTOR_IS_MEMBER',
    })
    const answer = await asAdministrator(market, 'investor.erase', {
      ...erase,
      although_member: true,
    })
    t.match(answer, { was_erased_before: false, reason: 'Request of 3 May' })
    await asAdministrator(market, 'investor.erase', { ...erase, reason: 'Request of 4 May' })
    const entries = await asAdministrator(market, 'audit.list', { limit: 10 })
    const about = entries.filter(
      ({ operation }: { readonly operation: string }) => operation === 'investor.erase',
    )
    const [again, erased, refused] = about
    t.equal(about.length, 3)
    t.match(refused, { outcome: 'refused', code: 'INVESTOR_IS_MEMBER' })
    t.match(JSON.stringify(erased.changes), '"erased_although_member":true')
    t.notMatch(JSON.stringify(again.changes), 'erased_although_member')
  },
)

const requestIds = [
  ['7c9e6679-7425-40de-944b-e07fc1f90ae7', true],
  ['4BF92F3577B34DA6A3CE929D0E0E4736', true],
  ['frieda@mail.example', false],
  ['frieda-sonnenschein', false],
  ['DE89370400440532013000', false],
  ['12345678901', false],
] as const

testOnBoth(
  'the audit keeps the X-Request-Id of a partner only if it is a UUID or a trace id',
  async (t, { store }) => {
    const market = await createMarket({}, { store })
    const { world } = market
    const { token } = world.partner
    const sent: unknown[] = []
    for (const [id, isKept] of requestIds) {
      const body = completeProvision({ partner_customer_ref: randomUUID() })
      const headers = { 'x-request-id': id }
      const answer = await world.request('POST', '/v1/investors', { token, body, headers })
      t.equal(answer.headers.get('x-request-id'), id, 'the answer has it in any case')
      const { investor_id } = answer.body
      await asAdministrator(market, 'investor.erase', { investor_id, reason: 'Request of 3 May' })
      sent.push({
        operation: 'provisionInvestor',
        request_id: isKept ? id : null,
        subjects: { investor_id },
      })
    }
    const entries = await asAdministrator(market, 'audit.list', { actor: 'client' })
    t.match(entries.slice(0, sent.length), exactArrays(sent.toReversed()))
    t.notMatch(JSON.stringify(entries), /frieda|DE\d{2}|12345678901|@/)
  },
)

testOnBoth(
  'the audit keeps the request id of an operator only if it is a UUID or a trace id',
  async (t, { store }) => {
    const market = await createMarket({}, { store })
    const share_purchase_id = await placeAccepted(market)
    const caller = { operator: maria, via: 'api', requestId: 'frieda@mail.example' } as const
    const { service } = market.world
    await runAs(service, caller, 'purchase.approve', { share_purchase_id })
    await t.rejects(runAs(service, caller, 'purchase.approve', { share_purchase_id }))
    const entries = await asAdministrator(market, 'audit.list', { actor: 'operator' })
    t.match(entries, exactArrays([{ request_id: null }, { request_id: null }]))
  },
)

function fail(): never {
  throw new Error('stop')
}

interface Sealed {
  readonly market: Market
  readonly ids: readonly string[]
}

/** Makes a chain of three links with at least two entries each. */
async function makeChain(t: Test, store: Store): Promise<Sealed> {
  const market = await createMarket({}, { store })
  for (let link = 0; link < 3; link += 1) {
    await placeAccepted(market)
    await placeAccepted(market)
    await untilListed(t, store)
    await sealAudit(market.world.service)
  }
  return { market, ids: (await untilListed(t, store)).map(({ entryId }) => entryId) }
}

/**
 * Waits for the entries, because PostgreSQL lists an entry only after all earlier transactions on
 * its server have ended.
 */
async function untilListed(t: Test, store: Store): Promise<readonly AuditEntry[]> {
  let listed: readonly AuditEntry[] = []
  await until(t, async () => {
    listed = await store.read((records) => records.auditEntries.listInOrder({ limit: 100 }))
    return listed.length === (await store.read((records) => records.auditEntries.count()))
  })
  return listed
}

const verify = ({ market }: Sealed, anchor?: object) =>
  asAdministrator(market, 'audit.verify', { anchor })

const anchorOf = ({ position, hash }: { position: number; hash: string }) => ({ position, hash })

testOnBoth('verify finds an entry that was changed', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  t.match(await verify(chain), { sound: true, position: 7, count: 7 })
  await opened.changeEntry(chain.ids[3] ?? '')
  const { sound, problems } = await verify(chain)
  t.equal(sound, false)
  t.same(problems, [`Entry 4 (${chain.ids[3]}) was changed.`])
})

testOnBoth('verify finds an entry that was removed, and the chain continues', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  await opened.removeEntry(chain.ids[1] ?? '')
  await opened.removeEntry(chain.ids[6] ?? '')
  const removed = [
    `Entry 2 (${chain.ids[1]}) was removed.`,
    `Entry 7 (${chain.ids[6]}) was removed.`,
  ]
  t.same((await verify(chain)).problems, removed)
  await placeAccepted(chain.market)
  await untilListed(t, opened.store)
  const { problems, position } = await verify(chain)
  t.same(problems, removed)
  t.equal(position, 8)
})

testOnBoth('verify finds a link that was removed', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  await opened.removeSeal(sealNumber(2))
  t.same((await verify(chain)).problems, ['Link 2 of the chain was removed.'])
})

testOnBoth('verify finds an entry that was added in the middle', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  await opened.insertEntry(chain.ids[0] ?? '')
  t.same((await verify(chain)).problems, ['1 entries were added outside of the chain.'])
})

testOnBoth('with an anchor, verify finds that the end was cut off', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  const anchor = anchorOf(await verify(chain))
  t.match(await verify(chain, anchor), { sound: true })
  await opened.removeSeal(sealNumber(3))
  for (const id of chain.ids.slice(5)) await opened.removeEntry(id)
  t.match(await verify(chain), { sound: true, position: 5 })
  t.same((await verify(chain, anchor)).problems, [
    'The chain was cut off: it ends at entry 5, and the anchor is at entry 7.',
  ])
})

testOnBoth('with an anchor, verify finds a chain that was rebuilt', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  const anchor = anchorOf(await verify(chain))
  await opened.changeEntry(chain.ids[5] ?? '')
  await opened.removeSeal(sealNumber(3))
  chain.market.world.clock.advance(1)
  t.match(await verify(chain), { sound: true, position: 7 })
  t.same((await verify(chain, anchor)).problems, [
    `The chain was rebuilt: entry 7 does not have the hash ${anchor.hash} of the anchor.`,
  ])
})

testOnBoth('the audit of a read-only store can be verified and exported', async (t, opened) => {
  const chain = await makeChain(t, opened.store)
  await placeAccepted(chain.market)
  const failed: Store = Object.assign(Object.create(opened.store), {
    read: opened.store.read.bind(opened.store),
    write: () => Promise.reject(new StoreFailedProblem(new Error('The disk is broken.'))),
  })
  const market = {
    ...chain.market,
    world: { ...chain.market.world, service: { ...chain.market.world.service, store: failed } },
  }
  t.match(await verify({ ...chain, market }), { sound: true, position: 7, count: 8, unsealed: 1 })
  t.equal((await asAdministrator(market, 'audit.export', {})).length, 8)
  const denied = asOperator(market, vera)('audit.export', {})
  await t.rejects(denied, { code: 'FORBIDDEN' }, 'the broken disk does not hide a refusal')
  const exported = asAdministrator(market, 'investor.export', { investor_id: market.investorId })
  await t.rejects(
    exported,
    { code: 'SERVICE_UNAVAILABLE' },
    'nobody can export a person without an entry',
  )
  await untilListed(t, opened.store)
  t.match(await verify(chain), { sound: true, position: 8, unsealed: 0 })
})

t.test('two instances on a database continue one chain', async (t) => {
  const opened = await openDatabase(t)
  const chain = await makeChain(t, opened.store)
  const { service } = chain.market.world
  for (let round = 0; round < 5; round += 1) {
    await placeAccepted(chain.market)
    await Promise.all([sealAudit(service), sealAudit(service)])
  }
  await untilListed(t, opened.store)
  t.match(await verify(chain), { sound: true, position: 12, count: 12, unsealed: 0 })
})

t.test('another transaction on the server only delays the chain', async (t) => {
  const opened = await openDatabase(t)
  const chain = await makeChain(t, opened.store)
  const anchor = anchorOf(await verify(chain))
  const { service } = chain.market.world
  const end = await opened.beginTransaction()
  await placeAccepted(chain.market)
  await placeAccepted(chain.market)
  t.equal(await sealAudit(service), false)
  t.match(await verify(chain, anchor), { sound: true, position: 7, count: 9, unsealed: 2 })
  await opened.insertEntry(chain.ids[0] ?? '')
  const { problems, unsealed } = await verify(chain, anchor)
  t.same(problems, ['1 entries were added outside of the chain.'])
  t.equal(unsealed, 2)
  await opened.removeEntry(`${chain.ids[0]}-2`)
  const exported = await asAdministrator(chain.market, 'audit.export', {})
  t.equal(exported.length, 9, 'an export contains all entries')
  await end()
  await untilListed(t, opened.store)
  t.equal(await sealAudit(service), true)
  t.match(await verify(chain, anchor), { sound: true, position: 10, count: 10, unsealed: 0 })
})

t.test('the chain grows as soon as another transaction on the server has ended', async (t) => {
  const opened = await openDatabase(t)
  const { market } = await makeChain(t, opened.store)
  const timers = holdTimers(t)
  const sealer = new AuditSealer(market.world.service)
  const end = await opened.beginTransaction()
  await placeAccepted(market)
  sealer.wake()
  for (let round = 0; round < 2; round += 1) {
    await timers.run()
    await until(t, () => timers.delays().length > 0)
    t.same(timers.delays(), [1000], 'the sealer tries again without being woken')
  }
  await end()
  await untilListed(t, opened.store)
  await timers.run()
  const lastOf = () => opened.store.read((records) => records.auditSeals.last())
  await until(t, async () => (await lastOf())?.position === 8)
  await sealer.stop()
})

testOnBoth('entries that are added during a verification are no fault', async (t, { store }) => {
  const chain = await makeChain(t, store)
  const { world } = chain.market
  const growing: Store = Object.assign(Object.create(store), {
    write: store.write.bind(store),
    read: (work: (records: ReadableRecords) => Promise<unknown>) =>
      store.read(({ auditEntries, ...records }) => {
        const count = async () => {
          await placeAccepted(chain.market)
          return auditEntries.count()
        }
        return work({ ...records, auditEntries: { ...auditEntries, count } })
      }),
  })
  const service = { ...world.service, store: growing }
  const market = { ...chain.market, world: { ...world, service } }
  t.match(await verify({ ...chain, market }), { sound: true, position: 7, count: 8, unsealed: 1 })
})

function createSealer(t: Test, write: () => Promise<never>) {
  const attempts: 'write'[] = []
  const store = {
    write() {
      attempts.push('write')
      return write()
    },
  }
  const errors: unknown[] = []
  const service = { store: store as unknown as Store, clock: systemClock }
  const sealer = new AuditSealer(service, (error) => errors.push(error))
  return { sealer, attempts, errors, timers: holdTimers(t) }
}

/** Timers that run when the test says so. */
function holdTimers(t: Test) {
  const held = new Map<Timer, { readonly work: () => void; readonly ms: number }>()
  useTime({
    ...machineTime,
    setTimeout(work, ms) {
      const timer: Timer = { unref: () => timer }
      held.set(timer, { work, ms })
      return timer
    },
    clearTimeout: (timer) => void (timer && held.delete(timer)),
    pause: async () => undefined,
  })
  t.teardown(() => useTime(machineTime))
  return {
    delays: () => [...held.values()].map(({ ms }) => ms),
    async run() {
      const due = [...held.values()]
      held.clear()
      for (const { work } of due) work()
      await nextTurn()
    },
  }
}

t.test('the audit of a read-only store is sealed later and when the service stops', async (t) => {
  const { sealer, attempts, errors, timers } = createSealer(t, async () => {
    throw new StoreFailedProblem(new Error('The disk is broken.'))
  })
  sealer.wake(0)
  await timers.run()
  t.equal(attempts.length, 1)
  sealer.wake(0)
  t.same(timers.delays(), [10_000], 'the attempt is not repeated immediately')
  await sealer.stop()
  t.equal(attempts.length, 2)
  sealer.wake(0)
  t.same(timers.delays(), [], 'a stopped sealer does not start again')
  t.same(errors, [], 'other lines of the log say that the store accepts no writes')
})

t.test('a chain that does not grow is reported, and tried again', async (t) => {
  const error = new Error('a defect')
  const { sealer, errors, timers } = createSealer(t, () => Promise.reject(error))
  sealer.wake(0)
  await timers.run()
  t.same(timers.delays(), [10_000])
  await timers.run()
  t.same(errors, [error, error])
})

t.test('an unresponsive store gets only one write, and no stop waits long for it', async (t) => {
  const { sealer, attempts, timers } = createSealer(t, () => new Promise(() => {}))
  for (let round = 0; round < 3; round += 1) {
    sealer.wake(0)
    await timers.run()
  }
  t.equal(attempts.length, 1)
  await sealer.stop()
})

t.test('a dry run has no entry, because it only reads', async (t) => {
  const market = await createMarket()
  const { key, name, energyCategory, sharePrice } = market.cooperative
  const cooperative = { key, name, energy_category: energyCategory, share_price: sharePrice }
  const before = await asAdministrator(market, 'audit.list', {})
  for (const [operation, input] of [
    ['cooperative.import', { cooperatives: [cooperative] }],
    ['fixtures.apply', {}],
    ['event.purge', { before: '2026-01-01T00:00:00Z' }],
    ['event.replay', { dead: true }],
  ] as const) {
    await asAdministrator(market, operation, { ...input, dry_run: true })
    t.same(await asAdministrator(market, 'audit.list', {}), before, operation)
  }
  await asAdministrator(market, 'event.replay', { dead: true })
  t.equal((await asAdministrator(market, 'audit.list', {})).length, before.length + 1)
})

t.test('a run of a write that was not committed does not count as recorded', async (t) => {
  const { options, drop } = await createDatabase()
  const [store, other] = [new PostgresStore(options), new PostgresStore(options)]
  t.teardown(async () => {
    await Promise.all([store.close(), other.close()])
    await drop()
  })
  const { service, partner } = (await createMarket({}, { store })).world
  const { organizationId } = partner
  const audited = withAudit(service, systemAuditContext('start'))
  const disable = (changed: Store, before: () => Promise<unknown>) =>
    changed.write(subjects.all('organizations'), async ({ organizations }) => {
      const found = await organizations.get(organizationId)
      await before()
      if (found && !found.disabled) await organizations.put({ ...found, disabled: true })
    })
  await disable(audited.store, () => disable(other, async () => undefined))
  t.equal(audited.store.hasNoted, false)
})
