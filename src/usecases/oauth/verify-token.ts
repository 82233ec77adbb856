import { errors, jwtVerify } from 'jose'
import { accessTokenAudience } from '../../domain/oauth/access-token.ts'
import { isPublished, type SigningKey } from '../../domain/oauth/signing-key.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'
import { publicKeyOf } from './imported-keys.ts'

/** What a token says for good: who holds it may change, this does not. */
export interface VerifiedToken {
  readonly kid: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly expiresAtMs: number
}

interface Claims {
  readonly client_id: string
  readonly scope: string
  readonly exp: number
}

export async function verifyToken(service: Service, token: string): Promise<VerifiedToken> {
  try {
    const { payload, protectedHeader } = await verify(service, token)
    const { client_id, scope, exp } = payload
    return {
      kid: String(protectedHeader.kid),
      clientId: client_id,
      scopes: scope.split(' '),
      expiresAtMs: exp * 1000,
    }
  } catch (error) {
    throw refusalFor(error)
  }
}

async function verify({ store, clock, settings }: Service, token: string) {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const now = clock.now()
  const published = keys.filter((key) => isPublished(key, now))
  return jwtVerify<Claims>(token, ({ kid }) => publicKeyOf(requireKey(published, kid)), {
    algorithms: ['RS256'],
    issuer: settings.baseUrl,
    audience: accessTokenAudience,
    requiredClaims: ['exp', 'client_id', 'scope'],
    currentDate: new Date(now),
  })
}

function requireKey(keys: readonly SigningKey[], kid: string | undefined): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid)
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}

function refusalFor(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return expiredToken()
  if (!(error instanceof errors.JOSEError)) return error
  return new Problem('UNAUTHENTICATED', 'The access token is not valid. Request a new one.')
}

export function expiredToken(): Problem {
  return new Problem('UNAUTHENTICATED', 'The access token has expired. Request a new one.')
}
