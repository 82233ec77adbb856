import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, displayStateOf, isPending } from '../../domain/webhooks/delivery.ts'
import { makeDue, startNewRound } from '../../domain/webhooks/delivery-retries.ts'
import {
  type Event,
  type EventState,
  eventStateOf,
  updateCounts,
} from '../../domain/webhooks/event.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { changeDelivery } from './attempt-delivery.ts'
import {
  countAttempts,
  type EventSelection,
  type EventWithDeliveries,
  type OrganizationEvent,
  readDeliveries,
  readEventsWithDeliveries,
  requireEvent,
  requireOrganizationEvent,
  selectEvents,
} from './read-events.ts'

type ReplayOptions = Omit<ReplayEvent, 'eventId'>

/** Replays the selected events, oldest first. */
export async function replayEvents(
  service: Service,
  { limit = Number.POSITIVE_INFINITY, ...selection }: EventSelection,
  options: ReplayOptions,
): Promise<readonly ReplayedEvent[]> {
  const replayed: ReplayedEvent[] = []
  let left = limit
  for await (const events of selectEvents(service, selection)) {
    const batch = await replayBatch(service, events, { ...options, limit: left })
    replayed.push(...batch)
    left -= batch.filter(usesUpLimit).length
    if (left <= 0) break
  }
  return replayed
}

/**
 * Events that can never be sent again do not count; otherwise a replay in portions would get stuck
 * on them.
 */
function usesUpLimit({ skipReason }: ReplayedEvent): boolean {
  return skipReason !== 'no_endpoint' && skipReason !== 'endpoint_removed'
}

async function replayBatch(
  { store, clock }: Service,
  events: readonly Event[],
  { limit, dryRun, ...which }: ReplayOptions & { readonly limit: number },
): Promise<readonly ReplayedEvent[]> {
  const now = clock.now()
  const previews = await store.read((records) => previewReplays(records, events, { now, ...which }))
  const last = previews.filter(usesUpLimit)[limit - 1]
  const wanted = last ? previews.slice(0, previews.indexOf(last) + 1) : previews
  if (dryRun) return wanted
  return store.write(subjects.all('events'), async (records) => {
    const replayed: ReplayedEvent[] = []
    for (const one of wanted) {
      const { eventId } = one.event
      const isReplayed = one.skipReason === null
      replayed.push(isReplayed ? await replayEventIn(records, { eventId, now, ...which }) : one)
    }
    return replayed
  })
}

interface ReplayEvent extends ReplayChoice {
  readonly eventId: string
  /** Only reports what would be done. */
  readonly dryRun?: boolean | undefined
}

/** Sends an event again: the same bytes with a new signature and six new attempts. */
export function replayEvent(
  service: Service,
  { dryRun, ...replay }: ReplayEvent,
): Promise<ReplayedEvent> {
  const timed = { ...replay, now: service.clock.now() }
  if (dryRun) return service.store.read(async (records) => (await preview(records, timed)).outcome)
  const find = (records: ReadableRecords) => requireEvent(records, replay.eventId)
  return changeEvent(service, find, (records) => replayEventIn(records, timed))
}

/** Makes the pending deliveries of an event due immediately, instead of at the time of their next attempt. */
export async function sendEventNow(
  service: Service,
  { eventId }: Pick<ReplayEvent, 'eventId'>,
): Promise<void> {
  const now = service.clock.now()
  const find = (records: ReadableRecords) => requireEvent(records, eventId)
  await changeEvent(service, find, async (records, event) => {
    const deliveries = await readDeliveries(records, event)
    const pending = deliveries.filter(isPending)
    if (pending.length === 0) {
      const state = eventStateOf(event)
      const detail =
        state === 'none'
          ? 'No delivery of the event is pending: when it was recorded, its organization had no endpoint for events of this type.'
          : `No delivery of the event is pending: it is ${state}. \`coopshare event replay\` sends it again.`
      throw new Problem('EVENT_NOT_PENDING', detail)
    }
    for (const before of pending) {
      const after = makeDue(before, now)
      if (after !== before) await changeDelivery(records, before, after)
    }
  })
}

/** Sends an event of an organization with self-service to its webhooks again. */
export function replayOrganizationEvent(
  service: Service,
  own: OrganizationEvent,
): Promise<ReplayedEvent> {
  const replay = { eventId: own.eventId, onlyWebhooks: true, now: service.clock.now() }
  const find = (records: ReadableRecords) => requireOrganizationEvent(records, own)
  return changeEvent(service, find, (records) => replayEventIn(records, replay))
}

/** The event says what else the write is about: attempts with the same ordering key change the same records. */
async function changeEvent<Result>(
  { store }: Service,
  find: (records: ReadableRecords) => Promise<Event>,
  work: (records: Records, event: Event) => Promise<Result>,
): Promise<Result> {
  const { orderingKey } = await store.read(find)
  return store.write(subjects.events(orderingKey), async (records) =>
    work(records, await find(records)),
  )
}

type TimedReplay = Omit<ReplayEvent, 'dryRun'> & { readonly now: Timestamp }

/**
 * Uses the records of a write that contains more than this event. Later events of the ordering key
 * wait for the new round.
 */
async function replayEventIn(records: Records, replay: TimedReplay): Promise<ReplayedEvent> {
  const { replayable, outcome } = await preview(records, replay)
  for (const before of replayable) {
    await changeDelivery(records, before, startNewRound(before, replay.now))
  }
  return { ...outcome, event: await requireEvent(records, replay.eventId) }
}

async function preview(
  records: ReadableRecords,
  { eventId, ...terms }: TimedReplay,
): Promise<ReplayPreview> {
  const event = await requireEvent(records, eventId)
  const deliveries = await readDeliveries(records, event)
  const ids = deliveries.flatMap(({ target }) =>
    target.kind === 'webhook' ? [target.webhookEndpointId] : [],
  )
  const endpoints = await Promise.all(ids.map((id) => records.webhookEndpoints.get(id)))
  const receivers = new Set(endpoints.flatMap((endpoint) => endpoint?.webhookEndpointId ?? []))
  return previewReplay({ event, deliveries }, { ...terms, receivers })
}

/** Previews the replay of several events with as many queries as for one. */
async function previewReplays(
  records: ReadableRecords,
  events: readonly Event[],
  terms: Omit<ReplayTerms, 'receivers'>,
): Promise<readonly ReplayedEvent[]> {
  const [found, endpoints] = await Promise.all([
    readEventsWithDeliveries(records, events),
    records.webhookEndpoints.list(),
  ])
  const receivers = new Set(endpoints.map(({ webhookEndpointId }) => webhookEndpointId))
  return found.map((one) => previewReplay(one, { ...terms, receivers }).outcome)
}

/** Selects the deliveries of an event to replay. */
interface ReplayChoice {
  /** Skips deliveries that have arrived. */
  readonly onlyDead?: boolean | undefined
  /** Only the investor's e-mail, if it is dead. */
  readonly deadMail?: boolean | undefined
  /** Leaves out the investor's e-mail, even if it is dead. */
  readonly onlyWebhooks?: boolean | undefined
}

export interface ReplayedEvent {
  /** The event after the replay. */
  readonly event: Event
  /** The state after the replay, even in a dry run. */
  readonly stateAfter: EventState
  /** Attempts to webhooks in earlier rounds. */
  readonly attempts: number
  /** The number of deliveries in a new round. */
  readonly replayed: number
  /** null if any delivery is replayed. */
  readonly skipReason: SkipReason | null
}

interface ReplayTerms extends ReplayChoice {
  readonly now: Timestamp
  /** Ids of the endpoints that still exist. */
  readonly receivers: ReadonlySet<string>
}

interface ReplayPreview {
  /** The deliveries that start a new round. */
  readonly replayable: readonly Delivery[]
  readonly outcome: ReplayedEvent
}

/** Computes the effect of a replay. */
function previewReplay(
  { event, deliveries }: EventWithDeliveries,
  { now, receivers, ...choice }: ReplayTerms,
): ReplayPreview {
  const wanted = deliveries.filter((delivery) => isWanted(delivery, choice))
  const replayable = wanted.filter(
    ({ target }) => target.kind === 'mail' || receivers.has(target.webhookEndpointId),
  )
  const counts = replayable.reduce(
    (before, delivery) => updateCounts(before, delivery, startNewRound(delivery, now)),
    event.deliveries,
  )
  const outcome = {
    event,
    stateAfter: eventStateOf({ deliveries: counts }),
    attempts: countAttempts(deliveries),
    replayed: replayable.length,
    skipReason: replayable.length > 0 ? null : skipReasonOf(deliveries, wanted, choice.deadMail),
  }
  return { replayable, outcome }
}

/** An investor does not get an e-mail again because a partner has lost an event. */
function isWanted(
  { state, target }: Delivery,
  { onlyDead, deadMail, onlyWebhooks }: ReplayChoice,
): boolean {
  if (onlyWebhooks && target.kind !== 'webhook') return false
  if (deadMail) return state === 'dead' && target.kind === 'mail'
  return state === 'dead' || (state === 'delivered' && target.kind === 'webhook' && !onlyDead)
}

/** Why a replay sends nothing. */
export const skipReasons = [
  'no_endpoint',
  'endpoint_removed',
  'under_way',
  'delivered',
  'no_mail',
  'mail_delivered',
  'mail_written',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** @param wanted selected deliveries, including those whose receiver is gone */
function skipReasonOf(
  deliveries: readonly Delivery[],
  wanted: readonly Delivery[],
  onlyMail = false,
): SkipReason {
  if (wanted.length > 0) return 'endpoint_removed'
  const kind = onlyMail ? 'mail' : 'webhook'
  const meant = deliveries.filter(({ target }) => target.kind === kind)
  if (meant.length === 0) return onlyMail ? 'no_mail' : 'no_endpoint'
  if (meant.some(isPending)) return 'under_way'
  if (!onlyMail) return 'delivered'
  return meant.some((mail) => displayStateOf(mail) === 'written')
    ? 'mail_written'
    : 'mail_delivered'
}
