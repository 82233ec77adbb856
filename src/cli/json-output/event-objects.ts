import { event, outcome } from '../../operations/outputs/event-objects.ts'
import {
  count,
  either,
  id,
  instant,
  type JsonSchema,
  list,
  orNull,
  record,
  refer,
  text,
  truth,
} from '../../wire/json-schema.ts'
import type { renderReplay } from '../event-replay/render-replay.ts'
import type { renderAttempt, renderStart } from '../listen/listen-to-events.ts'
import type { renderReceived } from '../receive/receive-webhooks.ts'
import type { SignatureFault } from '../signature/signature-header.ts'

type ReplayReport = Extract<ReturnType<typeof renderReplay>, { before: unknown }>

const counts = refer('Event counts', 'Number of events in each state.')

/** What only commands print about events and signatures. */
export const eventObjects: Readonly<Record<string, JsonSchema>> = {
  'Replay report': record<ReplayReport>({
    dry_run: truth('Whether nothing was sent.'),
    before: counts,
    after: orNull(counts),
    events: list(either(refer('Replayed event'), refer('Failed event')), 'The selected events.'),
  }),
  Listener: record<ReturnType<typeof renderStart>>({
    organization_id: id('Organization of the events.'),
    forward_to: text('URL of the receiver.'),
    signing_secret: text('Signing secret of the listener.'),
    after: orNull(id('Last event that was forwarded.')),
    since: instant('Time from which events are forwarded.'),
    cursor_file: text('File with the position of the listener.'),
  }),
  'Forwarded event': record<ReturnType<typeof renderAttempt>>({
    event_id: event.event_id,
    type: event.type,
    share_purchase_id: event.share_purchase_id,
    created_at: event.created_at,
    delivered: outcome.delivered,
    status: outcome.status,
    failure: outcome.failure,
    detail: outcome.detail,
    duration_ms: outcome.duration_ms,
    refusals: count('How often the receiver has refused the event.'),
    next_attempt_in_ms: orNull(count('Milliseconds until the next attempt, if there is one.')),
  }),
  'Signing secret': record<{ signing_secret: string }>({
    signing_secret: text('Signing secret of the listener.'),
  }),
  'Received webhook': record<ReturnType<typeof renderReceived>>({
    genuine: truth('Whether the signature is valid.'),
    faults: list(refer('Signature fault'), 'What is wrong with the signature.'),
    status: count('Status that was answered.'),
    body: text('Body of the webhook.'),
  }),
  'Verified signature': record<{ valid: boolean; t: string | null; faults: unknown }>({
    valid: truth('Whether the signature is valid.'),
    t: orNull(text('The t of the header.')),
    faults: list(refer('Signature fault'), 'What is wrong with the signature.'),
  }),
  'Signature fault': record<SignatureFault>({
    code: text('Code of the fault.'),
    detail: text('Explanation for people.'),
  }),
  'Receiver address': record<{ url: string }>({ url: text('URL of the receiver.') }),
  Signature: record<{ signature: string; t: number }>({
    signature: text('Value of the header X-Service-Webhook-Signature.'),
    t: count('Time of the signature, in seconds since 1970.'),
  }),
}
