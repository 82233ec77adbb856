import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import stableStringify from 'safe-stable-stringify'
import { array, type Infer, is, type } from 'superstruct'
import { accessTokenAudience } from '../../domain/oauth/access-token.ts'
import { findDiffering } from './expectations.ts'
import type { Answer } from './pinned-contract.ts'
import type { Known } from './step.ts'

/** A clock of either side may be a little wrong. */
const toleranceSeconds = 60
const lifetimeSeconds = 900

/** Whoever is handed the token checks it by this set. */
export async function expectTokenVerifies({ body }: Answer, known: Known) {
  const { token, issuer } = known
  if (token === undefined) return undefined
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(body as JSONWebKeySet), {
      algorithms: ['RS256'],
      audience: accessTokenAudience,
      ...(issuer !== undefined && { issuer }),
      requiredClaims: ['exp'],
      clockTolerance: toleranceSeconds,
    })
    return findClaimFault(payload, known)
  } catch (error) {
    return `the access token is not good by these keys: ${(error as Error).message}`
  }
}

function findClaimFault(payload: JWTPayload, { clientId, scope }: Known): string | undefined {
  const { exp = 0 } = payload
  const left = Math.round(exp - Date.now() / 1000)
  if (left > lifetimeSeconds + toleranceSeconds) return `the access token ends in ${left} s only`
  const wanted = { client_id: clientId, token_type: 'client', scope }
  return findDiffering(wanted, payload, 'the access token: ')
}

const KeySet = type({ keys: array() })

export function keepKeySet(body: unknown): Known {
  return is(body, KeySet) ? { keySet: canonical(body) } : {}
}

export function expectSameKeySet({ body }: Answer, { keySet }: Known): string | undefined {
  if (keySet === undefined || !is(body, KeySet)) return undefined
  return keySet === canonical(body) ? undefined : 'is not the set that /.well-known/jwks.json has'
}

/** The order of keys and of their members says nothing. */
function canonical({ keys }: Infer<typeof KeySet>): string {
  return JSON.stringify(keys.map((key) => stableStringify(key)).toSorted())
}

interface Client {
  readonly token_scopes: readonly string[]
  readonly granted_scopes: readonly string[]
}

/** No scope was asked for, so that the token carries all that is granted. */
export function expectOwnClient({ body }: Answer, known: Known): string | undefined {
  const { clientId, token, scope } = known
  const wanted = { client_id: clientId, organization_id: organizationOf(token) }
  const { token_scopes: carried, granted_scopes: granted } = body as Client
  return (
    findDiffering(wanted, body) ??
    findDiffering(scope && sorted(scope.split(' ')), sorted(carried), '/token_scopes') ??
    findDiffering(sorted(carried), sorted(granted), '/granted_scopes')
  )
}

function organizationOf(token: string | undefined): unknown {
  try {
    return decodeJwt(token ?? '')['org_id']
  } catch {
    // Said where the keys are read.
    return undefined
  }
}

function sorted(scopes: readonly string[]): readonly string[] {
  return scopes.toSorted()
}
