import type { Client } from '../../domain/oauth/client.ts'
import { inOrder } from '../../domain/oauth/requested-scopes.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import type { Service } from '../service.ts'
import { changeClient } from './change-client.ts'

export interface SetGrantedScopes {
  readonly clientId: string
  readonly grantedScopes: readonly Scope[]
}

/** In place: client_id and secrets stay valid (spec: Scopes). */
export function setGrantedScopes(
  service: Service,
  { clientId, grantedScopes }: SetGrantedScopes,
): Promise<Client> {
  const change = () => ({ grantedScopes: inOrder(grantedScopes) })
  return changeClient(service, { clientId, change })
}
