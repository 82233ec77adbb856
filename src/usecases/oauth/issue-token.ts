import { SignJWT } from 'jose'
import {
  type AccessToken,
  accessTokenAudience,
  accessTokenSeconds,
} from '../../domain/oauth/access-token.ts'
import type { Client } from '../../domain/oauth/client.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import { findSigner, type SigningKey } from '../../domain/oauth/signing-key.ts'
import type { Service } from '../service.ts'
import { privateKeyOf } from './imported-keys.ts'

export interface TokenGrant {
  readonly client: Client
  readonly scopes: readonly Scope[]
}

/** A token for a client that may have it: whoever calls has made sure of that. */
export async function issueToken(service: Service, grant: TokenGrant): Promise<AccessToken> {
  const key = await requireSigner(service)
  const claims = claimsOf(service, grant)
  const accessToken = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid })
    .sign(await privateKeyOf(key, service.vault))
  return { accessToken, expiresInSeconds: accessTokenSeconds, scopes: grant.scopes }
}

/** spec: Token properties; iat, jti and sub are what JWT libraries expect beside them. */
function claimsOf({ clock, random, settings }: Service, { client, scopes }: TokenGrant) {
  const issuedAt = Math.floor(Date.parse(clock.now()) / 1000)
  return {
    iss: settings.baseUrl,
    aud: accessTokenAudience,
    sub: client.clientId,
    client_id: client.clientId,
    org_id: client.organizationId,
    token_type: 'client',
    scope: scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + accessTokenSeconds,
    jti: random.id(),
  }
}

async function requireSigner({ store, clock }: Service): Promise<SigningKey> {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const signer = findSigner(keys, clock.now())
  if (!signer) throw new Error('There is no signing key: the service was not set up.')
  return signer
}
