import type { DeadReason, DisplayState } from '../domain/webhooks/delivery.ts'
import type { Output } from '../operations/operations.ts'
import { renderFields, renderTable } from './table.ts'

type EventDetails = Output<'event.show'>
type Attempt = EventDetails['attempts'][number]

interface Progress {
  readonly state: DisplayState
  readonly next_attempt_at: string | null
  readonly due_since: string | null
  readonly dead_because: DeadReason | null
}

export function renderEventDetails(event: EventDetails): string {
  const { body, transition, deliveries, attempts, mail, ...fields } = event
  const change = transition && `${transition.from ?? 'placed'} -> ${transition.to}`
  const details = renderFields({ ...fields, ...(change !== null && { transition: change }) })
  const webhooks = deliveries.map(({ url, webhook_endpoint_id: id, ...progress }) => {
    const to = `Webhook ${url ?? '(removed)'} (${id})`
    const own = attempts.filter((attempt) => attempt.webhook_endpoint_id === id)
    return renderReceiver(to, progress, own)
  })
  const mails = mail ? [renderReceiver('E-mail to the investor', mail, mail.attempts)] : []
  const payload = `Payload\n${JSON.stringify(JSON.parse(body), undefined, 2)}`
  return [details, payload, ...webhooks, ...mails].join('\n\n')
}

function renderReceiver(
  to: string,
  progress: Progress,
  attempts: readonly Omit<Attempt, 'webhook_endpoint_id'>[],
): string {
  const lines = [to, describeProgress(progress)]
  if (attempts.length === 0) return lines.join('\n')
  const table = renderTable(attempts, {
    AT: 'at',
    ADDRESS: 'address',
    ANSWER: ({ status, failure }) => [status, failure].filter((part) => part !== null).join(' '),
    'FIRST BYTE': ({ first_byte_ms: ms }) => (ms === null ? null : `${ms} ms`),
    DURATION: ({ duration_ms: ms }) => `${ms} ms`,
    WHY: 'detail',
  })
  return [...lines, table].join('\n')
}

function describeProgress(progress: Progress): string {
  const { state, next_attempt_at, due_since, dead_because } = progress
  if (dead_because !== null) return `dead: ${whyDead[dead_because]}`
  if (state === 'written') return 'written: saved as a file in the mail directory, not sent'
  if (state === 'waiting') return 'waiting: an earlier event of the same order is delivered first'
  if (due_since !== null) return `${state}: due since ${due_since}\n${whyDue}`
  return next_attempt_at === null ? state : `${state}: next attempt at ${next_attempt_at}`
}

/** Only the service knows which of the reasons applies. */
const whyDue =
  'The delivery is being sent, or the service is not running or has an internal fault: see the log of the service and the metric coopshare_delivery_own_faults_total.'

const whyDead: Readonly<Record<DeadReason, string>> = {
  attempts_used_up: 'all attempts failed',
  endpoint_removed: 'the endpoint was removed',
  mail_refused: 'the mail server refused the e-mail permanently',
  mail_turned_off: 'e-mails to investors are turned off',
  no_mail_address: 'the investor has no e-mail address',
  own_faults:
    'the mail server or this service kept failing until the end of the retry schedule; correct the cause, then replay the e-mail',
  payment_cancelled: 'the direct debit was cancelled before it was announced to the investor',
}

interface Outcome {
  readonly status: number | null
  readonly detail: string | null
  readonly address: string | null
  readonly first_byte_ms: number | null
  readonly duration_ms: number
}

export function describeOutcome(outcome: Outcome): string {
  const { detail, address, duration_ms } = outcome
  const where = address === null ? '' : ` from ${address}`
  return `${detail ?? `${outcome.status}${where}`} (${duration_ms} ms)`
}
