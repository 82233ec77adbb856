import { OAuthError } from './oauth-error.ts'
import { type Scope, scopes } from './scope.ts'

/** `requested` is space-delimited; without it a token carries all that is granted (spec: Token request). */
export function requestedScopes(
  requested: string | undefined,
  granted: readonly Scope[],
): readonly Scope[] {
  const wanted = requested?.split(' ').filter(Boolean) ?? []
  const refused = wanted.find((scope) => !(granted as readonly string[]).includes(scope))
  if (refused !== undefined) throw refusal(refused, granted)
  return wanted.length === 0 ? inOrder(granted) : inOrder(wanted)
}

/** Those of `held` in the order of the specification, each once. */
export function inOrder(held: readonly string[]): readonly Scope[] {
  return scopes.filter((scope) => held.includes(scope))
}

function refusal(refused: string, granted: readonly Scope[]): OAuthError {
  return new OAuthError(
    'invalid_scope',
    `The scope ${writable(refused)} is not granted. This client holds: ${inOrder(granted).join(' ')}.`,
  )
}

// RFC 6749 5.2: no other characters may stand in an error_description.
function writable(scope: string): string {
  return scope.slice(0, 100).replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
