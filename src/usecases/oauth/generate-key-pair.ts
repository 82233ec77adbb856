import { generateKeyPair as generate } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { SigningKey } from '../../domain/oauth/signing-key.ts'

export interface KeyPair extends Pick<SigningKey, 'kid' | 'publicJwk'> {
  readonly privateJwk: JWK
}

const modulusLength = 2048
const jwk = { format: 'jwk' } as const

/** Off the event loop: finding the primes takes tens of milliseconds. */
export async function generateKeyPair(): Promise<KeyPair> {
  const { privateKey } = await promisify(generate)('rsa', { modulusLength })
  const privateJwk = privateKey.export(jwk) as JWK & { n: string; e: string }
  const publicJwk = { kty: 'RSA', n: privateJwk.n, e: privateJwk.e } as const
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk }
}
