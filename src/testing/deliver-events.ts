import { createHmac } from 'node:crypto'
import type { DeliveredEvent, DeliverOptions, Receiver } from './coopshare.ts'
import type { EventRecord } from './results.ts'

/** Sends events to receivers as the service does (spec: Delivery headers), in the order of the list. */
export async function deliverEvents(
  events: readonly EventRecord[],
  receivers: readonly Receiver[],
  { times = 1, order = 'given', to, ...signing }: DeliverOptions,
): Promise<readonly DeliveredEvent[]> {
  const inOrder = order === 'reversed' ? [...events].reverse() : events
  const repeated = inOrder.flatMap((event) => Array<EventRecord>(times).fill(event))
  const delivered: DeliveredEvent[] = []
  for (const event of repeated) {
    for (const receiver of receivers) {
      const isFor = receiver.organizationId === event.organization_id
      if (to === undefined ? !isFor : receiver.id !== to) continue
      const status = await send(event, receiver, signing)
      delivered.push({ eventId: event.event_id, receiver: receiver.id, status })
    }
  }
  if (delivered.length > 0) return delivered
  throw new Error('There is no receiver of these events. Register one with `webhooks` first.')
}

type Signing = Pick<DeliverOptions, 'at' | 'secret' | 'type'>

async function send(
  event: EventRecord,
  receiver: Receiver,
  { at, secret = receiver.secret, type = event.type }: Signing,
): Promise<number> {
  const isAltered = type !== event.type
  const body = isAltered ? JSON.stringify({ ...JSON.parse(event.body), type }) : event.body
  const t = Math.floor((at === undefined ? Date.now() : Date.parse(at)) / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'coopshare',
    'x-service-webhook-signature': `t=${t},v1=${v1}`,
    'x-service-webhook-id': event.event_id,
    'x-service-webhook-event': type,
  }
  const answer = await fetch(receiver.url, { method: 'POST', headers, body, redirect: 'manual' })
  await answer.arrayBuffer()
  return answer.status
}
