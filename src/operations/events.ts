import { boolean, enums, type Infer, integer, max, min, object, optional } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  displayStateOf,
  isPending,
} from '../domain/webhooks/delivery.ts'
import {
  type Event,
  eventStateOf,
  eventStates,
  eventTypes,
  sharePurchaseIdOf,
} from '../domain/webhooks/event.ts'
import { mapInTurns } from '../machine/time.ts'
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
} from '../usecases/webhooks/read-events.ts'
import {
  type ReplayedEvent,
  replayEvent,
  replayEvents,
  sendEventNow,
} from '../usecases/webhooks/replay-events.ts'
import { limit, readRange, readTimestamp, text, timestamp } from '../wire/fields.ts'
import { listOperation, operation } from './operation.ts'
import { renderSendOutcome } from './webhooks.ts'

const filter = {
  organization: optional(text()),
  type: optional(enums(eventTypes)),
  since: optional(timestamp()),
  until: optional(timestamp()),
  limit: optional(limit()),
}

const replayInput = object({
  event_id: optional(text()),
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
    input: object({
      state: optional(enums(eventStates)),
      mail: optional(boolean()),
      ...filter,
      sort: optional(enums(['created_at', '-created_at'])),
      /** Cursor: id of the last event of the previous page. */
      after: optional(text()),
    }),
    batches: async function* (service, { mail: deadMail, sort, ...input }) {
      requireDead(deadMail, input.state === 'dead')
      const isNewestFirst = sort === '-created_at'
      const selected = { ...input, ...readRange(input), deadMail, isNewestFirst }
      for await (const events of listEvents(service, selected)) yield events.map(renderListedEvent)
    },
  }),
  'event.show': operation({
    input: object({ event_id: text() }),
    run: async (service, { event_id }) =>
      renderEventDetails(await readEvent(service, await wholeId(service, event_id))),
  }),
  'event.count': operation({
    input: object({ organization: optional(text()), limit: optional(limit()) }),
    run: async (service, input) => countEvents(service, input),
  }),
  'event.send_now': operation({
    input: object({ event_id: text() }),
    run: async (service, { event_id }) => {
      const eventId = await wholeId(service, event_id)
      await sendEventNow(service, { eventId })
      return renderEventDetails(await readEvent(service, eventId))
    },
  }),
  'event.replay': operation({ input: replayInput, run: replay }),
  'event.purge': operation({
    input: object({
      before: timestamp(),
      organization: optional(text()),
      /** Also removes dead events. */
      dead: optional(boolean()),
      dry_run: optional(boolean()),
    }),
    run: async (service, { before, organization, dead, dry_run: dryRun = false }) => {
      const purge = { before: readTimestamp(before), organization, dead, dryRun }
      return { dry_run: dryRun, ...(await purgeEvents(service, purge)) }
    },
  }),
  /** `listen` calls this operation and sends the body unchanged. */
  'event.follow': operation({
    input: object({
      organization: text(),
      after: optional(text()),
      since: optional(timestamp()),
      limit: optional(max(min(integer(), 1), largestPage)),
    }),
    run: async (service, { limit = defaultPage, ...input }) => {
      const { since } = readRange(input)
      return (await followEvents(service, { ...input, since, limit })).map(renderFollowedEvent)
    },
  }),
  /** The start time comes from the clock that also dates events. */
  'event.follow_from_now': operation({
    input: object({ organization: text() }),
    run: async (service, { organization }) => {
      const { organizationId, name } = await readOrganization(service, organization)
      return { organization_id: organizationId, name, since: service.clock.now() }
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
    return [renderReplayedEvent(await replayEvent(service, { eventId, ...options }))]
  }
  requireChoice(input)
  const state = onlyDead ? ('dead' as const) : undefined
  const selected = { ...rest, ...readRange(rest), state, deadMail }
  return mapInTurns(await replayEvents(service, selected, options), renderReplayedEvent)
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

function renderEvent(event: Event) {
  return {
    event_id: event.eventId,
    type: event.type,
    share_purchase_id: sharePurchaseIdOf(event),
    organization_id: event.organizationId,
    state: eventStateOf(event),
    created_at: event.createdAt,
  }
}

function renderListedEvent({ owned, ownerName }: WithOwner<ListedEvent>) {
  return { ...renderEvent(owned.event), organization: ownerName, attempts: owned.attempts }
}

/** `body` is the exact text that is signed and sent. */
function renderFollowedEvent(event: Event) {
  return { ...renderEvent(event), body: event.body }
}

/** `state_after` differs from `state` only in a dry run. */
function renderReplayedEvent({ event, ...rest }: ReplayedEvent) {
  const { attempts, replayed, stateAfter: state_after, skipReason: left_alone } = rest
  return { ...renderEvent(event), attempts, replayed, state_after, left_alone }
}

/** `attempts` contains attempts of all webhook endpoints, oldest first. */
function renderEventDetails({ event, transition, deliveries }: EventDetails) {
  const webhooks = deliveries.filter(({ delivery }) => delivery.target.kind === 'webhook')
  const mail = deliveries.find(({ delivery }) => delivery.target.kind === 'mail')
  return {
    ...renderFollowedEvent(event),
    transition: { from: transition.from, to: transition.to, at: transition.at },
    deliveries: webhooks.map(renderDelivery),
    attempts: webhooks.flatMap(renderAttempts).sort(byTime),
    mail: mail ? { ...renderProgress(mail), attempts: renderMails(mail.delivery) } : null,
  }
}

function renderDelivery(details: DeliveryDetails) {
  return {
    webhook_endpoint_id: endpointIdOf(details.delivery),
    url: details.endpoint?.url ?? null,
    paused: isPending(details.delivery) && (details.endpoint?.pausedAt ?? null) !== null,
    ...renderProgress(details),
  }
}

/** Either `next_attempt_at` is in the future, or `due_since` is in the past. */
function renderProgress({ delivery, isBlocked, dueSince }: DeliveryDetails) {
  return {
    delivery_id: delivery.deliveryId,
    state: displayStateOf(delivery, isBlocked),
    next_attempt_at: isBlocked || dueSince !== null ? null : delivery.nextAttemptAt,
    due_since: dueSince,
    dead_because: delivery.deadBecause,
  }
}

function renderAttempts({ delivery }: DeliveryDetails) {
  const webhook_endpoint_id = endpointIdOf(delivery)
  return delivery.attempts.map((attempt) => ({ webhook_endpoint_id, ...renderAttempt(attempt) }))
}

function renderMails({ attempts }: Delivery) {
  return attempts.map((attempt) => {
    const rendered = renderAttempt(attempt)
    const written = attempt.written === true
    return { ...rendered, delivered: rendered.delivered && !written, written }
  })
}

function renderAttempt(attempt: DeliveryAttempt) {
  return { attempt_id: attempt.attemptId, at: attempt.at, ...renderSendOutcome(attempt) }
}

function endpointIdOf({ target }: Delivery): string | null {
  return target.kind === 'webhook' ? target.webhookEndpointId : null
}

function byTime(left: { readonly at: string }, right: { readonly at: string }): number {
  return left.at < right.at ? -1 : left.at > right.at ? 1 : 0
}
