import t from 'tap'
import { placed } from '../../fixtures/market.ts'
import { answerWith } from '../../fixtures/receiver.ts'
import { createWebhookMarket, decide, useUpAttempts } from '../../fixtures/webhook-market.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'
import { planReplay } from '../../src/cli/event-replay/plan-replay.ts'
import { replayPlanned } from '../../src/cli/event-replay/replay-planned.ts'
import { createLocalConnection } from '../../src/cli/local-connection.ts'

t.test('what the plan leaves alone is left alone, also when it has died since', async (t) => {
  const market = await createWebhookMarket(t)
  market.receiver.answer = answerWith(500)
  const service = createLocalConnection({ ...market.world, close: async () => {} })
  const id = await placed(market)
  await market.dispatcher.dispatchDue()
  await useUpAttempts(market)
  await decide(market, id, 'approved')
  const { events } = await planReplay(service, {
    ids: [],
    filter: { organization: market.world.partner.organizationId },
  })
  t.match(events, withLengths([{ left_alone: null }, { left_alone: 'under_way' }]))
  await market.dispatcher.dispatchDue()
  await useUpAttempts(market)
  const replayed = await replayPlanned(service, events, { dead: true })
  t.match(replayed, withLengths([{ replayed: 1 }, { replayed: 0, left_alone: 'under_way' }]))
})
