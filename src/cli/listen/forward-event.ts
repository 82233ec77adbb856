import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { FollowedEvent } from './follow-events.ts'
import { pause } from './pause.ts'

export interface Forwarding {
  /** May fail when `signal` ends it: then nobody knows what the receiver made of it. */
  readonly send: (event: FollowedEvent) => Promise<SendOutcome>
  /** Told of each attempt, but of a receiver that is still not there only once. */
  readonly report: (attempt: ForwardAttempt) => void
  readonly firstWaitMs: number
  readonly signal: AbortSignal
}

export interface ForwardAttempt {
  readonly event: FollowedEvent
  readonly outcome: SendOutcome
  /** How many times the receiver has answered with a failure. */
  readonly refusals: number
  /** null when the event is done with. */
  readonly nextInMs: number | null
}

/** spec: Delivery and retries, attempts. */
export const mostRefusals = 6
/** Whoever starts the receiver again does not want to wait long. */
const longestWaitMs = 5000

/**
 * Sends an event until it is done with: the receiver took it, or has refused it six times. A receiver that does not
 * answer at all is waited for, as long as it takes. False when it was not done with before the end.
 */
export async function forwardEvent(event: FollowedEvent, forwarding: Forwarding): Promise<boolean> {
  const { report, firstWaitMs, signal } = forwarding
  let refusals = 0
  let told: string | null = null
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = longer(waitMs)) {
    const outcome = await sendUnlessEnded(event, forwarding)
    if (outcome === undefined) return false
    if (outcome.failure !== null && outcome.status !== null) refusals += 1
    const nextInMs = outcome.failure === null || refusals === mostRefusals ? null : waitMs
    if (outcome.status !== null || outcome.detail !== told) {
      report({ event, outcome, refusals, nextInMs })
    }
    if (nextInMs === null) return true
    told = outcome.detail
    await pause(nextInMs, signal)
  }
  return false
}

/** Whoever asked for a first wait beyond the longest one gets that again and again. */
function longer(waitMs: number): number {
  return Math.max(waitMs, Math.min(2 * waitMs, longestWaitMs))
}

/** undefined when it was ended: the event is sent again the next time, which its id lets the receiver notice. */
async function sendUnlessEnded(
  event: FollowedEvent,
  { send, signal }: Pick<Forwarding, 'send' | 'signal'>,
): Promise<SendOutcome | undefined> {
  try {
    return await send(event)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
