import { Problem } from '../../domain/problem.ts'
import { addSeconds } from '../../domain/timestamp.ts'
import { isPending } from '../../domain/webhooks/delivery.ts'
import { markDead } from '../../domain/webhooks/delivery-retries.ts'
import { type WebhookEventType, webhookEventTypes } from '../../domain/webhooks/event.ts'
import {
  maximumEndpointsPerOrganization,
  newEndpoint,
  type WebhookEndpoint,
  webhookUrlError,
} from '../../domain/webhooks/webhook-endpoint.ts'
import { type ReadableRecords, type Records, UniquenessError } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { nameOwners, requireOrganization, type WithOwner } from '../organizations/organizations.ts'
import type { Service } from '../service.ts'
import { changeDelivery } from './attempt-delivery.ts'

export async function requireWebhookEndpoint(
  { webhookEndpoints }: Pick<ReadableRecords, 'webhookEndpoints'>,
  webhookEndpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = await webhookEndpoints.get(webhookEndpointId.toLowerCase())
  if (endpoint) return endpoint
  throw new Problem(
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    `There is no webhook endpoint "${webhookEndpointId}". \`coopshare webhook list\` lists all endpoints.`,
  )
}

export interface ListedEndpoint extends WithOwner<WebhookEndpoint> {
  readonly lastDay: Success
}

/** The deliveries that were attempted in the last 24 hours, in whole hours, by the outcome of their last attempt. */
export interface Success {
  readonly delivered: number
  readonly failed: number
}

/** Rounded down, so that 100 means that all were delivered; null if none was attempted. */
export function percentOf({ delivered, failed }: Success): number | null {
  const all = delivered + failed
  return all === 0 ? null : Math.floor((delivered * 100) / all)
}

/** `organization` is an id or an exact name. */
export function listWebhookEndpoints(
  { store, clock }: Service,
  organization: string | undefined,
): Promise<readonly ListedEndpoint[]> {
  const until = clock.now()
  const lastDay = { since: addSeconds(until, -24 * 3600), until }
  return store.read(async (records) => {
    const { webhookEndpoints, deliveries } = records
    const endpoints =
      organization === undefined
        ? await webhookEndpoints.list()
        : await webhookEndpoints.listByOrganization(
            (await requireOrganization(records, organization)).organizationId,
          )
    const [named, successes] = await Promise.all([
      nameOwners(records, endpoints),
      Promise.all(
        endpoints.map(({ webhookEndpointId }) =>
          deliveries.countAttempted(webhookEndpointId, lastDay),
        ),
      ),
    ])
    return named.map((one, index) => ({
      ...one,
      lastDay: successes[index] ?? { delivered: 0, failed: 0 },
    }))
  })
}

export interface RegisterWebhookEndpoint {
  /** An id or an exact name. */
  readonly organization: string
  readonly url: string
  /** Only in staging. If absent, a secret is generated. */
  readonly signingSecret?: string | undefined
  /** The types of events that the endpoint gets; undefined for all. */
  readonly eventTypes?: readonly WebhookEventType[] | undefined
}

/** The endpoint gets events from now on. */
export async function registerWebhookEndpoint(
  service: Service,
  { organization, url, signingSecret: given, eventTypes: types }: RegisterWebhookEndpoint,
): Promise<MintedWebhookEndpoint> {
  if (given !== undefined) refuseInProduction(service)
  // An unknown organization is refused first, because the lookup of a host name asks other
  // machines.
  await service.store.read((records) => requireOrganization(records, organization))
  const fault = await findWebhookUrlError(service, url)
  if (fault) throw new Problem('WEBHOOK_URL_REFUSED', `The URL is refused: ${fault}.`)
  const { signingSecret, encryptedSigningSecret } = mintSigningSecret(service, given)
  const createdAt = service.clock.now()
  return service.store.write(subjects.all('webhookEndpoints'), async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    const endpoint: WebhookEndpoint = {
      webhookEndpointId: service.random.id(),
      organizationId,
      url: new URL(url).href,
      encryptedSigningSecret,
      ...newEndpoint,
      eventTypes: sortEventTypes(types),
      createdAt,
      updatedAt: createdAt,
    }
    await addWebhookEndpoint(records, endpoint)
    return { endpoint, signingSecret }
  })
}

/**
 * Returns the types in the order of the specification, without duplicates. Without types, returns null, which means
 * all.
 */
export function sortEventTypes(
  types: readonly WebhookEventType[] | null | undefined,
): WebhookEndpoint['eventTypes'] {
  if (!types) return null
  return webhookEventTypes.filter((type) => types.includes(type))
}

function refuseInProduction({ settings }: Service): void {
  if (settings.environment !== 'production') return
  throw new Problem(
    'TESTING_AID_IN_PRODUCTION',
    'Your own signing secret is for staging only. If you leave it out, the service creates one and shows it once.',
  )
}

/** Refuses the endpoint if the organization has too many endpoints, or one with the same URL. */
export async function addWebhookEndpoint(
  records: Records,
  endpoint: WebhookEndpoint,
): Promise<void> {
  await requireRoom(records, endpoint)
  try {
    await records.webhookEndpoints.put(endpoint)
  } catch (error) {
    throw error instanceof UniquenessError ? registeredBefore() : error
  }
}

async function requireRoom(
  { webhookEndpoints }: Records,
  { organizationId }: WebhookEndpoint,
): Promise<void> {
  const endpoints = await webhookEndpoints.listByOrganization(organizationId)
  if (endpoints.length < maximumEndpointsPerOrganization) return
  throw new Problem(
    'ENDPOINT_LIMIT_REACHED',
    `The organization already has ${maximumEndpointsPerOrganization} webhook endpoints. Remove one first: \`coopshare webhook remove\`.`,
  )
}

function registeredBefore(): Problem {
  return new Problem(
    'WEBHOOK_URL_REFUSED',
    'The URL is refused: the organization already has an endpoint with this URL. `coopshare webhook rotate-secret` replaces the signing secret of an endpoint.',
  )
}

/** Resolves the name. Returns a clause that says why events may not be sent to the URL, or undefined if they may. */
export async function findWebhookUrlError(
  { settings, webhookSender }: Service,
  url: string,
): Promise<string | undefined> {
  return (
    webhookUrlError(url, settings.allowPrivateWebhooks) ??
    (await webhookSender.findAddressError(url))
  )
}

export interface MintedSigningSecret {
  /** Shown once and not readable afterwards. */
  readonly signingSecret: string
  readonly encryptedSigningSecret: WebhookEndpoint['encryptedSigningSecret']
}

export interface MintedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint
  readonly signingSecret: string
}

/** @param given in staging, a secret that others know already */
export function mintSigningSecret(
  { random, vault }: Service,
  given?: string | undefined,
): MintedSigningSecret {
  const signingSecret = given ?? `whsec_${random.secret()}`
  return { signingSecret, encryptedSigningSecret: vault.encrypt(signingSecret) }
}

export interface RotateSigningSecret {
  readonly webhookEndpointId: string
  /** How long deliveries are also signed with the old secret. */
  readonly overlapSeconds?: number | undefined
}

/** Without an overlap, the new secret takes effect immediately: no attempt uses the old secret any more. */
export async function rotateSigningSecret(
  service: Service,
  { webhookEndpointId, overlapSeconds = 0 }: RotateSigningSecret,
): Promise<MintedWebhookEndpoint> {
  const { signingSecret, encryptedSigningSecret } = mintSigningSecret(service)
  const now = service.clock.now()
  const endpoint = await changeWebhookEndpoint(service, webhookEndpointId, (before) => ({
    ...before,
    encryptedSigningSecret,
    encryptedPreviousSecret: overlapSeconds > 0 ? before.encryptedSigningSecret : null,
    previousSecretUntil: overlapSeconds > 0 ? addSeconds(now, overlapSeconds) : null,
    updatedAt: now,
  }))
  return { endpoint, signingSecret }
}

/** Pauses an endpoint: its deliveries wait, use up no attempts, and keep their order. Deliveries in flight finish. */
export function pauseWebhookEndpoint(
  service: Service,
  webhookEndpointId: string,
): Promise<WebhookEndpoint> {
  const now = service.clock.now()
  return changeWebhookEndpoint(service, webhookEndpointId, (before) =>
    before.pausedAt === null ? { ...before, pausedAt: now, updatedAt: now } : before,
  )
}

export function resumeWebhookEndpoint(
  service: Service,
  webhookEndpointId: string,
): Promise<WebhookEndpoint> {
  const now = service.clock.now()
  return changeWebhookEndpoint(service, webhookEndpointId, (before) =>
    before.pausedAt === null ? before : { ...before, pausedAt: null, updatedAt: now },
  )
}

/** @param change returns the same endpoint if there is nothing to change */
function changeWebhookEndpoint(
  { store }: Service,
  webhookEndpointId: string,
  change: (before: WebhookEndpoint) => WebhookEndpoint,
): Promise<WebhookEndpoint> {
  return store.write(subjects.all('webhookEndpoints'), async (records) => {
    const before = await requireWebhookEndpoint(records, webhookEndpointId)
    const after = change(before)
    if (after !== before) await records.webhookEndpoints.put(after)
    return after
  })
}

export interface RemovedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint
  /** The number of pending deliveries that were ended. */
  readonly endedDeliveries: number
}

/** The maximum number of records in one write, so that other requests get their turn between two writes. */
const batchSize = 200

/**
 * Removes the endpoint first, so that it gets no new deliveries, and then ends its pending ones. If this is
 * interrupted, the dispatcher ends the remaining deliveries.
 */
export async function removeWebhookEndpoint(
  service: Service,
  webhookEndpointId: string,
): Promise<RemovedWebhookEndpoint> {
  const endpoint = await service.store.write(subjects.all('webhookEndpoints'), async (records) => {
    const found = await requireWebhookEndpoint(records, webhookEndpointId)
    await records.webhookEndpoints.remove(found.webhookEndpointId)
    return found
  })
  for (let endedDeliveries = 0; ; ) {
    const { found, ended } = await endBatch(service, endpoint)
    endedDeliveries += ended
    if (found < batchSize) return { endpoint, endedDeliveries }
  }
}

async function endBatch({ store, clock }: Service, { webhookEndpointId }: WebhookEndpoint) {
  const now = clock.now()
  return store.write(subjects.all('events'), async (records) => {
    let ended = 0
    const batch = await records.deliveries.listPending(webhookEndpointId, batchSize)
    for (const { deliveryId } of batch) {
      // The delivery may have arrived meanwhile.
      const before = await records.deliveries.get(deliveryId)
      if (!before || !isPending(before)) continue
      await changeDelivery(records, before, markDead(before, 'endpoint_removed', now))
      ended += 1
    }
    return { found: batch.length, ended }
  })
}

/** The endpoints whose deliveries wait: paused endpoints, and endpoints of disabled organizations. */
export async function listHeldReceivers({
  organizations,
  webhookEndpoints,
}: ReadableRecords): Promise<ReadonlySet<string>> {
  const [owners, endpoints] = await Promise.all([organizations.list(), webhookEndpoints.list()])
  const disabled = new Set(owners.flatMap((one) => (one.disabled ? one.organizationId : [])))
  const held = endpoints.filter(
    ({ organizationId, pausedAt }) => pausedAt !== null || disabled.has(organizationId),
  )
  return new Set(held.map(({ webhookEndpointId }) => webhookEndpointId))
}
