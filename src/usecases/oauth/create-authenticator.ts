import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Client } from '../../domain/oauth/client.ts'
import { inOrder } from '../../domain/oauth/requested-scopes.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import { isPublished } from '../../domain/oauth/signing-key.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'
import { expiredToken, type VerifiedToken, verifyToken } from './verify-token.ts'

export interface TokenHolder {
  readonly client: Client
  /** What the token carries and the client still holds. */
  readonly tokenScopes: readonly Scope[]
}

export type Authenticate = (token: string) => Promise<TokenHolder>

const rememberedTokens = 10_000

/** Checks the signature of each token once; what can change meanwhile is checked at every use. */
export function createAuthenticator(service: Service): Authenticate {
  const verified = new LRUCache<string, VerifiedToken>({ max: rememberedTokens })
  return async (token) => {
    const digest = hash('sha256', token, 'base64')
    const known = verified.get(digest)
    if (known) return requireHolder(service, known)
    const read = await verifyToken(service, token)
    verified.set(digest, read)
    return requireHolder(service, read)
  }
}

async function requireHolder(service: Service, token: VerifiedToken): Promise<TokenHolder> {
  const now = service.clock.now()
  if (Date.parse(now) >= token.expiresAtMs) throw expiredToken()
  const { client, keys } = await service.store.read(async ({ clients, signingKeys }) => ({
    client: await clients.get(token.clientId),
    keys: await signingKeys.list(),
  }))
  if (!client || client.disabled) throw refusal('The client of this access token is disabled.')
  if (!keys.some((key) => key.kid === token.kid && isPublished(key, now))) {
    throw refusal('The key that signed this access token is retired. Request a new token.')
  }
  return { client, tokenScopes: scopesStillHeld(token, client) }
}

/** Spec gap: a scope taken from a client leaves its living tokens too; see DECISIONS.md, scope changes. */
function scopesStillHeld(token: VerifiedToken, client: Client): readonly Scope[] {
  return inOrder(token.scopes.filter((scope) => (client.grantedScopes as string[]).includes(scope)))
}

function refusal(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', detail)
}
