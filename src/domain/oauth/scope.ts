import { OAuthError } from './oauth-error.ts'

/** spec: Scopes. Tokens list scopes in this order. */
export const scopes = [
  'cooperatives:read',
  'projects:read',
  'investors:read',
  'investors:write',
  'applications:read',
  'applications:write',
  'portfolio:read',
] as const

export type Scope = (typeof scopes)[number]

/**
 * Returns the requested scopes, or all granted ones if none is requested (spec: Token request).
 * Throws invalid_scope. @param requested space-delimited
 */
export function parseRequestedScopes(
  requested: string | undefined,
  granted: readonly Scope[],
): readonly Scope[] {
  const wanted = requested?.split(' ').filter(Boolean) ?? []
  const refused = wanted.filter((scope) => !(granted as readonly string[]).includes(scope))
  if (refused.length > 0) throw refusal(new Set(refused), granted)
  return wanted.length === 0 ? sortScopes(granted) : sortScopes(wanted)
}

/** Sorts scopes in the order of the specification and removes duplicates. */
export function sortScopes(held: readonly string[]): readonly Scope[] {
  return scopes.filter((scope) => held.includes(scope))
}

/** More names would only make the answer long. */
const namedScopes = 10

function refusal(refused: ReadonlySet<string>, granted: readonly Scope[]): OAuthError {
  const names = [...refused].slice(0, namedScopes).map(writable).join(' ')
  const are = refused.size === 1 ? `The scope ${names} is` : `The scopes ${names} are`
  return new OAuthError(
    'invalid_scope',
    `${are} not granted to this client. Granted scopes: ${sortScopes(granted).join(' ')}.`,
  )
}

// RFC 6749 5.2 allows no other characters in an error_description.
function writable(scope: string): string {
  return scope.slice(0, 100).replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
