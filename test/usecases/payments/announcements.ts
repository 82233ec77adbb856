import t, { type Test } from 'tap'
import { collect } from '../../../fixtures/async.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { refuseAt, startMailServer } from '../../../fixtures/servers/mail-server.ts'
import { storeEngines } from '../../../fixtures/stores/engines.ts'
import { get, placeAccepted, provision } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import type { WorldOptions } from '../../../fixtures/world/world.ts'
import { zeroMoney } from '../../../src/domain/money.ts'
import { announcedType } from '../../../src/domain/webhooks/event.ts'
import { runOperation } from '../../../src/operations/operations.ts'
import { eraseInvestor } from '../../../src/usecases/investors/erase-investor.ts'
import { encryptInvestor, openInvestor } from '../../../src/usecases/investors/investors.ts'
import { exportInvestor } from '../../../src/usecases/investors/read-investors.ts'
import { updateOrganization } from '../../../src/usecases/organizations/organizations.ts'
import { cancelCollection, readCollection } from '../../../src/usecases/payments/collections.ts'
import { createCollections } from '../../../src/usecases/payments/create-collections.ts'
import { setCreditor } from '../../../src/usecases/payments/creditors.ts'
import { importStatements } from '../../../src/usecases/payments/import-statements.ts'
import { retryReturnedPayment } from '../../../src/usecases/payments/payments.ts'
import { simulateBank } from '../../../src/usecases/payments/simulate-statement.ts'

import { followEvents, listEvents, readEvent } from '../../../src/usecases/webhooks/read-events.ts'

const creditorIban = 'DE02120300000000202051'

/** A market whose cooperative collects, with a mail server. */
async function createCollectingMarket(t: Test, options: WorldOptions = {}) {
  const server = await startMailServer(t)
  const removed: string[] = []
  const removeFiles = async (ids: readonly string[]) => removed.push(...ids)
  const mailer = { ...server.mailer, removeFiles }
  const market = await createWebhookMarket(t, { mailer, ...options })
  await setCreditor(market.world.service, market.cooperative.key, {
    name: 'Sonnenfirst Allgäu eG',
    creditorId: 'DE98ZZZ09999999999',
    iban: creditorIban,
    noticeDays: 14,
    leadDays: 2,
  })
  return { ...market, server, removed }
}

async function approveOrder(market: WebhookMarket): Promise<string> {
  const id = await placeAccepted(market)
  await decide(market, id, 'approved')
  await market.dispatcher.dispatchDue()
  return id
}

async function collectAll({ world }: WebhookMarket): Promise<string> {
  const { collections } = await createCollections(world.service, {})
  return collections[0]?.collection.collectionId ?? ''
}

/** The announcements that the mail server got, decoded. */
function announcements({ server }: { readonly server: { readonly mails: readonly string[] } }) {
  return server.mails.map(decode).filter((mail) => mail.includes('Mandatsreferenz:'))
}

function decode(mail: string): string {
  const bytes = mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

async function announcedEvents({ world }: WebhookMarket) {
  const listed = (await collect(listEvents(world.service, { type: announcedType }))).flat()
  return listed.map(({ owned }) => owned.event)
}

for (const engine of storeEngines) {
  t.test(
    `the investor is notified before money is collected, in a store ${engine.name}`,
    async (t) => {
      const { store } = await engine.open(t)
      const market = await createCollectingMarket(t, { store })
      const { world, dispatcher, receiver } = market
      const id = await approveOrder(market)
      const before = receiver.received.length
      const [one, other] = await Promise.all([collectAll(market), collectAll(market)])
      t.equal([one, other].filter(Boolean).length, 1, 'two calls at once make one collection')
      await dispatcher.dispatchDue()
      await dispatcher.dispatchDue()
      const mails = announcements(market)
      t.equal(mails.length, 1, 'one e-mail')
      const shown = await readCollection(world.service, one || other)
      const [first] = shown.debits
      t.match(mails[0], 'To: frieda.sonnenschein@mail.example')
      for (const part of [
        `Auftragsnummer:  ${id}`,
        'Gläubiger:       Sonnenfirst Allgäu eG',
        'Gläubiger-ID:    DE98ZZZ09999999999',
        `Mandatsreferenz: ${first?.debit.mandateReference}`,
        'Betrag:          1.250,00 EUR',
        `Amount:              1,250.00 EUR`,
      ]) {
        t.ok(mails[0]?.includes(part), part)
      }
      t.notMatch(mails[0], /DE\d{20}/, 'no account')
      t.equal(receiver.received.length, before, 'nothing is sent to the partner')
      t.strictSame([shown.collection.announcedCount, first?.isAnnounced], [1, true])
      await t.test('operators see the event', async (t) => {
        const [event] = await announcedEvents(market)
        const details = await readEvent(world.service, event?.eventId ?? '')
        t.match(
          details,
          exactArrays({
            transition: null,
            deliveries: [{ delivery: { target: { kind: 'mail' }, state: 'delivered' } }],
          }),
        )
        t.notMatch(event?.body, /DE\d{20}/)
      })
      await t.test('partners do not see the event', async (t) => {
        const { organizationId: organization } = world.partner
        await updateOrganization(world.service, { organization, selfService: true })
        const [event] = await announcedEvents(market)
        const { items } = (await get(market, '/sandbox/events')).body
        const types = items.map(({ type }: { type: string }) => type)
        t.strictSame(types, ['share_purchase.submitted', 'share_purchase.approved'])
        const path = `/sandbox/events/${event?.eventId}`
        t.match(await get(market, path), { status: 404, body: { code: 'EVENT_NOT_FOUND' } })
        t.equal((await get(market, `/sandbox/events?after=${event?.eventId}`)).status, 404)
        const replay = await world.request('POST', `${path}/replay`, { token: world.partner.token })
        t.equal(replay.status, 404)
        const followed = await followEvents(world.service, { organization, limit: 10 })
        t.strictSame(
          followed.map(({ type }) => type),
          types,
        )
      })
    },
  )
}

t.test('a payment that is collected again is announced again', async (t) => {
  const market = await createCollectingMarket(t)
  const { service } = market.world
  const id = await approveOrder(market)
  const collectionId = await collectAll(market)
  await market.dispatcher.dispatchDue()
  const returns = [{ sharePurchaseId: id, returnCode: 'AM04' }]
  await runOperation(service, 'collection.export', { collection_id: collectionId })
  const text = await simulateBank(service, { collectionId, returns, charges: zeroMoney })
  await importStatements(service, { name: 'bank.xml', text })
  await retryReturnedPayment(service, id)
  market.world.clock.advance(20 * 24 * 3600)
  await collectAll(market)
  await market.dispatcher.dispatchDue()
  const dates = announcements(market).map((mail) => /Fällig am: +(.*)\r/.exec(mail)?.[1])
  t.equal(new Set(dates).size, 2, `two e-mails with their due dates: ${dates}`)
})

t.test('a direct debit that was cancelled is not announced any more', async (t) => {
  const market = await createCollectingMarket(t)
  const { service } = market.world
  await approveOrder(market)
  const collectionId = await collectAll(market)
  await cancelCollection(service, collectionId, { isExported: false })
  await market.dispatcher.dispatchDue()
  t.strictSame(announcements(market), [])
  const [event] = await announcedEvents(market)
  const { deliveries } = await readEvent(service, event?.eventId ?? '')
  t.match(
    deliveries,
    exactArrays([{ delivery: { state: 'dead', deadBecause: 'payment_cancelled' } }]),
  )
  await collectAll(market)
  await market.dispatcher.dispatchDue()
  t.equal(announcements(market).length, 1, 'the next collection is announced')
})

t.test('investors without e-mails must be notified by the partner', async (t) => {
  const market = await createCollectingMarket(t)
  const { service, partner } = market.world
  const unreachable = await provision(market.world, { partner_customer_ref: 'c-2' })
  const reached = await approveOrder(market)
  const missed = await approveOrder({ ...market, investorId: unreachable })
  await service.store.write(anything, async (records) => {
    const stored = await records.investors.get(partner.organizationId, unreachable)
    if (!stored) throw new Error('The investor is missing.')
    const without = { ...openInvestor(service.vault, stored), email: null }
    await records.investors.put(await encryptInvestor(records, service, without))
  })
  const shown = await readCollection(service, await collectAll(market))
  const idsOf = (isAnnounced: boolean, { debits }: typeof shown) =>
    debits.flatMap((one) => (one.isAnnounced === isAnnounced ? one.debit.sharePurchaseId : []))
  t.strictSame([idsOf(true, shown), idsOf(false, shown)], [[reached], [missed]])
  t.equal(shown.collection.announcedCount, 1)
  await updateOrganization(service, { organization: partner.organizationId, investorMail: false })
  const third = await approveOrder(market)
  const without = await readCollection(service, await collectAll(market))
  t.strictSame([idsOf(true, without), idsOf(false, without)], [[], [third]])
  t.equal((await announcedEvents(market)).length, 1, 'there is no event without an e-mail')
})

t.test('an investor whose e-mail was refused must be notified by the partner', async (t) => {
  const { mailer } = await startMailServer(t, refuseAt('RCPT TO', '550 5.1.1'))
  const market = await createCollectingMarket(t, {
    mailer: { ...mailer, removeFiles: async () => 0 },
  })
  await approveOrder(market)
  const collectionId = await collectAll(market)
  await market.dispatcher.dispatchDue()
  const { debits } = await readCollection(market.world.service, collectionId)
  t.match(debits, exactArrays([{ isAnnounced: false, debit: { isAnnounced: true } }]))
})

t.test(
  'the export of a person has the announcements, and their erasure removes them',
  async (t) => {
    const market = await createCollectingMarket(t)
    const { service } = market.world
    const id = await approveOrder(market)
    const collectionId = await collectAll(market)
    await market.dispatcher.dispatchDue()
    const { stories } = await exportInvestor(service, market.investorId)
    t.strictSame(
      stories[0]?.events.map(({ event }) => event.type),
      ['share_purchase.submitted', 'share_purchase.approved', announcedType],
    )
    const [event] = await announcedEvents(market)
    await cancelCollection(service, collectionId, { isExported: false })
    await decide(market, id, 'rejected')
    await eraseInvestor(service, { investorId: market.investorId })
    t.ok(event?.deliveryIds.every((deliveryId) => market.removed.includes(deliveryId)))
  },
)
