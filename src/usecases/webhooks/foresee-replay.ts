import type { Timestamp } from '../../domain/timestamp.ts'
import { recount } from '../../domain/webhooks/count-deliveries.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { beganNewRound } from '../../domain/webhooks/delivery-progress.ts'
import { type Event, type EventState, eventStateOf } from '../../domain/webhooks/event.ts'
import { type LeftAloneCause, leftAloneCauseOf } from '../../domain/webhooks/left-alone.ts'
import { countAttempts } from './count-attempts.ts'
import type { EventDeliveries } from './read-event-deliveries.ts'

/** Which deliveries are wanted again. */
export interface ReplayChoice {
  /** Leaves alone what was delivered. */
  readonly onlyDead?: boolean | undefined
  /** The investor's mail when it is dead, and nothing else. */
  readonly deadMail?: boolean | undefined
}

export interface ReplayedEvent {
  /** As it is afterwards. */
  readonly event: Event
  /** Also of a dry run: what would be. */
  readonly stateAfter: EventState
  /** To webhooks, in the rounds before. */
  readonly attempts: number
  /** How many deliveries have begun a new round. */
  readonly replayed: number
  /** null when something is replayed. */
  readonly leftAlone: LeftAloneCause | null
}

export interface ReplayTerms extends ReplayChoice {
  readonly now: Timestamp
  /** Ids of the endpoints that are still there. */
  readonly receivers: ReadonlySet<string>
}

export interface ForeseenReplay {
  /** The deliveries that are to begin a new round. */
  readonly replayable: readonly Delivery[]
  readonly outcome: ReplayedEvent
}

/** What a replay does with an event as it is now. */
export function foreseeReplay(
  { event, deliveries }: EventDeliveries,
  { now, receivers, ...choice }: ReplayTerms,
): ForeseenReplay {
  const wanted = deliveries.filter((delivery) => isWanted(delivery, choice))
  const replayable = wanted.filter(
    ({ target }) => target.kind === 'mail' || receivers.has(target.webhookEndpointId),
  )
  const outcome = {
    event,
    stateAfter: stateAfterReplay(event, replayable, now),
    attempts: countAttempts(deliveries),
    replayed: replayable.length,
    leftAlone: replayable.length > 0 ? null : leftAloneCauseOf(deliveries, wanted, choice.deadMail),
  }
  return { replayable, outcome }
}

/** An investor who has had a mail does not get it again because a partner has lost an event. */
function isWanted({ state, target }: Delivery, { onlyDead, deadMail }: ReplayChoice): boolean {
  if (deadMail) return state === 'dead' && target.kind === 'mail'
  return state === 'dead' || (state === 'delivered' && target.kind === 'webhook' && !onlyDead)
}

function stateAfterReplay(event: Event, replayed: readonly Delivery[], now: Timestamp): EventState {
  const deliveries = replayed.reduce(
    (counts, before) => recount(counts, before, beganNewRound(before, now)),
    event.deliveries,
  )
  return eventStateOf({ deliveries })
}
