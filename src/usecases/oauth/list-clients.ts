import type { Client } from '../../domain/oauth/client.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

/** Oldest first; of one organisation (an id or an exact name), or of all. */
export function listClients({ store }: Service, organization?: string): Promise<readonly Client[]> {
  return store.read(async (records) => {
    const clients = await records.clients.list()
    if (organization === undefined) return clients
    const { organizationId } = await requireOrganization(records, organization)
    return clients.filter((client) => client.organizationId === organizationId)
  })
}
