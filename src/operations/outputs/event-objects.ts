import {
  deadReasons,
  displayStates,
  mailFailures,
  webhookFailures,
} from '../../domain/webhooks/delivery.ts'
import { eventStates, eventTypes } from '../../domain/webhooks/event.ts'
import { skipReasons } from '../../usecases/webhooks/replay-events.ts'
import {
  bool,
  count,
  id,
  instant,
  type JsonSchema,
  list,
  oneOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import type { Output, Row } from '../operations.ts'

type Endpoint = Output<'webhook.pause'>
type Tested = Output<'webhook.test'>
type Doctor = Output<'webhook.doctor'>
type Event = Row<'event.list'>
type EventDetails = Output<'event.show'>
type Attempt = EventDetails['attempts'][number]
type Mail = NonNullable<EventDetails['mail']>
type Replayed = Output<'event.replay'>[number]

const endpoint = {
  webhook_endpoint_id: id('Id of the webhook endpoint.'),
  organization_id: id('Organization that receives the events.'),
  url: text('URL of the endpoint.'),
  types: orNull(
    list(oneOf(eventTypes, ''), 'Types of events that the endpoint gets; null for all.'),
  ),
  paused_at: orNull(
    instant('Time since which deliveries wait; null if the endpoint is not paused.'),
  ),
  previous_secret_until: orNull(
    instant(
      'End of the time in which deliveries are also signed with the previous secret; null without an overlap.',
    ),
  ),
  created_at: instant('Time of registration.'),
  updated_at: instant('Time of the last change.'),
}

const mintedEndpoint = {
  ...endpoint,
  signing_secret: text('The signing secret, which is shown only once.'),
}

export const outcome = {
  delivered: bool('Whether the receiver accepted the event.'),
  status: orNull(count('HTTP status, or reply code of the mail server.')),
  failure: orNull(oneOf([...webhookFailures, ...mailFailures], 'Kind of failure.')),
  detail: orNull(text('Reason for the failure, for people.')),
  address: orNull(text('Address that was called.')),
  first_byte_ms: orNull(count('Milliseconds until the first byte of the response.')),
  duration_ms: count('Milliseconds until the end of the attempt.'),
}

export const event = {
  event_id: id('Id of the event.'),
  type: oneOf(eventTypes, 'Type of the event.'),
  share_purchase_id: id('Order of the event.'),
  organization_id: id('Organization of the partner.'),
  state: oneOf(eventStates, 'State of the deliveries to webhook endpoints.'),
  created_at: instant('Time of the event.'),
}

const progress = {
  delivery_id: id('Id of the delivery; the same in all attempts.'),
  state: oneOf(displayStates, 'State of the delivery.'),
  next_attempt_at: orNull(instant('Time of the next attempt.')),
  due_since: orNull(instant('An attempt has been due since this time.')),
  dead_because: orNull(oneOf(deadReasons, 'Why the delivery is dead.')),
}

const attempt = {
  attempt_id: id('Id of the attempt.'),
  at: instant('Time of the attempt.'),
  ...outcome,
}

export const eventObjects: Readonly<Record<string, JsonSchema>> = {
  'Webhook endpoint': record<Endpoint>(endpoint),
  'Listed webhook endpoint': record<Output<'webhook.list'>[number]>({
    ...endpoint,
    organization: orNull(text('Name of the organization.')),
  }),
  'New webhook endpoint': record<Output<'webhook.register'>>(mintedEndpoint),
  'Applied webhook endpoint': record<Output<'fixtures.apply'>['webhooks'][number]>({
    ...mintedEndpoint,
    organization: text('Name of the organization.'),
  }),
  'Removed webhook endpoint': record<Output<'webhook.remove'>>({
    ...endpoint,
    ended_deliveries: count('Number of deliveries that were still pending.'),
  }),
  'Test event': record<Tested>({
    webhook_endpoint_id: id('Id of the webhook endpoint.'),
    event_id: id('Id of the test event.'),
    ...outcome,
  }),
  'Webhook report': record<Doctor>({
    webhook_endpoint_id: id('Id of the webhook endpoint.'),
    url: text('URL of the endpoint.'),
    healthy: bool('True if no check failed.'),
    checks: list(refer('Webhook check'), 'The checks in their order.'),
  }),
  'Webhook check': record<Doctor['checks'][number]>({
    check: text('Name of the check.'),
    result: oneOf(['ok', 'warning', 'failed', 'skipped'], 'Result of the check.'),
    detail: text('Explanation for people.'),
  }),
  Event: record<Event>({
    ...event,
    organization: orNull(text('Name of the partner.')),
    attempts: count('Number of attempts so far.'),
  }),
  'Event with deliveries': record<EventDetails>({
    ...event,
    body: text('The exact text that is signed and sent.'),
    transition: refer('Transition', 'Status change that the event reports.'),
    deliveries: list(refer('Delivery'), 'Deliveries to webhook endpoints.'),
    attempts: list(refer('Webhook attempt'), 'Attempts at all endpoints, oldest first.'),
    mail: orNull(refer('E-mail delivery', 'Delivery of the e-mail to the investor.')),
  }),
  Transition: record<EventDetails['transition']>({
    from: orNull(text('Previous status.')),
    to: text('New status.'),
    at: instant('Time of the change.'),
  }),
  Delivery: record<EventDetails['deliveries'][number]>({
    webhook_endpoint_id: orNull(id('Id of the webhook endpoint.')),
    url: orNull(text('URL of the endpoint; null if it was removed.')),
    paused: bool('Whether the delivery waits because its endpoint is paused.'),
    ...progress,
  }),
  'Webhook attempt': record<Attempt>({
    webhook_endpoint_id: orNull(id('Id of the webhook endpoint.')),
    ...attempt,
  }),
  'E-mail delivery': record<Mail>({
    ...progress,
    attempts: list(refer('E-mail attempt'), 'Attempts, oldest first.'),
  }),
  'E-mail attempt': record<Mail['attempts'][number]>({
    ...attempt,
    written: bool('Whether the e-mail was written to a file instead of being sent.'),
  }),
  'Replayed event': record<Replayed>({
    ...event,
    attempts: count('Number of attempts so far.'),
    replayed: count('Number of deliveries that are sent again.'),
    state_after: oneOf(eventStates, 'State after the replay.'),
    left_alone: orNull(oneOf(skipReasons, 'Why the event is not sent again.')),
  }),
  'Event counts': record<Output<'event.count'>>({
    none: count('Events without an endpoint.'),
    pending: count('Events that are being delivered.'),
    delivered: count('Delivered events.'),
    dead: count('Events that an endpoint refused in all attempts.'),
  }),
  'Purged events': record<Output<'event.purge'>>({
    dry_run: bool('Whether this was a dry run, which removes nothing.'),
    events: count('Number of events.'),
    deliveries: count('Number of deliveries of these events.'),
  }),
}
