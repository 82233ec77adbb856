import type { DeathCause, ShownState } from '../domain/webhooks/delivery.ts'
import type { Output } from '../operations/operations.ts'
import { renderFields, renderTable } from './table.ts'

type ToldEvent = Output<'event.show'>
type Attempt = ToldEvent['attempts'][number]

interface Progress {
  readonly state: ShownState
  readonly next_attempt_at: string | null
  readonly due_since: string | null
  readonly dead_because: DeathCause | null
}

/** The whole story on one page: what happened, what is sent, and what became of it at each receiver. */
export function renderToldEvent(event: ToldEvent): string {
  const { body, transition, deliveries, attempts, mail, ...fields } = event
  const { from, to } = transition
  const told = renderFields({ ...fields, transition: `${from ?? 'placed'} -> ${to}` })
  const webhooks = deliveries.map(({ url, webhook_endpoint_id: id, ...progress }) => {
    const to = `Webhook ${url ?? 'that is removed'} (${id})`
    const own = attempts.filter((attempt) => attempt.webhook_endpoint_id === id)
    return renderReceiver(to, progress, own)
  })
  const mails = mail ? [renderReceiver('Mail to the investor', mail, mail.attempts)] : []
  const payload = `Payload\n${JSON.stringify(JSON.parse(body), undefined, 2)}`
  return [told, payload, ...webhooks, ...mails].join('\n\n')
}

function renderReceiver(
  to: string,
  progress: Progress,
  attempts: readonly Omit<Attempt, 'webhook_endpoint_id'>[],
): string {
  const lines = [to, describeProgress(progress)]
  if (attempts.length === 0) return lines.join('\n')
  const table = renderTable(attempts, {
    AT: ({ at }) => at,
    ADDRESS: ({ address }) => address,
    ANSWER: ({ status, failure }) => [status, failure].filter((part) => part !== null).join(' '),
    'FIRST BYTE': ({ first_byte_ms: ms }) => (ms === null ? null : `${ms} ms`),
    DURATION: ({ duration_ms: ms }) => `${ms} ms`,
    WHY: ({ detail }) => detail,
  })
  return [...lines, table].join('\n')
}

function describeProgress(progress: Progress): string {
  const { state, next_attempt_at, due_since, dead_because } = progress
  if (dead_because !== null) return `dead: ${whyDead[dead_because]}`
  if (state === 'written') return 'written: to a file in the mail directory, not sent'
  if (state === 'waiting') return 'waiting: an earlier event of the order goes first'
  if (due_since !== null) return `${state}: due since ${due_since}\n${whyDue}`
  return next_attempt_at === null ? state : `${state}: next attempt at ${next_attempt_at}`
}

/** Which of them, only the service knows. */
const whyDue =
  'It is under way, or the service does not run, or a fault of its own holds it up: see its log and coopshare_delivery_own_faults_total.'

const whyDead: Readonly<Record<DeathCause, string>> = {
  attempts_used_up: 'all six attempts failed',
  endpoint_removed: 'the endpoint was removed',
  mail_refused: 'the mail server refuses it for good',
  mail_turned_off: 'mails to investors are turned off',
  no_mail_address: 'the investor has no mail address',
}
