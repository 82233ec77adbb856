import t from 'tap'
import { collect, until } from '../../../fixtures/async.ts'
import { germanIban } from '../../../fixtures/builders/investors.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { refuseAt, startMailServer } from '../../../fixtures/servers/mail-server.ts'
import { answerWith } from '../../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import { recordingMailer } from '../../../fixtures/world/recorders.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  exhaustAttempts,
  findEvent,
  register,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import { addSeconds } from '../../../src/domain/timestamp.ts'
import type { Mailer } from '../../../src/ports/mailer.ts'
import { updateOrganization } from '../../../src/usecases/organizations/organizations.ts'
import { decideSharePurchase } from '../../../src/usecases/share-purchases/change-status.ts'
import { Dispatcher } from '../../../src/usecases/webhooks/dispatcher.ts'
import { listEvents } from '../../../src/usecases/webhooks/read-events.ts'
import { replayEvents } from '../../../src/usecases/webhooks/replay-events.ts'

async function mailOf(market: WebhookMarket, id: string, status?: 'approved') {
  const [mail] = await deliveriesOf(market, await findEvent(market, id, status), 'mail')
  return mail
}

async function partnerNameOf({ world }: WebhookMarket): Promise<string | undefined> {
  const { organizationId } = world.partner
  const organization = await world.service.store.read(({ organizations }) =>
    organizations.get(organizationId),
  )
  return organization?.name
}

t.test('an investor gets an e-mail about each transition [S-webhooks-11]', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const id = await placeAccepted(market)
  await decide(market, id, 'approved', 'settled')
  await market.dispatcher.dispatchDue()
  t.same(
    mailer.mails.map(({ status }) => status),
    ['submitted', 'approved', 'settled'],
  )
  t.match(mailer.mails[0], {
    deliveryId: (await mailOf(market, id))?.deliveryId,
    to: 'frieda.sonnenschein@mail.example',
    investorName: 'Frieda Sonnenschein',
    sharePurchaseId: id,
    organizationName: await partnerNameOf(market),
    cooperativeName: market.cooperative.name,
    cooperativeWebsite: market.cooperative.websiteUrl,
    shareCount: 5,
    total: '1250.00',
    currency: 'EUR',
    reason: null,
  })
  t.notMatch(JSON.stringify(mailer.mails), germanIban)
  t.match(
    await mailOf(market, id),
    exactArrays({ state: 'delivered', attempts: [{ status: 250 }] }),
  )
  const { deliveries } = await findEvent(market, id)
  t.same(deliveries, { pending: 0, delivered: 1, dead: 0 }, 'e-mails are not counted')
  t.notMatch(JSON.stringify(market.world.logger.lines), /frieda|sonnenschein/i)
})

t.test('only the e-mail about the rejection has the reason [D38]', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const { service, logger } = market.world
  const reason = 'The mandate was returned.'
  const decided = { sharePurchaseId: await placeAccepted(market), to: 'rejected' } as const
  await decideSharePurchase(service, { ...decided, reason })
  await decide(market, await placeAccepted(market), 'rejected')
  await market.dispatcher.dispatchDue()
  const told = mailer.mails.map((mail) => `${mail.status}: ${'reason' in mail && mail.reason}`)
  t.same(told.sort(), [
    'rejected: The mandate was returned.',
    'rejected: null',
    'submitted: null',
    'submitted: null',
  ])
  t.notMatch(JSON.stringify(logger.lines), reason)
})

t.test('an e-mail to an investor without a name has a neutral salutation [D38]', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const { world, investorId } = market
  const { token } = world.partner
  const path = `/v1/investors/${investorId}`
  const { body } = await world.request('GET', path, { token })
  for (const lacking of ['first_name', 'last_name']) {
    await placeAccepted(market)
    const profile = { ...body.profile, bank_account: null, [lacking]: null }
    const changed = await world.request('PUT', `${path}/profile`, { token, body: profile })
    t.equal(changed.status, 200)
    await market.dispatcher.dispatchDue()
    t.equal(mailer.mails.at(-1)?.investorName, null, lacking)
    const whole = { ...body.profile, bank_account: { iban: germanIban } }
    await world.request('PUT', `${path}/profile`, { token, body: whole })
  }
  t.equal(mailer.mails.length, 2)
})

t.test('a deferred e-mail is sent again unchanged', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  mailer.answer = () => ({ status: 451, failure: 'mail_refused', isFinal: false })
  const id = await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  t.equal(mailer.mails.length, 10)
  t.equal(new Set(mailer.mails.map((mail) => JSON.stringify(mail))).size, 1)
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'attempts_used_up' })
})

t.test('an e-mail that is refused permanently is not sent again', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  mailer.answer = () => ({ status: 550, failure: 'mail_refused', isFinal: true })
  const id = await placeAccepted(market)
  await decide(market, id, 'approved')
  await market.dispatcher.dispatchDue()
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'mail_refused' })
  t.equal(mailer.mails.length, 2, 'the next e-mail is sent')
})

t.test(
  'a dead e-mail is found and replayed, even if its webhooks have another state',
  async (t) => {
    const mailer = recordingMailer()
    const market = await createWebhookMarket(t, { mailer })
    mailer.answer = () => ({ status: 550, failure: 'mail_refused', isFinal: true })
    const id = await placeAccepted(market)
    await market.dispatcher.dispatchDue()
    t.match(await findEvent(market, id), { deliveries: { delivered: 1, dead: 0 } })
    const { service } = market.world
    const dead = { state: 'dead', deadMail: true } as const
    t.equal((await collect(listEvents(service, dead))).length, 1)
    const options = { onlyDead: true, deadMail: true, dryRun: true }
    t.match(await replayEvents(service, dead, options), exactArrays([{ replayed: 1 }]))
  },
)

t.test('an unreachable mail server uses up no attempt [D33]', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  let isAway = true
  mailer.answer = () => {
    if (isAway) throw new Error('ECONNECTION')
    return {}
  }
  const id = await placeAccepted(market)
  for (let round = 0; round < 10; round += 1) {
    await market.dispatcher.dispatchDue()
    market.world.clock.advance(30)
  }
  t.match(await mailOf(market, id), { state: 'pending', attempts: { length: 0 } })
  t.match(await findEvent(market, id), { deliveries: { delivered: 1 } }, 'webhooks are still sent')
  isAway = false
  await market.dispatcher.dispatchDue()
  t.match(await mailOf(market, id), { state: 'delivered', attemptsInRound: 1 })
})

async function dispatchFor(market: WebhookMarket, seconds: number): Promise<void> {
  const { world, dispatcher } = market
  for (let passed = 0; passed < seconds; passed += 3600) {
    await dispatcher.dispatchDue()
    world.clock.advance(3600)
  }
}

t.test(
  'an e-mail that our mail server refuses to relay waits, and is sent later [D33]',
  async (t) => {
    const refusing = await startMailServer(t, refuseAt('RCPT TO', '554 5.7.1'))
    const accepting = await startMailServer(t)
    let server = refusing
    const mailer: Mailer = { ...recordingMailer(), send: (...mail) => server.mailer.send(...mail) }
    const market = await createWebhookMarket(t, { mailer })
    const id = await placeAccepted(market)
    await dispatchFor(market, 24 * 3600)
    const waiting = { state: 'pending', attemptsInRound: 0, attempts: { length: 0 } } as const
    t.match(await mailOf(market, id), waiting)
    t.notMatch(JSON.stringify(market.world.logger.lines), /frieda|sonnenschein/i)
    server = accepting
    await market.dispatcher.dispatchDue()
    t.match(await mailOf(market, id), { state: 'delivered', attemptsInRound: 1 })
    t.equal(accepting.mails.length, 1)
  },
)

t.test(
  'faults of ours end an e-mail after the time of its schedule, and not earlier [D33]',
  async (t) => {
    const { mailer } = await startMailServer(t, refuseAt('DATA', '451 4.3.0'))
    const whole = { ...recordingMailer(), ...mailer }
    const settings = { mailWaits: [60, 3600] }
    const market = await createWebhookMarket(t, { mailer: whole, settings })
    const { world, dispatcher } = market
    const id = await placeAccepted(market)
    // The time begins with the first fault, not with the event.
    world.clock.advance(7 * 24 * 3600)
    await dispatcher.dispatchDue()
    world.clock.advance(3659)
    await dispatcher.dispatchDue()
    const first = await mailOf(market, id)
    t.match(first, { state: 'pending', attempts: { length: 0 } })
    t.equal(await dispatcher.nextDueAt(), addSeconds(world.clock.now(), 1), 'the last try')
    const again = new Dispatcher(world.service, { logger: world.logger })
    world.clock.advance(1)
    await again.dispatchDue()
    t.match(await mailOf(market, id), {
      state: 'dead',
      deadBecause: 'own_faults',
      attempts: { length: 0 },
    })
    t.match(world.logger.lines.at(-1), {
      message: 'delivery died',
      fields: { cause: 'own_faults' },
    })
    await replayEvents(
      world.service,
      { state: 'dead', deadMail: true },
      { onlyDead: true, deadMail: true },
    )
    await dispatcher.dispatchDue()
    t.match(await mailOf(market, id), { state: 'pending' }, 'a replay has the whole time again')
    t.match(
      await findEvent(market, id),
      { deliveries: { delivered: 1 } },
      'webhooks are still sent',
    )
  },
)

t.test('an attempt begins the time for faults of ours again [D33]', async (t) => {
  const mailer = recordingMailer()
  const settings = { mailWaits: [60, 3600, 60] }
  const market = await createWebhookMarket(t, { mailer, settings })
  const id = await placeAccepted(market)
  const fail = () => {
    throw new Error('the mail server cannot be reached')
  }
  const answers = [fail, () => ({ status: 450, failure: 'mail_refused', isFinal: false }) as const]
  // Each fault is followed by an attempt that the server answers with a refusal.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    for (const answer of answers) {
      mailer.answer = answer
      await market.dispatcher.dispatchDue()
      market.world.clock.advance(3960)
    }
    t.match(await mailOf(market, id), { state: 'pending', attemptsInRound: attempt })
  }
  mailer.answer = fail
  await market.dispatcher.dispatchDue()
  t.match(await mailOf(market, id), { state: 'pending', attemptsInRound: 3 }, 'the last attempt')
})

t.test('webhooks and e-mails have schedules of their own [D33]', async (t) => {
  const mailer = recordingMailer()
  mailer.answer = () => ({ status: 450, failure: 'mail_refused', isFinal: false })
  const settings = { webhookWaits: [30], mailWaits: [300, 600, 900] }
  const market = await createWebhookMarket(t, { mailer, settings })
  market.receiver.answer = answerWith(500)
  const id = await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  t.match(await mailOf(market, id), { state: 'dead', attemptsInRound: 4 })
  const [webhook] = await deliveriesOf(market, await findEvent(market, id))
  t.match(webhook, { state: 'dead', attemptsInRound: 2 })
})

t.test('by default, an e-mail is attempted for about two days [D33]', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  mailer.answer = () => ({ status: 450, failure: 'mail_refused', isFinal: false })
  const id = await placeAccepted(market)
  const begun = Date.parse(market.world.clock.now())
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  const hours = (Date.parse(market.world.clock.now()) - begun) / 3_600_000
  t.ok(hours > 44 && hours < 54, `${hours} hours`)
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'attempts_used_up' })
})

t.test('after e-mails were turned off, even pending e-mails are not sent', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const id = await placeAccepted(market)
  const organization = market.world.partner.organizationId
  await updateOrganization(market.world.service, { organization, investorMail: false })
  await market.dispatcher.dispatchDue()
  t.same(mailer.mails, [])
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'mail_turned_off' })
})

t.test('an e-mail goes to the current address', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const { world, investorId } = market
  const { token } = world.partner
  await placeAccepted(market)
  const path = `/v1/investors/${investorId}`
  const { body } = await world.request('GET', path, { token })
  const profile = { ...body.profile, bank_account: null, email: 'new@mail.example' }
  const changed = await world.request('PUT', `${path}/profile`, { token, body: profile })
  t.equal(changed.status, 200)
  await market.dispatcher.dispatchDue()
  t.same(
    mailer.mails.map(({ to }) => to),
    ['new@mail.example'],
  )
})

t.test('an e-mail that is turned off does not count as a failure', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer, dispatcher: { perReceiver: 2, total: 2 } })
  const { world, dispatcher, dispatched, receiver } = market
  const organization = world.partner.organizationId
  const turn = (investorMail: boolean) =>
    updateOrganization(world.service, { organization, investorMail })
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  await placeAccepted(market)
  await turn(false)
  await dispatcher.dispatchDue()
  await register(market, `${receiver.url}/slow`)
  const held: (() => void)[] = []
  receiver.answer = (request, response) => {
    if (request.url === '/hook') answerWith(200)(request, response)
    else held.push(() => response.writeHead(200).end())
  }
  // This delivery takes the slot that is not reserved for healthy receivers.
  await placeAccepted(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => held.length === 1)
  await turn(true)
  await placeAccepted(market)
  await dispatcher.startDue()
  await until(t, () => mailer.mails.length === 2)
  const ended = dispatched.filter(({ outcome }) => outcome !== 'delivered')
  t.same(ended, [], 'the e-mail did not wait for that slot')
  for (let released = 0; released < 2; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
})
