import type { Client } from '../../domain/oauth/client.ts'
import type { Service } from '../service.ts'
import { changeClient } from './change-client.ts'

export function disableClient(service: Service, clientId: string): Promise<Client> {
  return changeClient(service, { clientId, change: () => ({ disabled: true }) })
}
