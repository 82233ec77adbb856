import type { Sealed } from '../sealed.ts'
import type { Timestamp } from '../timestamp.ts'

/** Where a partner organisation wants its events. It gets those that happen from its registration on. */
export interface WebhookEndpoint {
  readonly webhookEndpointId: string
  readonly organizationId: string
  readonly url: string
  readonly sealedSigningSecret: Sealed
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

// Spec gap: see DECISIONS.md, webhooks.
export const maximumEndpointsPerOrganization = 10
