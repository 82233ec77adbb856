import type { Client } from '../../domain/oauth/client.ts'
import type { Service } from '../service.ts'
import { changeClient } from './change-client.ts'

export function enableClient(service: Service, clientId: string): Promise<Client> {
  return changeClient(service, { clientId, change: () => ({ disabled: false }) })
}
