import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import {
  createServedMarket,
  type Running,
  type ServedMarket,
} from '../../fixtures/program/served-market.ts'

async function startMailServer(t: Test) {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, callback) {
      let text = ''
      stream.on('data', (chunk) => (text += chunk))
      stream.on('end', () => callback(null, void mails.push(text)))
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { mails, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

t.test('investors get e-mails through a mail server', async (t) => {
  const { start } = await createServedMarket(t)
  const server = await startMailServer(t)
  const { operator, place } = await start('--smtp-url', server.url, '--mail-from', 'a@coop.example')
  const share_purchase_id = await place()
  await operator.call('purchase.reject', { share_purchase_id, reason: 'The mandate was returned.' })
  await until(t, () => server.mails.length === 2)
  const [submitted, rejected] = server.mails
  t.match(submitted, /^Status: +received\r?$/m)
  t.match(rejected, /^Status: +rejected\r?$/m)
  t.match(rejected, /^Reason: +The mandate was returned\.\r?$/m)
  t.match(rejected, new RegExp(`^Order number: +${share_purchase_id}\\r?$`, 'm'))
  const [{ event_id = '' } = {}] = await operator.call('event.list', {})
  await until(t, async () => {
    const { mail } = await operator.call('event.show', { event_id })
    return mail?.state === 'delivered'
  })
  const { mail } = await operator.call('event.show', { event_id })
  t.match(mail, exactArrays({ attempts: [{ status: 250, delivered: true, written: false }] }))
})

const mailStates = ['waiting', 'pending', 'delivered', 'dead', 'written'] as const

/** Reads the number of e-mails in each state from the metrics. */
async function countMails({ operator }: Running): Promise<Record<string, number | undefined>> {
  const counts = await operator.metric('coopshare_deliveries')
  const countOf = (state: string) => counts.get(`{kind="mail",state="${state}"}`)
  return Object.fromEntries(mailStates.map((state) => [state, countOf(state)]))
}

t.test('an e-mail saved as a file is written, not delivered [D39]', async (t) => {
  const { start, dataDirectory } = await createServedMarket(t)
  const elsewhere = join(dataDirectory, 'elsewhere')
  const rows: [argv: string[], directory: string][] = [
    [[], join(dataDirectory, 'mail')],
    [['--mail-directory', elsewhere], elsewhere],
  ]
  for (const [index, [argv, directory]] of rows.entries()) {
    const running = await start(...argv)
    const { operator, place, served } = running
    const id = await place()
    const events = await operator.call('event.list', {})
    const { event_id = '' } = events.find((event) => event.share_purchase_id === id) ?? {}
    await until(t, async () => {
      const { mail } = await operator.call('event.show', { event_id })
      return mail?.state === 'written'
    })
    const [name = '', ...others] = await readdir(directory)
    t.strictSame(others, [])
    t.match(await readFile(join(directory, name), 'utf8'), /^From: coopshare@localhost\r$/m)
    const { mail } = await operator.call('event.show', { event_id })
    const attempt = { delivered: false, written: true, failure: null }
    t.match(
      mail,
      exactArrays({ attempts: [{ ...attempt, detail: `Written to ${name}, not sent.` }] }),
    )
    const nothing = { waiting: 0, pending: 0, dead: 0 }
    t.strictSame(await countMails(running), { ...nothing, delivered: 0, written: index + 1 })
    const attempts = await operator.metric('coopshare_delivery_attempts_total')
    t.equal(attempts.get('{kind="mail",outcome="written"}'), 1)
    t.equal(attempts.get('{kind="mail",outcome="delivered"}'), 0)
    const shown = await runCoopshare(['event', 'show', event_id, '--data-dir', dataDirectory])
    t.match(shown.stdout, 'written: saved as a file in the mail directory, not sent')
    const replay = ['event', 'replay', event_id, '--dead', '--mail']
    const replayed = await runCoopshare([...replay, '--data-dir', dataDirectory])
    t.match(replayed.stdout, 'the e-mail is a file in the mail directory')
    await served.stop()
  }
})

t.test('--no-investor-mail stops new e-mails and ends pending ones', async (t) => {
  const { start, dataDirectory } = await createServedMarket(t)
  const here = ['--data-dir', dataDirectory]
  const first = await start()
  const id = await first.place()
  await until(t, async () => (await countMails(first))['written'] === 1)
  await first.served.stop()
  // The e-mail about this decision stays pending, because no service is running.
  t.equal((await runCoopshare(['purchase', 'approve', id, ...here])).code, 0)

  const running = await start('--no-investor-mail')
  await until(t, async () => (await countMails(running))['dead'] === 1)
  const [, { event_id = '' } = {}] = await running.operator.call('event.list', {})
  const { mail } = await running.operator.call('event.show', { event_id })
  t.match(mail, { state: 'dead', dead_because: 'mail_turned_off' })
  await running.operator.call('purchase.settle', { share_purchase_id: id })
  await running.place()
  const before = { waiting: 0, pending: 0, delivered: 0, dead: 1, written: 1 }
  t.strictSame(await countMails(running), before, 'a decision and an order cause no e-mail')
  await running.served.stop()

  const again = await start()
  const replayed = await runCoopshare(['event', 'replay', event_id, '--dead', '--mail', ...here])
  t.equal(replayed.code, 0, 'ended e-mails can still be replayed')
  await until(t, async () => (await countMails(again))['written'] === 2)
})

const queued = 10_000

/**
 * Stores this number of copied events, as if orders had been placed while no deliveries were sent.
 */
async function queueCopies({ dataDirectory }: ServedMarket): Promise<void> {
  await fillStore(dataDirectory, async ({ store }) => {
    const event = (await store.read(({ events }) => events.list({ limit: 1 })))[0]
    await store.write(anything, async ({ events, deliveries }) => {
      const [deliveryId = ''] = event?.deliveryIds ?? []
      const delivery = await deliveries.get(deliveryId)
      if (!event || !delivery) throw new Error('There is no event to copy.')
      const pending = { state: 'pending', nextAttemptAt: event.createdAt, attempts: [] } as const
      for (let copy = 0; copy < queued; copy += 1) {
        const ids = { eventId: `event-${copy}`, deliveryId: `delivery-${copy}` }
        const orderingKey = `key-${copy}`
        await deliveries.put({ ...delivery, ...pending, ...ids, orderingKey, attemptsInRound: 0 })
        const counts = { pending: 1, delivered: 0, dead: 0 }
        await events.put({ ...event, ...ids, deliveryIds: [ids.deliveryId], deliveries: counts })
      }
    })
  })
}

async function residentMb(operator: {
  metric(name: string): Promise<ReadonlyMap<string, number>>
}) {
  const bytes = (await operator.metric('process_resident_memory_bytes')).get('') ?? 0
  return bytes / 1024 / 1024
}

t.test('10,000 events for an unresponsive endpoint do not delay another endpoint', async (t) => {
  const market = await createServedMarket(t)
  const { receiver, start } = market
  const first = await start()
  const { webhook_endpoint_id } = await first.register(`${receiver.url}/hangs`)
  await first.place()
  await until(t, async () => (await first.operator.call('event.count', {})).delivered === 1)
  await first.served.stop()
  receiver.received.length = 0
  await queueCopies(market)

  const toHealthy: number[] = []
  receiver.answer = (request, response) => {
    if (request.url?.endsWith('/hangs')) return
    toHealthy.push(Date.now())
    response.writeHead(200).end()
  }
  const { operator, register, place } = await start()
  await register()
  const before = await residentMb(operator)
  const delays: number[] = []
  for (let order = 1; order <= 20; order += 1) {
    const placedAt = Date.now()
    await place()
    await until(t, () => toHealthy.length === order)
    delays.push((toHealthy.at(-1) ?? 0) - placedAt)
  }
  const slowest = Math.max(...delays)
  t.ok(slowest < 2000, `the slowest of 20 events arrived ${slowest} ms after its order`)
  const deliveriesThatAre = async (state: string) => {
    const queue = await operator.metric('coopshare_deliveries')
    return queue.get(`{kind="webhook",state="${state}"}`)
  }
  await until(t, async () => (await deliveriesThatAre('pending')) === queued + 20)
  const lag = await operator.metric('coopshare_delivery_lag_seconds')
  t.ok((lag.get('{kind="webhook"}') ?? 0) > 0, 'the metrics show the lag')
  const inFlight = receiver.received.length - toHealthy.length
  t.ok(inFlight <= 16, `${inFlight} attempts to the unresponsive endpoint are in progress`)
  const grown = (await residentMb(operator)) - before
  t.ok(grown < 100, `memory grew by ${grown.toFixed(0)} MB`)
  await operator.call('webhook.remove', { webhook_endpoint_id })
  // The command ends pending deliveries. The service ends deliveries that become due in the
  // meantime.
  await until(t, async () => (await deliveriesThatAre('dead')) === queued + 20)
})
