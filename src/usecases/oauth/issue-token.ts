import type { Client } from '../../domain/oauth/client.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { parseRequestedScopes, type Scope } from '../../domain/oauth/scope.ts'
import {
  type AccessToken,
  accessTokenAudience,
  accessTokenSeconds,
  findSigningKey,
  type SigningKey,
} from '../../domain/oauth/signing-key.ts'
import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { signToken } from '../../machine/signing.ts'
import { readOrganization } from '../organizations/organizations.ts'
import type { Service } from '../service.ts'
import { readClient } from './clients.ts'

export interface TokenRequest {
  readonly client: Client
  readonly grantType: string | undefined
  /** Space-delimited. */
  readonly scope: string | undefined
}

export const supportedGrantType = 'client_credentials'

/** spec: Token request, after the client has been authenticated. */
export async function grantToken(service: Service, request: TokenRequest): Promise<AccessToken> {
  const { client, grantType, scope } = request
  if (grantType !== supportedGrantType) {
    throw new OAuthError('unsupported_grant_type', `grant_type must be ${supportedGrantType}.`)
  }
  return issueToken(service, { client, scopes: parseRequestedScopes(scope, client.grantedScopes) })
}

/** Issues a token to an operator, without a secret and without a rate limit. */
export async function issueTestToken(service: Service, clientId: string): Promise<AccessToken> {
  const client = await readClient(service, clientId)
  if (client.disabled) throw clientDisabled()
  const { disabled, name } = await readOrganization(service, client.organizationId)
  if (disabled) throw organizationDisabled(name)
  return issueToken(service, { client, scopes: client.grantedScopes })
}

function clientDisabled(): Problem {
  return new Problem(
    'CLIENT_DISABLED',
    'The client is disabled, so its tokens are refused. Enable it first: `coopshare client enable`.',
  )
}

function organizationDisabled(name: string): Problem {
  return new Problem(
    'CLIENT_DISABLED',
    `The organization "${name}" is disabled, so its tokens are refused. Enable it first: \`coopshare organization enable\`.`,
  )
}

export interface TokenGrant {
  readonly client: Client
  readonly scopes: readonly Scope[]
}

/** A token for a client that may have it; the caller has checked that. */
export async function issueToken(service: Service, grant: TokenGrant): Promise<AccessToken> {
  const key = await requireSigner(service)
  const accessToken = await signToken(claimsOf(service, grant), {
    kid: key.kid,
    privateJwk: () => JSON.parse(service.vault.decrypt(key.encryptedPrivateJwk)),
  })
  return { accessToken, expiresInSeconds: accessTokenSeconds, scopes: grant.scopes }
}

/**
 * spec: Token properties. JWT libraries also expect iat, jti and sub (RFC 9068). The private claims are only in tokens that
 * need them: `service_exp` where the bench has moved the clock, `token_generation` after tokens of the client were ended.
 */
function claimsOf({ clock, random, settings }: Service, { client, scopes }: TokenGrant) {
  const issuedAt = inSeconds(clock.tokenTime())
  const issuedAtHere = inSeconds(clock.now())
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
    // A second may pass between two readings of the clock.
    ...(Math.abs(issuedAtHere - issuedAt) > 1 && {
      service_exp: issuedAtHere + accessTokenSeconds,
    }),
    ...(client.tokenGeneration > 0 && { token_generation: client.tokenGeneration }),
    jti: random.traceId(),
  }
}

function inSeconds(at: Timestamp): number {
  return Math.floor(Date.parse(at) / 1000)
}

async function requireSigner({ store, clock }: Service): Promise<SigningKey> {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const signer = findSigningKey(keys, clock.now())
  if (!signer) throw new Error('There is no signing key, because the service has not been set up.')
  return signer
}
