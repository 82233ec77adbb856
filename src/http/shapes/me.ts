import { inOrder } from '../../domain/oauth/requested-scopes.ts'
import type { Authentication } from '../context.ts'

/** spec: Client info. */
export function renderClientInfo(caller: Authentication) {
  return {
    client_id: caller.clientId,
    organization_id: caller.organizationId,
    token_scopes: caller.tokenScopes,
    granted_scopes: inOrder(caller.grantedScopes),
  }
}
