import t, { type Test } from 'tap'
import { completeProfile, germanIban, givenConsents } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { openStore, temporaryDirectory } from '../../fixtures/stores/engines.ts'
import { createMarket, type Market, placeAccepted } from '../../fixtures/world/market.ts'
import { PostgresStore } from '../../src/adapters/postgres/postgres-store.ts'
import type { AuditEntry } from '../../src/domain/audit/audit-entry.ts'
import { runAs } from '../../src/operations/run-audited.ts'
import type { Store } from '../../src/ports/store.ts'
import { readInvestor } from '../../src/usecases/investors/investors.ts'
import { createClient } from '../../src/usecases/oauth/clients.ts'
import { issueToken } from '../../src/usecases/oauth/issue-token.ts'

t.teardown(stopServer)

async function openDatabase(t: Test): Promise<Store> {
  const { options, drop } = await createDatabase()
  const store = new PostgresStore(options)
  t.teardown(async () => {
    await store.close()
    await drop()
  })
  return store
}

const engines = [
  { name: 'in a directory', open: (t: Test) => openStore(t, { directory: temporaryDirectory(t) }) },
  { name: 'in PostgreSQL', open: openDatabase },
] as const

function testOnEach(title: string, test: (t: Test, store: Store) => Promise<void>): void {
  for (const { name, open } of engines) {
    t.test(`${title} (${name})`, async (t) => test(t, await open(t)))
  }
}

/** A second client of the first partner. */
async function addClient({ service, partner }: Market['world']) {
  const { client } = await createClient(service, { organization: partner.organizationId })
  const { accessToken } = await issueToken(service, { client, scopes: client.grantedScopes })
  return { clientId: client.clientId, token: accessToken }
}

function putProfile({ world, investorId }: Market, token: string, body: object) {
  return world.request('PUT', `/v1/investors/${investorId}/profile`, { token, body })
}

/** The entries with changes, oldest first. */
function entriesOf({ world }: Market): Promise<readonly AuditEntry[]> {
  return world.service.store.read(({ auditEntries }) =>
    auditEntries.list({ limit: 1000, isOldestFirst: true }),
  )
}

async function newEntries(market: Market, work: () => Promise<unknown>) {
  const before = await entriesOf(market)
  await work()
  return (await entriesOf(market)).slice(before.length)
}

/** The time of this clock stands still, so all changes happen in the same millisecond. */
testOnEach(
  'each change of a profile has an entry with its client, even if clients change it at the same moment',
  async (t, store) => {
    const market = await createMarket({}, { store })
    const { world, investorId } = market
    const { organizationId, ...own } = world.partner
    const other = await addClient(world)
    for (const iban of ['DE02120300000000202051', 'DE89370400440532013000']) {
      const ownBodies = [1, 2, 3, 4].map((phone) =>
        completeProfile({ phone: `${phone}`, bank_account: { iban: germanIban } }),
      )
      const entries = await newEntries(market, async () => {
        const answers = await Promise.all([
          ...ownBodies.map((body) => putProfile(market, own.token, body)),
          putProfile(market, other.token, completeProfile({ bank_account: { iban } })),
        ])
        t.ok(answers.every(({ status }) => status === 200))
      })
      const named = entries.map(({ actorId }) => actorId)
      t.equal(named.filter((id) => id === own.clientId).length, 4)
      t.equal(named.filter((id) => id === other.clientId).length, 1)
      const { profile } = await readInvestor(world.service, { organizationId, investorId })
      const last = profile?.bankAccount?.iban === iban ? other : own
      t.equal(named.at(-1), last.clientId, 'the last entry names the client of what is stored')
    }
  },
)

testOnEach('a PUT that changes nothing is not stored and has no entry', async (t, store) => {
  const market = await createMarket({}, { store })
  const { world } = market
  const { token } = world.partner
  const read = () =>
    world.service.store.read(({ investors }) =>
      investors.get(world.partner.organizationId, market.investorId),
    )
  await putProfile(market, token, completeProfile())
  const stored = await read()
  world.clock.advance(60)
  const same = completeProfile({
    email: 'frieda.sonnenschein@mail.example',
    bank_account: { iban: 'de12 5001 0517 0648 4898 90', bic: 'INGDDEFFXXX' },
    consents: givenConsents({ terms: { given: true, given_at: '2026-01-05T11:00:00+01:00' } }),
  })
  for (const body of [completeProfile(), same]) {
    const entries = await newEntries(market, async () => {
      t.match(await putProfile(market, token, body), { status: 200 })
    })
    t.same(entries, [])
    t.same(await read(), stored)
  }
})

testOnEach(
  'a PUT that gives a consent without its time is always a change [D12]',
  async (t, store) => {
    const market = await createMarket({}, { store })
    const { token } = market.world.partner
    const body = completeProfile({ consents: givenConsents({ terms: { given: true } }) })
    const entries = await newEntries(market, async () => {
      for (let round = 0; round < 3; round += 1) await putProfile(market, token, body)
    })
    t.equal(entries.length, 3)
  },
)

const operator = { operatorId: 'op-1', name: 'maria', role: 'administrator' } as const

function run({ world }: Market, name: string, input: object) {
  const caller = { operator, via: 'command', requestId: null as unknown as string } as const
  return runAs(world.service, caller, name, input)
}

testOnEach('a change of fields that the audit does not show has an entry', async (t, store) => {
  const market = await createMarket({}, { store })
  const { world, investorId } = market
  const share_purchase_id = await placeAccepted(market)
  await run(market, 'purchase.reject', { share_purchase_id, reason: 'Not wanted.' })
  const erase = (reason: string) =>
    run(market, 'investor.erase', { investor_id: investorId, reason })
  const erased = await newEntries(market, () => erase('Request of 3 May'))
  t.equal(erased.length, 1)
  t.match(erased[0], { sharePurchaseId: share_purchase_id, operation: 'investor.erase' })
  const [ofInvestor, ofOrder] = [
    { record: 'investors', id: investorId },
    { record: 'sharePurchases', id: share_purchase_id, before: {}, after: {} },
  ]
  t.match(changesOf(erased[0]), exactArrays([ofOrder, ofInvestor]))
  const again = await newEntries(market, () => erase('Request of 4 May'))
  t.match(changesOf(again[0]), exactArrays([ofInvestor]))

  const { clientId: client_id } = world.partner
  const cooperative = { cooperative: market.cooperative.key }
  for (const [name, input] of [
    ['client.disable', { client_id }],
    ['organization.update', { organization: 'Demo Bank', investor_mail: false }],
    ['organization.disable', { organization: 'Demo Bank' }],
    ['cooperative.unpublish', cooperative],
    ['cooperative.update', { ...cooperative, description: 'Another text' }],
  ] as const) {
    const [entry, ...more] = await newEntries(market, () => run(market, name, input))
    t.same(more, [], name)
    t.not(entry?.changes, '[]', name)
    const stored = await everything(store)
    world.clock.advance(60)
    const repeated = await newEntries(market, () => run(market, name, input))
    t.match(repeated, exactArrays([{ operation: name, changes: '[]' }]), `${name} repeated`)
    t.same(await everything(store), stored, `${name} repeated`)
  }
})

function changesOf(entry: AuditEntry | undefined): unknown {
  return JSON.parse(entry?.changes ?? '')
}

function everything(store: Store) {
  return store.read(async ({ clients, organizations, cooperatives }) => [
    await clients.list(),
    await organizations.list(),
    await cooperatives.list(),
  ])
}
