import type { Client } from '../../domain/oauth/client.ts'
import type { Service } from '../service.ts'
import { requireClient } from './require-client.ts'

export interface ClientChange {
  readonly clientId: string
  /** Throws when the rules forbid the change; then nothing is changed. */
  readonly change: (client: Client) => Partial<Client>
}

export function changeClient(
  { store, clock }: Service,
  { clientId, change }: ClientChange,
): Promise<Client> {
  const updatedAt = clock.now()
  return store.write(clientId, async (records) => {
    const client = await requireClient(records, clientId)
    const changed = { ...client, ...change(client), updatedAt }
    await records.clients.put(changed)
    return changed
  })
}
