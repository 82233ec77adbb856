import { webhookFailures } from '../../domain/webhooks/delivery.ts'
import { event, outcome } from '../../operations/outputs/event-objects.ts'
import {
  bool,
  count,
  either,
  id,
  instant,
  type JsonSchema,
  list,
  oneOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import type { renderCertificate } from '../certify/certify-receiver.ts'
import { results } from '../certify/finding.ts'
import type { renderReplay } from '../event-replay/replay-events.ts'
import type { renderAttempt, renderStart } from '../listen/listen-to-events.ts'
import type { renderReceived } from '../receive/receive-webhooks.ts'
import type { SignatureFault } from '../signature/parse-signature.ts'

type Certificate = ReturnType<typeof renderCertificate>
type JudgedCase = Certificate['cases'][number]
type ReplayReport = Extract<ReturnType<typeof renderReplay>, { before: unknown }>

const counts = refer('Event counts', 'Number of events in each state.')

/** Outputs about events and signatures that only commands print. */
export const eventObjects: Readonly<Record<string, JsonSchema>> = {
  'Receiver certificate': record<Certificate>({
    url: text('URL of the receiver, without its query.'),
    certified: bool('True if no case failed.'),
    passed: count('Number of cases that passed.'),
    warnings: count('Number of cases that passed, but need attention.'),
    failed: count('Number of cases that failed.'),
    skipped: count('Number of cases that were not judged.'),
    cases: list(refer('Receiver case'), 'The cases in their order.'),
  }),
  'Receiver case': record<JudgedCase>({
    case: text('Name of the case.'),
    title: text('What a receiver should do.'),
    result: oneOf(results, 'Result of the case; `skipped` means that it was not judged.'),
    detail: text('Explanation for people.'),
    advice: orNull(text('What to do about it.')),
    requests: list(refer('Receiver request'), 'The requests in their order.'),
  }),
  'Receiver request': record<JudgedCase['requests'][number]>({
    event_id: id('Id of the invented event.'),
    type: text('Type of the event.'),
    attempt_id: id('Value of X-Service-Webhook-Id.'),
    status: orNull(count('HTTP status of the answer.')),
    failure: orNull(oneOf(webhookFailures, 'Why the event counts as not accepted.')),
    duration_ms: count('Milliseconds until the answer.'),
  }),
  'Replay report': record<ReplayReport>({
    dry_run: bool('Whether it was a dry run, which sends nothing.'),
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
    genuine: bool('Whether the signature is valid.'),
    faults: list(refer('Signature fault'), 'What is wrong with the signature.'),
    status: count('Status that was answered.'),
    body: text('Body of the webhook.'),
  }),
  'Verified signature': record<{ valid: boolean; t: string | null; faults: unknown }>({
    valid: bool('Whether the signature is valid.'),
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
