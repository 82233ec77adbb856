import type { Middleware } from 'h3'
import { Problem } from '../../domain/problem.ts'
import { createAuthenticator } from '../../usecases/oauth/create-authenticator.ts'
import type { Service } from '../../usecases/service.ts'
import { bearerToken } from '../bearer-token.ts'

/** Finds out who calls; nothing else is decided here. */
export function authenticate(service: Service): Middleware {
  const holderOf = createAuthenticator(service)
  return async (event) => {
    const token = bearerToken(event)
    if (!token) throw missingToken()
    const { client, tokenScopes } = await holderOf(token)
    const { clientId, organizationId, kind, grantedScopes } = client
    event.context.authentication = { clientId, organizationId, kind, grantedScopes, tokenScopes }
  }
}

function missingToken(): Problem {
  return new Problem('UNAUTHENTICATED', 'Send an access token: Authorization: Bearer <token>.')
}
