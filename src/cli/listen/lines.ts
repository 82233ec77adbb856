import { type ForwardAttempt, mostRefusals } from './forward-event.ts'
import type { OpenedCursor } from './open-cursor.ts'

/** The first lines, for people. */
export function describeStart({ path, cursor }: OpenedCursor): string {
  const from =
    cursor.after === null
      ? `the events since ${cursor.since}`
      : `what comes after event ${cursor.after}`
  return [
    `Forwarding to   ${cursor.forward_to}`,
    `Signing secret  ${cursor.signing_secret}`,
    `Cursor          ${path}`,
    `Begins with     ${from}`,
  ].join('\n')
}

/** The first line, for programs. */
export function renderStart({ path, cursor }: OpenedCursor) {
  return { ...cursor, cursor_file: path }
}

/** One line for people. */
export function describeAttempt(attempt: ForwardAttempt): string {
  const { type, share_purchase_id, event_id } = attempt.event
  return [type, share_purchase_id, event_id, describeOutcome(attempt)].join('  ')
}

function describeOutcome({ outcome, refusals, nextInMs }: ForwardAttempt): string {
  const { failure, status, detail, durationMs } = outcome
  if (failure === null) return `${status} in ${durationMs} ms`
  if (nextInMs === null) return `${detail} Given up after ${refusals} attempts.`
  const again = `Again in ${nextInMs / 1000} s`
  return status === null
    ? `${detail} ${again}, until it answers.`
    : `${detail} Attempt ${refusals} of ${mostRefusals}. ${again}.`
}

/** One line for programs. */
export function renderAttempt({ event, outcome, refusals, nextInMs }: ForwardAttempt) {
  const { event_id, type, share_purchase_id, created_at } = event
  const { status, failure, detail, durationMs } = outcome
  return {
    event_id,
    type,
    share_purchase_id,
    created_at,
    delivered: failure === null,
    status,
    failure,
    detail,
    duration_ms: durationMs,
    refusals,
    next_attempt_in_ms: nextInMs,
  }
}
