// The addresses at which partners receive events.
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { WebhookEndpointReader } from '../../ports/webhook-records.ts'
import { type Collection, drawnId, listBy, scopedKey, uniqueBy } from './collection.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader } from './read-records.ts'

export const endpointById = drawnId<WebhookEndpoint>('webhookEndpointId', 'webhook_endpoints_id')

const endpointByUrl = uniqueBy<WebhookEndpoint>(
  { name: 'url', constraint: 'webhook_endpoints_url' },
  'organizationId',
  'url',
)

const allEndpoints = listBy<WebhookEndpoint>()

const endpointsByOrganization = listBy<WebhookEndpoint>('organizationId')

export const webhookEndpoints: Collection<WebhookEndpoint> = {
  name: 'webhookEndpoints',
  isCached: true,
  key: scopedKey('organizationId', 'webhookEndpointId'),
  ownerOf: ({ organizationId }) => organizationId,
  references: { organizationId: 'organizations' },
  unique: [endpointByUrl, endpointById],
  lists: [allEndpoints, endpointsByOrganization],
  row: {
    table: 'webhook_endpoints',
    columns: {
      organizationId: 'plain',
      webhookEndpointId: 'plain',
      url: 'plain',
      encryptedSigningSecret: 'plain',
      encryptedPreviousSecret: 'plain',
      previousSecretUntil: 'timestamp',
      eventTypes: 'texts',
      pausedAt: 'timestamp',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
  },
  audit: {
    idsOf: ({ webhookEndpointId, organizationId }) => ({ webhookEndpointId, organizationId }),
    // Contains only the origin of the address, because the remainder can be a secret.
    fieldsOf: ({ url, eventTypes, pausedAt, previousSecretUntil, updatedAt }) => ({
      host: new URL(url).host,
      eventTypes,
      pausedAt,
      previousSecretUntil,
      updatedAt,
    }),
  },
}

export function webhookEndpointReader(lookup: Lookup): WebhookEndpointReader {
  const reader = new CollectionReader(lookup, webhookEndpoints)
  return {
    get: (id) => reader.find(endpointById, id),
    list: () => reader.list(allEndpoints, { values: [] }),
    listByOrganization: (organizationId) =>
      reader.list(endpointsByOrganization, { values: [organizationId] }),
  }
}
