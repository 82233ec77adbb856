import type { Middleware } from 'h3'
import type { Scope } from '../../domain/oauth/scope.ts'
import { Problem } from '../../domain/problem.ts'
import { authenticationOf } from '../context.ts'

/** For one route: the token has to carry all of `requiredScopes`. */
export function requireScope(...requiredScopes: readonly Scope[]): Middleware {
  return (event) => {
    const { tokenScopes } = authenticationOf(event)
    const missing = requiredScopes.filter((scope) => !tokenScopes.includes(scope))
    if (missing.length > 0) throw lacking(missing, requiredScopes)
  }
}

function lacking(missing: readonly Scope[], requiredScopes: readonly Scope[]): Problem {
  return new Problem('INSUFFICIENT_SCOPE', `The access token lacks ${missing.join(' and ')}.`, {
    requiredScopes,
  })
}
