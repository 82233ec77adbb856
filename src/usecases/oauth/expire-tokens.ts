import type { Client } from '../../domain/oauth/client.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { requireClient } from './clients.ts'

/** Selects clients; all if it is empty. */
export interface ExpireTokens {
  readonly clientId?: string | undefined
  readonly organizationId?: string | undefined
}

/** Ends all tokens that were issued so far, and returns the number of clients. New tokens are valid. */
export function expireTokens(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  selection: ExpireTokens,
): Promise<number> {
  const updatedAt = clock.now()
  const subject = selection.clientId ?? selection.organizationId ?? 'tokens'
  return store.write(subject, async (records) => {
    const clients = await selectClients(records, selection)
    for (const client of clients) {
      const tokenGeneration = client.tokenGeneration + 1
      await records.clients.put({ ...client, tokenGeneration, updatedAt })
    }
    return clients.length
  })
}

async function selectClients(
  records: ReadableRecords,
  { clientId, organizationId }: ExpireTokens,
): Promise<readonly Client[]> {
  const clients =
    clientId === undefined ? await records.clients.list() : [await requireClient(records, clientId)]
  return organizationId === undefined
    ? clients
    : clients.filter((client) => client.organizationId === organizationId)
}
