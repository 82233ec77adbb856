import t from 'tap'
import { collect } from '../../../fixtures/collect.ts'
import { germanIban } from '../../../fixtures/investors.ts'
import { placed } from '../../../fixtures/market.ts'
import { answerWith } from '../../../fixtures/receiver.ts'
import { recordingMailer } from '../../../fixtures/recording-mailer.ts'
import { until } from '../../../fixtures/until.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  findEvent,
  register,
  useUpAttempts,
  type WebhookMarket,
} from '../../../fixtures/webhook-market.ts'
import { withLengths } from '../../../fixtures/with-lengths.ts'
import { updateOrganization } from '../../../src/usecases/organizations/update-organization.ts'
import { listEvents } from '../../../src/usecases/webhooks/list-events.ts'
import { replayEvents } from '../../../src/usecases/webhooks/replay-events.ts'

async function mailOf(market: WebhookMarket, id: string, status?: 'approved') {
  const [mail] = await deliveriesOf(market, await findEvent(market, id, status), 'mail')
  return mail
}

t.test('an investor is told of each transition by mail', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const id = await placed(market)
  await decide(market, id, 'approved', 'settled')
  await market.dispatcher.dispatchDue()
  t.same(
    mailer.mails.map(({ status }) => status),
    ['submitted', 'approved', 'settled'],
  )
  t.match(mailer.mails[0], {
    deliveryId: (await mailOf(market, id))?.deliveryId,
    to: 'frieda.sonnenschein@mail.example',
    cooperativeName: market.cooperative.name,
    shareCount: 5,
    total: '1250.00',
    currency: 'EUR',
  })
  t.notMatch(JSON.stringify(mailer.mails), germanIban)
  t.match(
    await mailOf(market, id),
    withLengths({ state: 'delivered', attempts: [{ status: 250 }] }),
  )
  const { deliveries } = await findEvent(market, id)
  t.same(deliveries, { pending: 0, delivered: 1, dead: 0 }, 'mails are not counted')
  t.notMatch(JSON.stringify(market.world.logger.lines), 'frieda')
})

t.test('a mail that is deferred is tried again, the same each time', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  mailer.answer = () => ({ status: 451, failure: 'mail_refused', isFinal: false })
  const id = await placed(market)
  await market.dispatcher.dispatchDue()
  await useUpAttempts(market)
  t.equal(mailer.mails.length, 6)
  t.equal(new Set(mailer.mails.map((mail) => JSON.stringify(mail))).size, 1)
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'attempts_used_up' })
})

t.test('a mail that is refused for good is not tried again', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  mailer.answer = () => ({ status: 550, failure: 'mail_refused', isFinal: true })
  const id = await placed(market)
  await decide(market, id, 'approved')
  await market.dispatcher.dispatchDue()
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'mail_refused' })
  t.equal(mailer.mails.length, 2, 'the next one goes its way')
})

t.test('a dead mail is found and replayed, whatever became of its event', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  mailer.answer = () => ({ status: 550, failure: 'mail_refused', isFinal: true })
  const id = await placed(market)
  await market.dispatcher.dispatchDue()
  t.match(await findEvent(market, id), { deliveries: { delivered: 1, dead: 0 } })
  const { service } = market.world
  const dead = { state: 'dead', deadMail: true } as const
  t.equal((await collect(listEvents(service, dead))).length, 1)
  const options = { onlyDead: true, deadMail: true, dryRun: true }
  t.match(await replayEvents(service, dead, options), withLengths([{ replayed: 1 }]))
})

t.test('a mail server that is away uses up no attempt', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  let isAway = true
  mailer.answer = () => {
    if (isAway) throw new Error('ECONNECTION')
    return {}
  }
  const id = await placed(market)
  for (let round = 0; round < 10; round += 1) {
    await market.dispatcher.dispatchDue()
    market.world.clock.advance(30)
  }
  t.match(await mailOf(market, id), { state: 'pending', attempts: { length: 0 } })
  t.match(await findEvent(market, id), { deliveries: { delivered: 1 } }, 'webhooks go on')
  isAway = false
  await market.dispatcher.dispatchDue()
  t.match(await mailOf(market, id), { state: 'delivered', attemptsInRound: 1 })
})

t.test('what is turned off is not sent, also when it was on its way', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const id = await placed(market)
  const organization = market.world.partner.organizationId
  await updateOrganization(market.world.service, { organization, investorMail: false })
  await market.dispatcher.dispatchDue()
  t.same(mailer.mails, [])
  t.match(await mailOf(market, id), { state: 'dead', deadBecause: 'mail_turned_off' })
})

t.test('the mail goes to the address of today', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const { world, investorId } = market
  const { token } = world.partner
  await placed(market)
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

t.test('a mail that is turned off says nothing of how well mails go', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer, dispatcher: { perReceiver: 2, inAll: 2 } })
  const { world, dispatcher, dispatched, receiver } = market
  const organization = world.partner.organizationId
  const turn = (investorMail: boolean) =>
    updateOrganization(world.service, { organization, investorMail })
  await placed(market)
  await dispatcher.dispatchDue()
  await placed(market)
  await turn(false)
  await dispatcher.dispatchDue()
  await register(market, `${receiver.url}/slow`)
  const held: (() => void)[] = []
  receiver.answer = (request, response) => {
    if (request.url === '/hook') answerWith(200)(request, response)
    else held.push(() => response.writeHead(200).end())
  }
  // It takes the place that is not left to those that are well.
  await placed(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => held.length === 1)
  await turn(true)
  await placed(market)
  await dispatcher.startDue()
  await until(t, () => mailer.mails.length === 2)
  const ended = dispatched.filter(({ outcome }) => outcome !== 'delivered')
  t.same(ended, [], 'it did not wait for that place')
  for (let released = 0; released < 2; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
})
