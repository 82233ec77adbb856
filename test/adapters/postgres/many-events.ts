import t, { type Test } from 'tap'
import { collect } from '../../../fixtures/async.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { openSniffingProxy } from '../../../fixtures/postgres/sniffing-proxy.ts'
import { createMarket, placeAccepted } from '../../../fixtures/world/market.ts'
import { copyEvents } from '../../../fixtures/world/seed-events.ts'
import { register } from '../../../fixtures/world/webhook-market.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { deriveEventId } from '../../../src/domain/webhooks/event.ts'
import type { Service } from '../../../src/usecases/service.ts'
import { listEvents } from '../../../src/usecases/webhooks/read-events.ts'
import { replayEvents } from '../../../src/usecases/webhooks/replay-events.ts'
import { removeWebhookEndpoint } from '../../../src/usecases/webhooks/webhook-endpoints.ts'

t.teardown(stopServer)

const copies = 250

const dead = { state: 'dead', nextAttemptAt: null, deadBecause: 'attempts_used_up' } as const
const delivered = { state: 'delivered', nextAttemptAt: null } as const

/**
 * Opens a store with an event and 250 dead events, and counts the statements that a work on them
 * sends.
 */
async function openMany(t: Test, mail: typeof dead | typeof delivered = dead) {
  const { options, drop } = await createDatabase()
  const line = await openSniffingProxy(t, options.url)
  const store = new PostgresStore({ ...options, url: line.url, poolSize: 4 })
  t.teardown(async () => {
    await store.close()
    await drop()
  })
  const market = await createMarket({}, { store })
  const { service } = market.world
  const { webhookEndpointId } = await register(market, 'http://127.0.0.1:9/')
  await copyEvents(service, deriveEventId(await placeAccepted(market), 'submitted'), {
    count: copies,
    event: { deliveries: { pending: 0, delivered: 0, dead: 1 } },
    delivery: ({ target }) => (target.kind === 'mail' ? mail : dead),
  })
  const statementsOf = async (work: (service: Service) => Promise<readonly unknown[]>) => {
    line.take()
    const rows = (await work(service)).length
    return { rows, statements: line.take().filter(isOfEvents).length }
  }
  return { service, webhookEndpointId, statementsOf }
}

/** Requires a few statements for each hundred events, and not one for each event. */
function requireFew(t: Test, found: { rows: number; statements: number }, rows: number) {
  t.equal(found.rows, rows)
  const most = Math.ceil(Math.max(rows, 1) / 100) * 5
  t.ok(found.statements <= most, `${found.statements} statements of ${most}`)
}

function isOfEvents({ text }: { readonly text: string }): boolean {
  return /\b(events|deliveries|webhook_endpoints)\b/.test(text)
}

t.test('a list reads events and deliveries once for every hundred events', async (t) => {
  const { statementsOf } = await openMany(t)
  const all = await statementsOf((service) => collect(listEvents(service, {})))
  requireFew(t, all, copies + 1)
  const few = await statementsOf((service) => collect(listEvents(service, { limit: 10 })))
  requireFew(t, few, 10)
  const mails = await statementsOf((service) =>
    collect(listEvents(service, { state: 'dead', deadMail: true })),
  )
  requireFew(t, mails, copies)
})

t.test('the plan of a replay also reads once for every hundred events', async (t) => {
  const { statementsOf } = await openMany(t)
  const onlyDead = true
  const rehearse = (limit: number | undefined, deadMail: boolean) =>
    statementsOf((all) =>
      replayEvents(all, { state: 'dead', deadMail, limit }, { onlyDead, deadMail, dryRun: true }),
    )
  requireFew(t, await rehearse(undefined, false), copies)
  requireFew(t, await rehearse(1, false), 1)
  requireFew(t, await rehearse(undefined, true), copies)
  requireFew(t, await rehearse(1, true), 1)
})

t.test('events without a receiver are not read one by one', async (t) => {
  const { service, webhookEndpointId, statementsOf } = await openMany(t, delivered)
  await removeWebhookEndpoint(service, webhookEndpointId)
  const options = { onlyDead: true, dryRun: true }
  const one = await statementsOf((all) => replayEvents(all, { state: 'dead', limit: 1 }, options))
  requireFew(t, one, copies + 1)
})
