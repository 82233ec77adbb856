import type { Client } from '../../domain/oauth/client.ts'
import type { Service } from '../service.ts'
import { requireClient } from './require-client.ts'

export function readClient({ store }: Service, clientId: string): Promise<Client> {
  return store.read((records) => requireClient(records, clientId))
}
