import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { type FollowedEvent, pause } from './follow-events.ts'

export interface Forwarding {
  /** May fail after `signal`: then the outcome is unknown. */
  readonly send: (event: FollowedEvent) => Promise<SendOutcome>
  /** Called for each attempt, but only once for a receiver that stays away. */
  readonly report: (attempt: ForwardAttempt) => void
  readonly firstWaitMs: number
  readonly signal: AbortSignal
}

export interface ForwardAttempt {
  readonly event: FollowedEvent
  readonly outcome: SendOutcome
  readonly refusals: number
  /** null if there is no further attempt. */
  readonly nextInMs: number | null
}

/** spec: Delivery and retries, attempts. */
export const mostRefusals = 6
/** A developer who restarts the receiver does not want to wait long. */
const longestWaitMs = 5000

/**
 * Sends an event until the receiver accepts it or has refused it six times. Waits for a receiver that does not answer.
 * @returns false if `signal` came first
 */
export async function forwardEvent(event: FollowedEvent, forwarding: Forwarding): Promise<boolean> {
  const { report, firstWaitMs, signal } = forwarding
  let refusals = 0
  let reportedDetail: string | null = null
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = longer(waitMs)) {
    const outcome = await sendUnlessEnded(event, forwarding)
    if (outcome === undefined) return false
    if (outcome.failure !== null && outcome.status !== null) refusals += 1
    const nextInMs = outcome.failure === null || refusals === mostRefusals ? null : waitMs
    if (outcome.status !== null || outcome.detail !== reportedDetail) {
      report({ event, outcome, refusals, nextInMs })
    }
    if (nextInMs === null) return true
    reportedDetail = outcome.detail
    await pause(nextInMs, signal)
  }
  return false
}

/** A first wait above the longest wait stays as it is. */
function longer(waitMs: number): number {
  return Math.max(waitMs, Math.min(2 * waitMs, longestWaitMs))
}

/** undefined if `signal` came first: then the next run sends the event again, and the receiver knows it by its id. */
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
