import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import stableStringify from 'safe-stable-stringify'
import { array, type Infer, is, string, type } from 'superstruct'
import { accessTokenAudience } from '../../domain/oauth/access-token.ts'
import type { Answer } from './client.ts'
import { findMismatch, type Known } from './step.ts'

const Metadata = type({ issuer: string() })

/** Behind a proxy, the address that the deployment has for itself may differ from --url. */
export function keepIssuer(body: unknown): Known {
  return is(body, Metadata) ? { issuer: body.issuer } : {}
}

export function expectOwnPaths({ body }: Answer): string | undefined {
  if (!is(body, Metadata)) return undefined
  const { issuer } = body
  const wanted = {
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
  }
  return findMismatch(wanted, body)
}

/** Clocks of both sides may differ a little. */
const toleranceSeconds = 60
const lifetimeSeconds = 900

/** Every receiver of a token verifies it by this set. */
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
    return `the access token is not valid with these keys: ${(error as Error).message}`
  }
}

function findClaimFault(payload: JWTPayload, { clientId, scope }: Known): string | undefined {
  const { exp = 0 } = payload
  const left = Math.round(exp - Date.now() / 1000)
  if (left > lifetimeSeconds + toleranceSeconds)
    return `the access token is still valid in ${left} s`
  const wanted = { client_id: clientId, token_type: 'client', scope }
  return findMismatch(wanted, payload, 'the access token: ')
}

const KeySet = type({ keys: array() })

export function keepKeySet(body: unknown): Known {
  return is(body, KeySet) ? { keySet: canonical(body) } : {}
}

export function expectSameKeySet({ body }: Answer, { keySet }: Known): string | undefined {
  if (keySet === undefined || !is(body, KeySet)) return undefined
  return keySet === canonical(body)
    ? undefined
    : 'does not match the key set at /.well-known/jwks.json'
}

/** The order of keys and members is irrelevant. */
function canonical({ keys }: Infer<typeof KeySet>): string {
  return JSON.stringify(keys.map((key) => stableStringify(key)).toSorted())
}

interface Client {
  readonly token_scopes: readonly string[]
  readonly granted_scopes: readonly string[]
}

/** The token was requested without scopes, so it must carry all that are granted. */
export function expectOwnClient({ body }: Answer, known: Known): string | undefined {
  const { clientId, token, scope } = known
  const wanted = { client_id: clientId, organization_id: organizationOf(token) }
  const { token_scopes: carried, granted_scopes: granted } = body as Client
  return (
    findMismatch(wanted, body) ??
    findMismatch(scope && sorted(scope.split(' ')), sorted(carried), '/token_scopes') ??
    findMismatch(sorted(carried), sorted(granted), '/granted_scopes')
  )
}

function organizationOf(token: string | undefined): unknown {
  try {
    return decodeJwt(token ?? '')['org_id']
  } catch {
    // The check of the keys reports it.
    return undefined
  }
}

function sorted(scopes: readonly string[]): readonly string[] {
  return scopes.toSorted()
}
