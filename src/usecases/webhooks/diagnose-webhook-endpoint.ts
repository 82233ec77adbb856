import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import { webhookUrlFault } from '../../domain/webhooks/webhook-url.ts'
import type { AddressInspection } from '../../ports/webhook-sender.ts'
import type { Service } from '../service.ts'
import { judgeCertificate, judgeTestEvent, judgeWrongSignature } from './endpoint-findings.ts'
import { type Finding, failed, ok, warning } from './finding.ts'
import { requireWebhookEndpoint } from './require-webhook-endpoint.ts'
import { tryWebhookEndpoint } from './try-webhook-endpoint.ts'

export const endpointChecks = [
  'url',
  'dns',
  'public_address',
  'tls',
  'test_event',
  'wrong_signature',
] as const
export type EndpointCheck = (typeof endpointChecks)[number]

export interface CheckedEndpoint {
  readonly check: EndpointCheck
  readonly finding: Finding
}

export interface DiagnosedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint
  /** All checks; what comes after one that failed is skipped. */
  readonly checks: readonly CheckedEndpoint[]
}

/** Looks at everything that has to be right for an event to arrive, in the order in which it is needed. */
export async function diagnoseWebhookEndpoint(
  service: Service,
  webhookEndpointId: string,
): Promise<DiagnosedWebhookEndpoint> {
  const endpoint = await service.store.read((records) =>
    requireWebhookEndpoint(records, webhookEndpointId),
  )
  const steps = stepsOf(service, endpoint)
  const checks: CheckedEndpoint[] = []
  for (const check of endpointChecks) {
    const isLost = checks.some(({ finding }) => finding.result === 'failed')
    checks.push({ check, finding: isLost ? skipped : await steps[check]() })
  }
  return { endpoint, checks }
}

const skipped: Finding = { result: 'skipped', detail: 'Something before it has to be put right.' }

type Steps = Readonly<Record<EndpointCheck, () => Promise<Finding>>>

function stepsOf(service: Service, { url, webhookEndpointId }: WebhookEndpoint): Steps {
  const { webhookSender, clock } = service
  const { hostname } = new URL(url)
  // Looked up once, for two checks.
  let addresses: AddressInspection | undefined
  return {
    url: async () => judgeUrl(service, url),
    dns: async () => {
      addresses = await webhookSender.inspectAddresses(url)
      return judgeDns(hostname, addresses)
    },
    public_address: async () => judgeAddresses(service, addresses?.notPublic ?? []),
    tls: async () => {
      if (!url.startsWith('https:')) return { result: 'skipped', detail: 'There is none for http.' }
      return judgeCertificate(await webhookSender.inspectCertificate(url), clock.now())
    },
    test_event: async () =>
      judgeTestEvent((await tryWebhookEndpoint(service, { webhookEndpointId })).outcome),
    wrong_signature: async () => {
      const tried = await tryWebhookEndpoint(service, { webhookEndpointId, wrongSignature: true })
      return judgeWrongSignature(tried.outcome)
    },
  }
}

function judgeUrl({ settings }: Service, url: string): Finding {
  const fault = webhookUrlFault(url, settings.allowPrivateWebhooks)
  if (fault !== undefined) return failed(`The URL is not allowed: ${fault}.`)
  if (url.startsWith('https:')) return ok('It is https.')
  return warning('It is http, which only --allow-private-webhooks lets through.')
}

function judgeDns(hostname: string, { addresses, fault }: AddressInspection): Finding {
  if (fault !== null) return failed(`${hostname}: ${fault}.`)
  return ok(`${hostname} is at ${addresses.join(', ')}.`)
}

function judgeAddresses({ settings }: Service, notPublic: readonly string[]): Finding {
  if (notPublic.length === 0) return ok('All addresses are public.')
  const listed = `Not public: ${notPublic.join(', ')}.`
  return settings.allowPrivateWebhooks
    ? warning(`${listed} Only --allow-private-webhooks lets it through.`)
    : failed(`${listed} Nothing is sent there; the name has to lead to public addresses only.`)
}
