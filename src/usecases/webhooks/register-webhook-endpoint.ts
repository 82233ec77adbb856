import { Problem } from '../../domain/problem.ts'
import {
  maximumEndpointsPerOrganization,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts'
import { webhookUrlFault } from '../../domain/webhooks/webhook-url.ts'
import { type Records, UniquenessError } from '../../ports/store.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'
import { type MintedWebhookEndpoint, mintSigningSecret } from './mint-signing-secret.ts'

export interface RegisterWebhookEndpoint {
  /** An id or an exact name. */
  readonly organization: string
  readonly url: string
}

/** The endpoint gets the events that happen from now on. */
export async function registerWebhookEndpoint(
  service: Service,
  { organization, url }: RegisterWebhookEndpoint,
): Promise<MintedWebhookEndpoint> {
  await requireSoundUrl(service, url)
  const { signingSecret, sealedSigningSecret } = mintSigningSecret(service)
  const createdAt = service.clock.now()
  return service.store.write(async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    await requireRoom(records, organizationId)
    const endpoint: WebhookEndpoint = {
      webhookEndpointId: service.random.id(),
      organizationId,
      url: new URL(url).href,
      sealedSigningSecret,
      createdAt,
      updatedAt: createdAt,
    }
    await putEndpoint(records, endpoint)
    return { endpoint, signingSecret }
  })
}

async function requireSoundUrl({ settings, webhookSender }: Service, url: string): Promise<void> {
  const fault =
    webhookUrlFault(url, settings.allowPrivateWebhooks) ??
    (await webhookSender.findAddressFault(url))
  if (fault !== undefined) throw refused(`The URL is refused: ${fault}.`)
}

async function requireRoom({ webhookEndpoints }: Records, organizationId: string): Promise<void> {
  const endpoints = await webhookEndpoints.listByOrganization(organizationId)
  if (endpoints.length < maximumEndpointsPerOrganization) return
  throw new Problem(
    'ENDPOINT_LIMIT_REACHED',
    `The organisation already has ${maximumEndpointsPerOrganization} webhook endpoints. Remove one first: \`coopshare webhook remove\`.`,
  )
}

async function putEndpoint(
  { webhookEndpoints }: Records,
  endpoint: WebhookEndpoint,
): Promise<void> {
  try {
    await webhookEndpoints.put(endpoint)
  } catch (error) {
    throw error instanceof UniquenessError ? refused(registeredBefore) : error
  }
}

const registeredBefore =
  'The URL is refused: the organisation has it already. `coopshare webhook rotate-secret` gives it another signing secret.'

function refused(detail: string): Problem {
  return new Problem('WEBHOOK_URL_REFUSED', detail)
}
