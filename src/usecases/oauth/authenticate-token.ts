import { hash } from 'node:crypto'
import { errors } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Client } from '../../domain/oauth/client.ts'
import { type Scope, sortScopes } from '../../domain/oauth/scope.ts'
import {
  accessTokenAudience,
  isPublished,
  type SigningKey,
} from '../../domain/oauth/signing-key.ts'
import { Problem } from '../../domain/problem.ts'
import { verifyToken } from '../../machine/signing.ts'
import type { Service } from '../service.ts'

export interface TokenHolder {
  readonly client: Client
  /** Scopes of the token that the client still has. */
  readonly tokenScopes: readonly Scope[]
}

export type Authenticate = (token: string) => Promise<TokenHolder>

const cachedTokens = 10_000

/** Verifies the signature of each token once. Expiry, client, generation and key are checked at every use. */
export function createAuthenticator(service: Service): Authenticate {
  // With `max` it would allocate room for all of them at once, which most services never use.
  const verified = new LRUCache<string, VerifiedToken>({
    maxSize: cachedTokens,
    sizeCalculation: () => 1,
  })
  return async (token) => {
    const digest = hash('sha256', token, 'base64')
    const known = verified.get(digest)
    if (known) return requireHolder(service, known)
    const read = await readToken(service, token)
    verified.set(digest, read)
    return requireHolder(service, read)
  }
}

async function requireHolder(service: Service, token: VerifiedToken): Promise<TokenHolder> {
  const now = service.clock.now()
  if (Date.parse(now) >= token.expiresAtMs) throw expiredToken()
  const { client, organization, keys } = await service.store.read(async (records) => ({
    client: await records.clients.get(token.clientId),
    organization: await records.organizations.get(token.organizationId),
    keys: await records.signingKeys.list(),
  }))
  if (!client || client.disabled) throw refused('The client of this access token is disabled.')
  if (!organization || organization.disabled)
    throw refused('The organization of this access token is disabled.')
  if (client.tokenGeneration !== token.generation) {
    throw refused('The access token was made to expire. Request a new one.')
  }
  if (!keys.some((key) => key.kid === token.kid && isPublished(key, now))) {
    throw refused('The key that signed this access token is retired. Request a new token.')
  }
  return { client, tokenScopes: scopesStillHeld(token, client) }
}

/** Spec gap: revoking a scope also affects existing tokens; see DECISIONS.md, D24. */
function scopesStillHeld(token: VerifiedToken, client: Client): readonly Scope[] {
  return sortScopes(
    token.scopes.filter((scope) => (client.grantedScopes as string[]).includes(scope)),
  )
}

function refused(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', detail)
}

/** The part of a token that never changes; the state of its client may. */
interface VerifiedToken {
  readonly kid: string
  readonly clientId: string
  readonly organizationId: string
  readonly scopes: readonly string[]
  readonly generation: number
  readonly expiresAtMs: number
}

interface Claims {
  readonly client_id: string
  readonly org_id: string
  readonly scope: string
  readonly token_generation?: number
  readonly exp: number
  /** Expiry by the clock of the service, if that clock differs from the one of `exp`. */
  readonly service_exp?: number
}

async function readToken(service: Service, token: string): Promise<VerifiedToken> {
  try {
    const { payload, protectedHeader } = await verify(service, token)
    const { client_id, org_id, scope, exp, service_exp = exp, token_generation = 0 } = payload
    return {
      kid: String(protectedHeader.kid),
      clientId: client_id,
      organizationId: org_id,
      scopes: scope.split(' '),
      generation: token_generation,
      expiresAtMs: service_exp * 1000,
    }
  } catch (error) {
    throw toProblem(error)
  }
}

async function verify({ store, clock, settings }: Service, token: string) {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const now = clock.now()
  const published = keys.filter((key) => isPublished(key, now))
  const verified = await verifyToken(token, (kid) => requireKey(published, kid), {
    issuer: settings.baseUrl,
    audience: accessTokenAudience,
    requiredClaims: ['exp', 'client_id', 'org_id', 'scope'],
    // Expiry is checked at every use, by the clock that the token names.
    currentDate: new Date(0),
  })
  return { ...verified, payload: verified.payload as unknown as Claims }
}

function requireKey(keys: readonly SigningKey[], kid: string | undefined): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid)
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error
  return new Problem('UNAUTHENTICATED', 'The access token is not valid. Request a new one.')
}

function expiredToken(): Problem {
  return new Problem('UNAUTHENTICATED', 'The access token has expired. Request a new one.')
}
