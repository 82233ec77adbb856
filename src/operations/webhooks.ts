import { boolean, object, optional } from 'superstruct'
import { readSecret } from '../domain/text.ts'
import { mailFailures, type SendOutcome, webhookFailures } from '../domain/webhooks/delivery.ts'
import { webhookEventTypes } from '../domain/webhooks/event.ts'
import {
  overlapHint,
  parseOverlap,
  type WebhookEndpoint,
} from '../domain/webhooks/webhook-endpoint.ts'
import {
  type CheckedEndpoint,
  type DiagnosedWebhookEndpoint,
  diagnoseWebhookEndpoint,
  sendTestEvent,
} from '../usecases/webhooks/diagnose-webhook-endpoint.ts'
import {
  type ListedEndpoint,
  listWebhookEndpoints,
  type MintedWebhookEndpoint,
  pauseWebhookEndpoint,
  percentOf,
  type RemovedWebhookEndpoint,
  registerWebhookEndpoint,
  removeWebhookEndpoint,
  resumeWebhookEndpoint,
  rotateSigningSecret,
} from '../usecases/webhooks/webhook-endpoints.ts'
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import {
  bool,
  count,
  countOrNull,
  field,
  fieldsOf,
  id,
  instant,
  instantOrNull,
  listOf,
  many,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  view,
} from '../wire/view.ts'
import { operation } from './operation.ts'

const endpoint = view<WebhookEndpoint>()('Webhook endpoint', {
  webhook_endpoint_id: id('Webhook endpoint id.', (it) => it.webhookEndpointId),
  organization_id: id('Organization that receives the events.', (it) => it.organizationId),
  url: text('URL of the endpoint.', (it) => it.url),
  types: field(
    schemas.orNull(
      schemas.list(
        schemas.oneOf(webhookEventTypes, ''),
        'Types of events that the endpoint gets; null for all.',
      ),
    ),
    (it: WebhookEndpoint) => it.eventTypes,
  ),
  paused_at: instantOrNull(
    'Time since which deliveries wait; null if the endpoint is not paused.',
    (it) => it.pausedAt,
  ),
  previous_secret_until: instantOrNull(
    'Until this time, the service also signs deliveries with the previous secret; null without an overlap.',
    (it) => it.previousSecretUntil,
  ),
  created_at: instant('Time of registration.', (it) => it.createdAt),
  updated_at: instant('Time of the last change.', (it) => it.updatedAt),
})

const listedEndpoint = view<ListedEndpoint>()('Listed webhook endpoint', {
  ...fieldsOf(endpoint, (it: ListedEndpoint) => it.owned),
  organization: textOrNull('Organization name.', (it) => it.ownerName),
  delivered_24h: count(
    'Number of deliveries whose last attempt was in the last 24 hours and succeeded.',
    (it) => it.lastDay.delivered,
  ),
  failed_24h: count(
    'Number of deliveries whose last attempt was in the last 24 hours and failed.',
    (it) => it.lastDay.failed,
  ),
  success_percent_24h: countOrNull(
    'Percentage of deliveries that succeeded, rounded down; null if there was no attempt.',
    (it) => percentOf(it.lastDay),
  ),
})

/** The only answer that contains a signing secret. */
export const mintedEndpoint = view<MintedWebhookEndpoint>()('New webhook endpoint', {
  ...fieldsOf(endpoint, (it: MintedWebhookEndpoint) => it.endpoint),
  signing_secret: text('The signing secret, which is shown only once.', (it) => it.signingSecret),
})
const shownOnce = 'The secret is shown only in this answer.'

const removedEndpoint = view<RemovedWebhookEndpoint>()('Removed webhook endpoint', {
  ...fieldsOf(endpoint, (it: RemovedWebhookEndpoint) => it.endpoint),
  ended_deliveries: count(
    'Number of pending deliveries, which are dead now.',
    (it) => it.endedDeliveries,
  ),
})

/** How an attempt ended. */
export const outcomeFields = {
  delivered: bool(
    'Whether the receiver accepted the event.',
    (it: SendOutcome) => it.failure === null,
  ),
  status: countOrNull(
    'HTTP status, or reply code of the mail server.',
    (it: SendOutcome) => it.status,
  ),
  failure: oneOfOrNull(
    [...webhookFailures, ...mailFailures],
    'Kind of failure.',
    (it: SendOutcome) => it.failure,
  ),
  detail: textOrNull('Reason for the failure, for people.', (it: SendOutcome) => it.detail),
  address: textOrNull(
    'Address to which the service sent the request.',
    (it: SendOutcome) => it.address,
  ),
  first_byte_ms: countOrNull(
    'Time to the first response byte, in milliseconds.',
    (it: SendOutcome) => it.firstByteMs,
  ),
  duration_ms: count(
    'Duration of the attempt in milliseconds.',
    (it: SendOutcome) => it.durationMs,
  ),
}

interface TestedEndpoint {
  readonly webhookEndpointId: string
  readonly eventId: string
  readonly outcome: SendOutcome
}
const testEvent = view<TestedEndpoint>()('Test event', {
  webhook_endpoint_id: id('Webhook endpoint id.', (it) => it.webhookEndpointId),
  event_id: id('Id of the test event.', (it) => it.eventId),
  ...fieldsOf({ fields: outcomeFields }, (it: TestedEndpoint) => it.outcome),
})

const check = view<CheckedEndpoint>()('Webhook check', {
  check: text('Name of the check.', (it) => it.check),
  result: oneOf(
    ['ok', 'warning', 'failed', 'skipped'],
    'Result of the check.',
    (it) => it.finding.result,
  ),
  detail: text('Explanation for people.', (it) => it.finding.detail),
})

const report = view<DiagnosedWebhookEndpoint>()('Webhook report', {
  webhook_endpoint_id: id('Webhook endpoint id.', (it) => it.endpoint.webhookEndpointId),
  url: text('URL of the endpoint.', (it) => it.endpoint.url),
  healthy: bool('True if no check failed.', (it) =>
    it.checks.every(({ finding }) => finding.result !== 'failed'),
  ),
  checks: listOf(check, 'The checks, in sequence.', (it) => it.checks),
})

const one = object({ webhook_endpoint_id: given.text() })
const overlapShape = given.textWithFormat(
  'overlap',
  (text) => (parseOverlap(text) === undefined ? overlapHint : undefined),
  given.durationSchema,
)
const needsEndpoint = { role: 'operator', problems: ['WEBHOOK_ENDPOINT_NOT_FOUND'] } as const

/** `organization` is an id or an exact name. */
export const webhookOperations = {
  'webhook.register': operation({
    role: 'operator',
    summary: 'Register a webhook endpoint for a partner organization.',
    note: shownOnce,
    problems: ['ORGANIZATION_NOT_FOUND', 'ENDPOINT_LIMIT_REACHED', 'WEBHOOK_URL_REFUSED'],
    input: object({
      organization: given.text(),
      url: given.text(4000),
      signing_secret: optional(given.text()),
      types: optional(given.eventTypesShape),
    }),
    answer: mintedEndpoint,
    run: (service, { signing_secret: secret, types: eventTypes, ...input }) =>
      registerWebhookEndpoint(service, { ...input, signingSecret: readSecret(secret), eventTypes }),
  }),
  'webhook.list': operation({
    role: 'viewer',
    summary: 'List webhook endpoints, oldest first.',
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({ organization: optional(given.text()) }),
    answer: many(listedEndpoint),
    run: (service, { organization }) => listWebhookEndpoints(service, organization),
  }),
  'webhook.rotate_secret': operation({
    ...needsEndpoint,
    role: 'administrator',
    summary: 'Replace the signing secret of a webhook endpoint.',
    note: shownOnce,
    input: object({
      webhook_endpoint_id: given.text(),
      overlap: optional(overlapShape),
    }),
    answer: mintedEndpoint,
    run: (service, { webhook_endpoint_id, overlap }) =>
      rotateSigningSecret(service, {
        webhookEndpointId: webhook_endpoint_id,
        overlapSeconds: overlap === undefined ? undefined : parseOverlap(overlap),
      }),
  }),
  'webhook.pause': operation({
    ...needsEndpoint,
    summary: 'Pause a webhook endpoint: its deliveries wait and use up no attempts.',
    input: one,
    answer: endpoint,
    run: (service, { webhook_endpoint_id }) => pauseWebhookEndpoint(service, webhook_endpoint_id),
  }),
  'webhook.resume': operation({
    ...needsEndpoint,
    summary: 'Resume a paused webhook endpoint and send its waiting deliveries in order.',
    input: one,
    answer: endpoint,
    run: (service, { webhook_endpoint_id }) => resumeWebhookEndpoint(service, webhook_endpoint_id),
  }),
  'webhook.remove': operation({
    ...needsEndpoint,
    summary: 'Remove a webhook endpoint, whose pending deliveries become dead.',
    input: one,
    answer: removedEndpoint,
    run: (service, { webhook_endpoint_id }) => removeWebhookEndpoint(service, webhook_endpoint_id),
  }),
  'webhook.test': operation({
    ...needsEndpoint,
    summary: 'Send one signed event of type webhook.test to a webhook endpoint.',
    input: object({ webhook_endpoint_id: given.text(), wrong_signature: optional(boolean()) }),
    answer: testEvent,
    run: async (service, { webhook_endpoint_id: webhookEndpointId, wrong_signature }) => {
      const tried = { webhookEndpointId, wrongSignature: wrong_signature }
      return { webhookEndpointId, ...(await sendTestEvent(service, tried)) }
    },
  }),
  'webhook.doctor': operation({
    ...needsEndpoint,
    summary: 'Find out why a webhook endpoint receives no events.',
    input: one,
    answer: report,
    run: (service, { webhook_endpoint_id }) =>
      diagnoseWebhookEndpoint(service, webhook_endpoint_id),
  }),
}
