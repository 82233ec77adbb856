import t from 'tap'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { openConsole, consoleOrigin as origin, signIn } from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { createWebhookMarket } from '../../fixtures/world/webhook-market.ts'

t.test('Today names a receiver that refuses its events before any of them is dead', async (t) => {
  const market = await createWebhookMarket(t)
  const console = await openConsole({}, origin, market)
  const { cookie } = await signIn(console)
  const show = async (path: string) => (await console.get(path, { cookie })).text
  await placeAccepted(market)
  t.match(await show('/'), 'Every receiver gets its events.', 'nothing was attempted yet')
  market.receiver.answer = answerWith(503)
  await market.dispatcher.dispatchDue()
  const today = await show('/')
  t.notMatch(today, 'Every receiver gets its events.')
  t.match(today, 'The receiver answered 503.')
  t.match(today, market.receiver.url)
  const partner = await show(`/partners/${market.world.partner.organizationId}`)
  t.match(partner, 'The receiver answered 503.')
})
