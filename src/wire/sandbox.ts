// What partners with self-service send to the sandbox and get from it. Its document is made from
// these descriptions. What the contract describes already is named by `shared`.
import { object } from 'superstruct'
import { maximumReasonLength } from '../domain/share-purchases/share-purchase.ts'
import {
  type DeliveryAttempt,
  type DeliveryTarget,
  displayStateOf,
  webhookFailures,
} from '../domain/webhooks/delivery.ts'
import {
  type Event,
  eventStateOf,
  eventStates,
  sharePurchaseIdOf,
} from '../domain/webhooks/event.ts'
import type {
  DeliveryDetails,
  EventDetails,
  EventPage,
  ListedEvent,
} from '../usecases/webhooks/read-events.ts'
import type { ReplayedEvent } from '../usecases/webhooks/replay-events.ts'
import { optionalText } from './fields.ts'
import { count, type JsonSchema, number, oneOf, orNull } from './json-schema.ts'
import { described } from './schema-of-shape.ts'
import { renderSharePurchase } from './share-purchases.ts'
import {
  type Answer,
  bool,
  countOrNull,
  field,
  fieldsOf,
  listOf,
  numberOrNull,
  plain,
  text,
  textOrNull,
  unchanged,
  view,
} from './view.ts'

/** A schema of the contract. */
function shared(name: string, description?: string): JsonSchema {
  const $ref = `#/components/schemas/${name}`
  return description === undefined ? { $ref } : { $ref, description }
}

/** The body of a rejection. */
export const reasonShape = described(object({ reason: optionalText(maximumReasonLength) }), {
  type: 'object',
  properties: { reason: shared('OptionalText') },
  additionalProperties: false,
})

export const ownSharePurchase: Answer<
  Parameters<typeof renderSharePurchase>[0],
  ReturnType<typeof renderSharePurchase>
> = { schema: shared('SharePurchase'), views: [], render: renderSharePurchase }

const countFrom0 = (description: string) => ({ ...count(description), minimum: 0 })

export const expiredTokens = plain('ExpiredTokens', {
  clients: field(countFrom0('The number of your clients.')),
})

export const eventStatus = unchanged(
  'EventStatus',
  oneOf(
    eventStates,
    'It is `dead` if a delivery is dead, otherwise `pending` if one is pending, otherwise `delivered`. It is `none` if you had no webhook endpoint.',
  ),
)

const ofEvent = {
  fields: {
    event_id: field(shared('Id'), ({ eventId }: Event) => eventId),
    type: field(shared('EventType'), ({ type }: Event) => type),
    share_purchase_id: field(shared('Id'), sharePurchaseIdOf),
    status: { ...eventStatus, of: eventStateOf },
    created_at: field(shared('Timestamp'), ({ createdAt }: Event) => createdAt),
  },
}

const listedEvent = view<ListedEvent>()('Event', {
  ...fieldsOf(ofEvent, (it: ListedEvent) => it.event),
  attempts: field(countFrom0('The number of attempts to all your endpoints.'), (it) => it.attempts),
})

export const eventList = view<EventPage>()('EventList', {
  items: listOf(listedEvent, '', (it) => it.items),
  next_after: field(
    orNull(shared('Id', 'The `after` of the next list; `null` if there is none.')),
    ({ items, hasNext }) => (hasNext ? (items.at(-1)?.event.eventId ?? null) : null),
  ),
})

const attempt = view<DeliveryAttempt>()('Attempt', {
  attempt_id: field(
    shared('Id', 'The `X-Service-Webhook-Id` of the attempt.'),
    (it) => it.attemptId,
  ),
  at: field(shared('Timestamp'), (it) => it.at),
  delivered: bool('', (it) => it.failure === null),
  response_status: countOrNull('The status that your receiver answered.', (it) => it.status),
  failure: field(orNull(oneOf(webhookFailures, 'Why the attempt failed.')), (it) => it.failure),
  detail: textOrNull('Explains the failure to people.', (it) => it.detail),
  first_byte_ms: numberOrNull(
    'Milliseconds until your receiver began to answer.',
    (it) => it.firstByteMs,
  ),
  duration_ms: field({ ...number(''), minimum: 0 }, (it) => it.durationMs),
})

/** E-mails to investors are left out: they do not concern the partner. */
interface WebhookDelivery extends DeliveryDetails {
  readonly target: Extract<DeliveryTarget, { readonly kind: 'webhook' }>
}

function webhooksOf({ deliveries }: EventDetails): WebhookDelivery[] {
  return deliveries.flatMap((details) => {
    const { target } = details.delivery
    return target.kind === 'webhook' ? { ...details, target } : []
  })
}

const delivery = view<WebhookDelivery>()('Delivery', {
  webhook_endpoint_id: field(shared('Id'), (it) => it.target.webhookEndpointId),
  url: textOrNull(
    'The address of the endpoint; `null` if it was removed.',
    (it) => it.endpoint?.url ?? null,
  ),
  status: field(
    oneOf(
      ['waiting', 'pending', 'delivered', 'dead'],
      'A delivery is `waiting` while an earlier event of the order is pending.',
    ),
    (it) => displayStateOf(it.delivery, it.isBlocked),
  ),
  next_attempt_at: field(
    orNull(shared('Timestamp', 'The time of the next attempt, if it is in the future.')),
    ({ delivery, isBlocked, dueSince }) =>
      isBlocked || dueSince !== null ? null : delivery.nextAttemptAt,
  ),
  due_since: field(
    orNull(shared('Timestamp', 'Since when the next attempt has been due.')),
    (it) => it.dueSince,
  ),
  dead_because: field(
    orNull(oneOf(['attempts_used_up', 'endpoint_removed'], 'Why there are no more attempts.')),
    (it) => it.delivery.deadBecause,
  ),
  attempts: listOf(attempt, '', (it) => it.delivery.attempts),
})

export const eventDetails = view<EventDetails>()('EventDetails', {
  ...fieldsOf(ofEvent, (it: EventDetails) => it.event),
  body: text('The exact text that is signed and sent.', (it) => it.event.body),
  deliveries: listOf(delivery, '', webhooksOf),
})

export const replayedEvent = view<ReplayedEvent>()('ReplayedEvent', {
  ...fieldsOf(ofEvent, (it: ReplayedEvent) => it.event),
  attempts: field(countFrom0('The number of attempts so far.'), (it) => it.attempts),
  replayed: field(countFrom0('The number of deliveries that start again.'), (it) => it.replayed),
  left_alone: field(
    orNull(oneOf(['no_endpoint', 'endpoint_removed', 'under_way'], 'Why nothing starts again.')),
    (it) => it.skipReason,
  ),
})
