import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  exhaustAttempts,
} from '../../fixtures/world/webhook-market.ts'
import type { Connection } from '../../src/cli/connection.ts'
import { createLocalConnection } from '../../src/cli/local-connection.ts'
import { localAdministrator } from '../../src/domain/operators/operator.ts'
import { Problem } from '../../src/domain/problem.ts'
import type { OpenedService } from '../../src/open-service.ts'
import { planReplay, replayEvents, replayPlanned } from '../../src/operations/bulk/replay-events.ts'

t.test(
  'a replay leaves out events that its plan leaves out, even if they are now dead',
  async (t) => {
    const market = await createWebhookMarket(t)
    market.receiver.answer = answerWith(500)
    const service = connectTo(market.world)
    const id = await placeAccepted(market)
    await market.dispatcher.dispatchDue()
    await exhaustAttempts(market)
    await decide(market, id, 'approved')
    const { events } = await planReplay(service, {
      ids: [],
      filter: { organization: market.world.partner.organizationId },
    })
    t.match(events, exactArrays([{ left_alone: null }, { left_alone: 'under_way' }]))
    await market.dispatcher.dispatchDue()
    await exhaustAttempts(market)
    const replayed = await replayPlanned(service, events, { dead: true })
    t.match(
      replayed.events,
      exactArrays([{ replayed: 1 }, { replayed: 0, left_alone: 'under_way' }]),
    )
    t.strictSame(replayed.failed, [])
  },
)

t.test(
  'when the service stops, the replay lists the events that were replayed and those that were not',
  async (t) => {
    const market = await createWebhookMarket(t)
    market.receiver.answer = answerWith(500)
    const [first, second] = [await placeAccepted(market), await placeAccepted(market)]
    await market.dispatcher.dispatchDue()
    await exhaustAttempts(market)
    const near = connectTo(market.world)
    const { organizationId: organization } = market.world.partner
    let replays = 0
    // This connection fails after the plan and one replay.
    const going: Connection = {
      ...near,
      call: (name, input) => {
        const isReplay = name === 'event.replay' && !('dry_run' in input)
        if (replays > 0) return Promise.reject(new Problem('SERVICE_UNAVAILABLE', 'No answer.'))
        if (isReplay) replays += 1
        return near.call(name, input)
      },
    }
    const report = await replayEvents(going, { ids: [], filter: { organization }, dryRun: false })
    t.match(report.events, exactArrays([{ share_purchase_id: first, replayed: 1 }]))
    t.match(report.failed, exactArrays([{ problem: { code: 'SERVICE_UNAVAILABLE' } }]))
    const told = report.failed.map(({ id }) => id)
    const { event_id } = (await near.call('event.list', { organization })).find(
      ({ share_purchase_id }) => share_purchase_id === second,
    ) ?? { event_id: '' }
    t.strictSame(told, [event_id])
    t.equal(report.after, null, 'the counts could not be read')
  },
)

function connectTo({ service }: Pick<OpenedService, 'service'>): Connection {
  const config = { environment: 'staging', dataDirectory: '', allowPrivateWebhooks: true } as const
  return createLocalConnection({ service, close: async () => {} }, config, localAdministrator)
}
