import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createWebhookMarket } from '../../../fixtures/world/webhook-market.ts'
import { createWebhookSender } from '../../../src/adapters/webhook-sender/webhook-sender.ts'
import type { EventType, Topic } from '../../../src/domain/webhooks/event.ts'
import { subjects } from '../../../src/ports/subjects.ts'
import type { WebhookSender } from '../../../src/ports/webhook-sender.ts'
import { updateOrganization } from '../../../src/usecases/organizations/organizations.ts'
import { recordEvent } from '../../../src/usecases/webhooks/record-event.ts'

const [topic, type] = ['investor' as Topic, 'investor.completed' as EventType]

/**
 * Makes a sender that records events and fails once. A receiver of the tests would refuse this
 * type, because it is not in the contract.
 */
function recordingSender() {
  const sent: { readonly orderingKey: string; readonly number: number }[] = []
  const outcome = { address: null, detail: null, firstByteMs: 1, durationMs: 1 }
  const send: WebhookSender['send'] = async ({ headers, body }) => {
    t.match(headers, { 'X-Service-Webhook-Event': type })
    const isFirst = sent.push(JSON.parse(Buffer.from(body).toString())) === 1
    return { ...outcome, ...(isFirst ? { status: 500, failure: 'status' } : accepted) }
  }
  return { sent, webhookSender: { ...createWebhookSender({ allowPrivate: true }), send } }
}

const accepted = { status: 204, failure: null } as const

t.test('the same dispatcher sends events of another topic in order', async (t) => {
  const { sent, webhookSender } = recordingSender()
  const { dispatcher, world } = await createWebhookMarket(t, { webhookSender })
  const { service, clock } = world
  const { organizationId } = world.partner
  await updateOrganization(service, { organization: organizationId, investorMail: false })
  for (const number of [1, 2]) {
    for (const orderingKey of ['failing', 'other']) {
      const body = JSON.stringify({ orderingKey, number })
      const event = { organizationId, topic, orderingKey, type, body, createdAt: clock.now() }
      await service.store.write(subjects.events(orderingKey), (records) =>
        recordEvent(records, service, { eventId: randomUUID(), ...event }),
      )
    }
  }
  const numbersOf = (key: string) =>
    sent.flatMap(({ orderingKey, number }) => (orderingKey === key ? number : []))
  await dispatcher.dispatchDue()
  t.same(numbersOf('failing'), [1], 'the second event waits for the first one')
  t.same(numbersOf('other'), [1, 2], 'events with other keys do not wait')
  clock.advance(600)
  await dispatcher.dispatchDue()
  t.same(numbersOf('failing'), [1, 1, 2])
})
