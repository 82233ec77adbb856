import type { Timestamp } from '../../domain/timestamp.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { testEventType as type } from '../../domain/webhooks/event.ts'
import { type WebhookEndpoint, webhookUrlError } from '../../domain/webhooks/webhook-endpoint.ts'
import {
  type AddressInspection,
  type CertificateInspection,
  maximumAddresses,
} from '../../ports/webhook-sender.ts'
import type { Service } from '../service.ts'
import { localFaultAsOutcome, sendWebhook } from './send-webhook.ts'
import { requireWebhookEndpoint } from './webhook-endpoints.ts'

const endpointChecks = [
  'url',
  'dns',
  'public_address',
  'tls',
  'test_event',
  'wrong_signature',
] as const
export type EndpointCheck = (typeof endpointChecks)[number] | 'paused'

export interface CheckedEndpoint {
  readonly check: EndpointCheck
  readonly finding: Finding
}

export interface DiagnosedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint
  /** All checks; those after a failed one are skipped. `paused` is the first one of a paused endpoint. */
  readonly checks: readonly CheckedEndpoint[]
}

/** Checks everything that delivering an event requires, in that order. */
export async function diagnoseWebhookEndpoint(
  service: Service,
  webhookEndpointId: string,
): Promise<DiagnosedWebhookEndpoint> {
  const endpoint = await service.store.read((records) =>
    requireWebhookEndpoint(records, webhookEndpointId),
  )
  const steps = stepsOf(service, endpoint)
  const checks: CheckedEndpoint[] = []
  if (endpoint.pausedAt !== null) {
    const detail = `The endpoint has been paused since ${endpoint.pausedAt}, so its events wait. \`coopshare webhook resume\` sends them in sequence.`
    checks.push({ check: 'paused', finding: warning(detail) })
  }
  for (const check of endpointChecks) {
    const isLost = checks.some(({ finding }) => finding.result === 'failed')
    checks.push({ check, finding: isLost ? skipped : await steps[check]() })
  }
  return { endpoint, checks }
}

const skipped: Finding = { result: 'skipped', detail: 'Fix the failed check first.' }

type Steps = Readonly<Record<(typeof endpointChecks)[number], () => Promise<Finding>>>

function stepsOf(service: Service, { url, webhookEndpointId }: WebhookEndpoint): Steps {
  const { webhookSender, clock } = service
  const { hostname } = new URL(url)
  // Two checks use the same lookup.
  let addresses: AddressInspection | undefined
  return {
    url: async () => judgeUrl(service, url),
    dns: async () => {
      addresses = await webhookSender.inspectAddresses(url)
      return judgeDns(hostname, addresses)
    },
    public_address: async () => judgeAddresses(service, addresses?.notPublic ?? []),
    tls: async () => {
      if (!url.startsWith('https:'))
        return { result: 'skipped', detail: 'There is no certificate for http.' }
      return judgeCertificate(await webhookSender.inspectCertificate(url), clock.now())
    },
    test_event: async () =>
      judgeTestEvent((await sendTestEvent(service, { webhookEndpointId })).outcome),
    wrong_signature: async () => {
      const tried = await sendTestEvent(service, { webhookEndpointId, wrongSignature: true })
      return judgeWrongSignature(tried.outcome)
    },
  }
}

function judgeUrl({ settings }: Service, url: string): Finding {
  const fault = webhookUrlError(url, settings.allowPrivateWebhooks)
  if (fault !== undefined) return failed(`The URL is not allowed: ${fault}.`)
  if (url.startsWith('https:')) return ok('The URL uses https.')
  return warning('The URL uses http, which is allowed only with --allow-private-webhooks.')
}

function judgeDns(hostname: string, { addresses, fault }: AddressInspection): Finding {
  if (fault !== null) return failed(`${hostname}: ${fault}.`)
  const all = `${hostname} resolves to ${enumerate(addresses)}.`
  return ok(
    addresses.length > maximumAddresses
      ? `${all} An attempt tries at most ${maximumAddresses}, in this sequence.`
      : all,
  )
}

function enumerate(addresses: readonly string[]): string {
  const others = addresses.length - maximumAddresses
  const more = others > 0 ? ` and ${others} more` : ''
  return addresses.slice(0, maximumAddresses).join(', ') + more
}

function judgeAddresses({ settings }: Service, notPublic: readonly string[]): Finding {
  if (notPublic.length === 0) return ok('All addresses are public.')
  const listed = `These addresses are not public: ${enumerate(notPublic)}.`
  return settings.allowPrivateWebhooks
    ? warning(`${listed} They are allowed only with --allow-private-webhooks.`)
    : failed(
        `${listed} Nothing is sent there: the host name must resolve to public addresses only.`,
      )
}

/** With less time left, the person who renews the certificate may be away. */
const soonDays = 14
const dayMs = 24 * 60 * 60 * 1000

/** Connecting and answering may take five seconds each, so a slower delivery can still succeed. */
const slowMs = 5000

function judgeCertificate(
  { issuer, validTo, asksForCertificate, fault }: CertificateInspection,
  now: Timestamp,
): Finding {
  const until = validTo === null ? '' : `, valid until ${validTo.slice(0, 10)}`
  const described = `The certificate was issued by ${issuer ?? 'an unnamed issuer'}${until}.`
  if (fault !== null) {
    const sentence = `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
    return failed(validTo === null ? sentence : `${sentence} ${described}`)
  }
  const days = validTo === null ? 0 : (Date.parse(validTo) - Date.parse(now)) / dayMs
  if (days < soonDays) return warning(`${described} It expires soon: renew it.`)
  return asksForCertificate ? warning(`${described} ${wantsCertificate}`) : ok(described)
}

const wantsCertificate =
  'The receiver asks for a client certificate, which the service does not have. If it insists on one, it refuses every event: it must verify the signature instead.'

export function judgeTestEvent({ status, failure, detail, durationMs }: SendOutcome): Finding {
  if (failure !== null)
    return failed(`The receiver did not accept a signed event. ${detail ?? failure}`)
  if (durationMs <= slowMs)
    return ok(`The receiver accepted a signed event: ${status} in ${durationMs} ms.`)
  return warning(
    `The receiver accepted a signed event, but only after ${durationMs} ms. It should respond first and process the event afterwards.`,
  )
}

/** Nothing is known about a receiver that does not answer. */
function judgeWrongSignature({ status, failure, detail }: SendOutcome): Finding {
  if (failure === null) {
    return failed(
      `The receiver accepted an event with a wrong signature (${status}). Either it does not verify signatures and accepts events from anybody, or it accepts unknown types before it verifies. It should verify first.`,
    )
  }
  if (status === null) {
    return warning(
      `The receiver did not respond to an event with a wrong signature. ${detail ?? failure}`,
    )
  }
  if (status >= 400 && status < 500)
    return ok(`The receiver refuses a wrong signature with ${status}.`)
  return warning(
    `The receiver answers a wrong signature with ${status}. Status 400 or 401 would be clearer.`,
  )
}

/** The result of one check. */
interface Finding {
  /** With `warning`, events arrive, but something needs attention. */
  readonly result: 'ok' | 'warning' | 'failed' | 'skipped'
  /** A sentence for people. */
  readonly detail: string
}

function ok(detail: string): Finding {
  return { result: 'ok', detail }
}

function warning(detail: string): Finding {
  return { result: 'warning', detail }
}

function failed(detail: string): Finding {
  return { result: 'failed', detail }
}

export interface SendTestEvent {
  readonly webhookEndpointId: string
  /** Signs with a wrong secret, which the receiver should refuse. */
  readonly wrongSignature?: boolean | undefined
}

export interface SentTestEvent {
  readonly eventId: string
  readonly outcome: SendOutcome
}

/** Sends one signed test event, which is neither logged nor retried. */
export async function sendTestEvent(
  service: Service,
  { webhookEndpointId, wrongSignature = false }: SendTestEvent,
): Promise<SentTestEvent> {
  const { store, random, clock } = service
  const endpoint = await store.read((records) => requireWebhookEndpoint(records, webhookEndpointId))
  const eventId = random.traceId()
  const data = { webhookEndpointId: endpoint.webhookEndpointId, terminal: false }
  const body = service.renderEvent({ id: eventId, type, createdAt: clock.now(), data })
  const secret = wrongSignature ? random.secret() : undefined
  const sending = { endpoint, type, body, attemptId: random.traceId(), secret }
  return { eventId, outcome: await localFaultAsOutcome(sendWebhook(service, sending)) }
}
