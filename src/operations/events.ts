import { boolean, enums, type Infer, object, optional } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  deadReasons,
  displayStateOf,
  displayStates,
  isPending,
} from '../domain/webhooks/delivery.ts'
import {
  type Event,
  type EventState,
  eventStateOf,
  eventStates,
  eventTypes,
  sharePurchaseIdOf,
} from '../domain/webhooks/event.ts'
import { resolveShortId } from '../usecases/investors/find-investors.ts'
import { readOrganization, type WithOwner } from '../usecases/organizations/organizations.ts'
import type { Service } from '../usecases/service.ts'
import { purgeEvents } from '../usecases/webhooks/purge-events.ts'
import {
  countEvents,
  type DeliveryDetails,
  type EventDetails,
  followEvents,
  type ListedEvent,
  listEvents,
  readEvent,
  type TransitionDetails,
} from '../usecases/webhooks/read-events.ts'
import {
  type ReplayedEvent,
  replayEvent,
  replayEvents,
  sendEventNow,
  skipReasons,
} from '../usecases/webhooks/replay-events.ts'
import { integerWithin } from '../wire/bounds.ts'
import * as given from '../wire/fields.ts'
import {
  bool,
  count,
  fieldsOf,
  id,
  idOrNull,
  instant,
  instantOrNull,
  listOf,
  many,
  nestedOrNull,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  view,
} from '../wire/view.ts'
import { listOperation, operation } from './operation.ts'
import { outcomeFields } from './webhooks.ts'

/** The keys of every event, however much more the answer says. */
export const eventFields = {
  event_id: id('Event id.', (it: Event) => it.eventId),
  type: oneOf(eventTypes, 'Event type.', (it: Event) => it.type),
  share_purchase_id: id('Order of the event.', sharePurchaseIdOf),
  organization_id: id("Id of the partner's organization.", (it: Event) => it.organizationId),
  state: oneOf(eventStates, 'State of all webhook deliveries of the event.', eventStateOf),
  created_at: instant('Time of the event.', (it: Event) => it.createdAt),
}

const listedEvent = view<WithOwner<ListedEvent>>()('Event', {
  ...fieldsOf({ fields: eventFields }, (it: WithOwner<ListedEvent>) => it.owned.event),
  organization: textOrNull('Name of the partner.', (it) => it.ownerName),
  attempts: count('Number of attempts so far.', (it) => it.owned.attempts),
})

const followedEvent = view<Event>()('Followed event', {
  ...eventFields,
  body: text('What the event says: the exact text that webhooks sign and send.', (it) => it.body),
})

const transition = view<TransitionDetails>()('Transition', {
  from: textOrNull('Previous status.', (it) => it.from),
  to: text('New status.', (it) => it.to),
  at: instant('Time of the change.', (it) => it.at),
})

/** Either `next_attempt_at` is in the future, or `due_since` is in the past. */
const progressFields = {
  delivery_id: id(
    'Delivery id, which is the same in all attempts.',
    (it: DeliveryDetails) => it.delivery.deliveryId,
  ),
  state: oneOf(displayStates, 'Delivery state.', (it: DeliveryDetails) =>
    displayStateOf(it.delivery, it.isBlocked),
  ),
  next_attempt_at: instantOrNull('Time of the next attempt.', (it: DeliveryDetails) =>
    it.isBlocked || it.dueSince !== null ? null : it.delivery.nextAttemptAt,
  ),
  due_since: instantOrNull(
    'Time since which an attempt has been due.',
    (it: DeliveryDetails) => it.dueSince,
  ),
  dead_because: oneOfOrNull(
    deadReasons,
    'Why the delivery is dead.',
    (it: DeliveryDetails) => it.delivery.deadBecause,
  ),
}

const endpointId = 'Webhook endpoint id.'

const delivery = view<DeliveryDetails>()('Delivery', {
  webhook_endpoint_id: idOrNull(endpointId, (it) => endpointIdOf(it.delivery)),
  url: textOrNull('URL of the endpoint; null if it was removed.', (it) => it.endpoint?.url ?? null),
  paused: bool(
    'Whether the delivery waits because its endpoint is paused.',
    (it) => isPending(it.delivery) && (it.endpoint?.pausedAt ?? null) !== null,
  ),
  ...progressFields,
})

const attemptFields = {
  attempt_id: id('Id of the attempt.', (it: DeliveryAttempt) => it.attemptId),
  at: instant('Time of the attempt.', (it: DeliveryAttempt) => it.at),
  ...outcomeFields,
}

interface WebhookAttempt {
  readonly delivery: Delivery
  readonly attempt: DeliveryAttempt
}
const webhookAttempt = view<WebhookAttempt>()('Webhook attempt', {
  webhook_endpoint_id: idOrNull(endpointId, (it) => endpointIdOf(it.delivery)),
  ...fieldsOf({ fields: attemptFields }, (it: WebhookAttempt) => it.attempt),
})

const mailAttempt = view<DeliveryAttempt>()('E-mail attempt', {
  ...attemptFields,
  delivered: {
    ...attemptFields.delivered,
    of: (it: DeliveryAttempt) => it.failure === null && it.written !== true,
  },
  written: bool(
    'Whether the e-mail was written to a file instead of being sent.',
    (it) => it.written === true,
  ),
})

const mailDelivery = view<DeliveryDetails>()('E-mail delivery', {
  ...progressFields,
  attempts: listOf(mailAttempt, 'Attempts, oldest first.', (it) => it.delivery.attempts),
})

const eventDetails = view<EventDetails>()('Event with deliveries', {
  ...fieldsOf(followedEvent, (it: EventDetails) => it.event),
  transition: nestedOrNull(
    transition,
    'Status change that the event reports; null if it reports none.',
    (it) => it.transition,
  ),
  deliveries: listOf(delivery, 'Deliveries to webhook endpoints.', webhooksOf),
  attempts: listOf(webhookAttempt, 'Attempts at all endpoints, oldest first.', (it) =>
    webhooksOf(it)
      .flatMap(attemptsOf)
      .sort((left, right) => byTime(left.attempt, right.attempt)),
  ),
  mail: nestedOrNull(
    mailDelivery,
    'Delivery of the e-mail to the investor.',
    (it) => it.deliveries.find((each) => each.delivery.target.kind === 'mail') ?? null,
  ),
})

function webhooksOf({ deliveries }: EventDetails): readonly DeliveryDetails[] {
  return deliveries.filter((each) => each.delivery.target.kind === 'webhook')
}

function attemptsOf({ delivery: sent }: DeliveryDetails): readonly WebhookAttempt[] {
  return sent.attempts.map((attempt) => ({ delivery: sent, attempt }))
}

function endpointIdOf({ target }: Delivery): string | null {
  return target.kind === 'webhook' ? target.webhookEndpointId : null
}

function byTime(left: { readonly at: string }, right: { readonly at: string }): number {
  return left.at < right.at ? -1 : left.at > right.at ? 1 : 0
}

export const replayedEvent = view<ReplayedEvent>()('Replayed event', {
  ...fieldsOf({ fields: eventFields }, (it: ReplayedEvent) => it.event),
  attempts: count('Number of attempts so far.', (it) => it.attempts),
  replayed: count('Number of deliveries that are sent again.', (it) => it.replayed),
  // Differs from `state` only in a dry run.
  state_after: oneOf(eventStates, 'Event state after the replay.', (it) => it.stateAfter),
  left_alone: oneOfOrNull(skipReasons, 'Why the event is not sent again.', (it) => it.skipReason),
})

type Counts = Readonly<Record<EventState, number>>
export const eventCounts = view<Counts>()('Event counts', {
  none: count('Events for which there was no endpoint.', (it) => it.none),
  pending: count('Events that are being delivered.', (it) => it.pending),
  delivered: count('Delivered events.', (it) => it.delivered),
  dead: count('Events that an endpoint refused in all attempts.', (it) => it.dead),
})

interface Purged {
  readonly dryRun: boolean
  readonly events: number
  readonly deliveries: number
}
const purgedEvents = view<Purged>()('Purged events', {
  dry_run: bool('Whether this was a dry run, which removes nothing.', (it) => it.dryRun),
  events: count('Number of events.', (it) => it.events),
  deliveries: count('Number of deliveries that these events have.', (it) => it.deliveries),
})

interface StartOfFollowing {
  readonly organizationId: string
  readonly name: string
  readonly since: string
}
const startOfFollowing = view<StartOfFollowing>()('Start of following', {
  organization_id: id('Organization id.', (it) => it.organizationId),
  name: text('Organization name.', (it) => it.name),
  since: instant('Current time of the clock that dates events.', (it) => it.since),
})

const filter = {
  organization: optional(given.text()),
  type: optional(enums(eventTypes)),
  since: optional(given.timestamp()),
  until: optional(given.timestamp()),
  limit: optional(given.limit()),
}

const replayInput = object({
  event_id: optional(given.text()),
  /** Only deliveries that are dead. */
  dead: optional(boolean()),
  /** With `dead`: only e-mails that are dead. */
  mail: optional(boolean()),
  dry_run: optional(boolean()),
  ...filter,
})

const defaultPage = 100
const largestPage = 1000

/** `organization` is an id or an exact name. */
export const eventOperations = {
  'event.list': listOperation({
    role: 'viewer',
    summary: 'List events; oldest first without `sort`.',
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({
      state: optional(enums(eventStates)),
      mail: optional(boolean()),
      ...filter,
      sort: optional(enums(['created_at', '-created_at'])),
      /** Cursor: id of the last event of the previous page. */
      after: optional(given.text()),
    }),
    row: listedEvent,
    batches: (service, { mail: deadMail, sort, ...input }) => {
      requireDead(deadMail, input.state === 'dead')
      const isNewestFirst = sort === '-created_at'
      return listEvents(service, { ...input, ...given.readRange(input), deadMail, isNewestFirst })
    },
  }),
  'event.show': operation({
    role: 'viewer',
    summary: 'Show an event with its payload and all delivery attempts.',
    problems: ['EVENT_NOT_FOUND'],
    input: object({ event_id: given.text() }),
    answer: eventDetails,
    run: async (service, { event_id }) => readEvent(service, await wholeId(service, event_id)),
  }),
  'event.count': operation({
    role: 'viewer',
    summary: 'Count events by webhook delivery state.',
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({ organization: optional(given.text()), limit: optional(given.limit()) }),
    answer: eventCounts,
    run: countEvents,
  }),
  'event.send_now': operation({
    role: 'operator',
    summary:
      'Send the pending deliveries of an event immediately. Earlier events of the order still go first.',
    problems: ['EVENT_NOT_FOUND', 'EVENT_NOT_PENDING'],
    input: object({ event_id: given.text() }),
    answer: eventDetails,
    run: async (service, { event_id }) => {
      const eventId = await wholeId(service, event_id)
      await sendEventNow(service, { eventId })
      return readEvent(service, eventId)
    },
  }),
  'event.replay': operation({
    role: 'operator',
    summary: 'Send events again, selected by id or by filter.',
    problems: ['EVENT_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'],
    input: replayInput,
    answer: many(replayedEvent),
    run: replay,
  }),
  'event.purge': operation({
    role: 'administrator',
    summary: 'Remove old events and their deliveries.',
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({
      before: given.timestamp(),
      organization: optional(given.text()),
      /** Also removes dead events. */
      dead: optional(boolean()),
      dry_run: optional(boolean()),
    }),
    answer: purgedEvents,
    run: async (service, { before, organization, dead, dry_run: dryRun = false }) => {
      const purge = { before: given.readTimestamp(before), organization, dead, dryRun }
      return { dryRun, ...(await purgeEvents(service, purge)) }
    },
  }),
  /** `listen` calls this operation and sends the body unchanged. */
  'event.follow': operation({
    role: 'viewer',
    summary:
      'Read an organization’s events, oldest first, after the last event that you have seen.',
    problems: ['ORGANIZATION_NOT_FOUND', 'EVENT_NOT_FOUND'],
    input: object({
      organization: given.text(),
      after: optional(given.text()),
      since: optional(given.timestamp()),
      limit: optional(integerWithin({ min: 1, max: largestPage })),
    }),
    answer: many(followedEvent),
    run: (service, { limit = defaultPage, ...input }) => {
      const { since } = given.readRange(input)
      return followEvents(service, { ...input, since, limit })
    },
  }),
  /** The start time comes from the clock that also dates events. */
  'event.follow_from_now': operation({
    role: 'viewer',
    summary: 'Get the time from which to follow an organization’s events.',
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({ organization: given.text() }),
    answer: startOfFollowing,
    run: async (service, input) => {
      const { organizationId, name } = await readOrganization(service, input.organization)
      return { organizationId, name, since: service.clock.now() }
    },
  }),
}

function wholeId(service: Service, eventId: string): Promise<string> {
  return resolveShortId(service, 'event', eventId)
}

async function replay(service: Service, input: Infer<typeof replayInput>) {
  const { event_id, dead: onlyDead, mail: deadMail, dry_run: dryRun, ...rest } = input
  requireDead(deadMail, onlyDead)
  const options = { onlyDead, deadMail, dryRun }
  if (event_id !== undefined) {
    const eventId = await wholeId(service, event_id)
    return [await replayEvent(service, { eventId, ...options })]
  }
  requireChoice(input)
  const state = onlyDead ? ('dead' as const) : undefined
  const selected = { ...rest, ...given.readRange(rest), state, deadMail }
  return replayEvents(service, selected, options)
}

/** An investor must not get the same e-mail twice, so only dead e-mails can be selected. */
function requireDead(deadMail: boolean | undefined, isDead: boolean | undefined): void {
  if (!deadMail || isDead) return
  throw new Problem(
    'VALIDATION_ERROR',
    'E-mails can be selected only if they are dead: also select dead events.',
  )
}

/** Requires a selection: otherwise a forgotten argument would replay all events. */
function requireChoice({ dead, organization, type, since, until }: Infer<typeof replayInput>) {
  if (dead || [organization, type, since, until].some((part) => part !== undefined)) return
  throw new Problem(
    'VALIDATION_ERROR',
    'Select events by id, or by at least one of: dead, organization, type, since, until.',
  )
}
