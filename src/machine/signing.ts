import { calculateJwkThumbprint, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Signing } from '../ports/machine.ts'

type Key = Awaited<ReturnType<typeof importJWK>>

// A kid is the thumbprint of its key (RFC 7638), so it identifies the same key in every store.
const privateKeys = new LRUCache<string, Key>({ max: 16 })
const publicKeys = new LRUCache<string, Key>({ max: 16 })

async function keyOf(keys: typeof publicKeys, kid: string, jwk: () => JWK): Promise<Key> {
  const known = keys.get(kid)
  if (known) return known
  const imported = await importJWK(jwk(), 'RS256')
  keys.set(kid, imported)
  return imported
}

let signing: Signing = {
  thumbprint: (publicJwk) => calculateJwkThumbprint(publicJwk),
  async sign(claims, { kid, privateJwk }) {
    const header = { alg: 'RS256', typ: 'JWT', kid }
    const key = await keyOf(privateKeys, kid, privateJwk)
    return new SignJWT(claims).setProtectedHeader(header).sign(key)
  },
  verify: (token, find, options) =>
    jwtVerify(
      token,
      (header) => {
        const { kid, publicJwk } = find(header.kid)
        return keyOf(publicKeys, kid, () => publicJwk)
      },
      { ...options, algorithms: ['RS256'] },
    ),
}

/** A simulation calls this before it starts a service. */
export function useSigning(other: Signing): void {
  signing = other
}

export const thumbprintOf: Signing['thumbprint'] = (publicJwk) => signing.thumbprint(publicJwk)
export const signToken: Signing['sign'] = (claims, key) => signing.sign(claims, key)
export const verifyToken: Signing['verify'] = (token, find, options) =>
  signing.verify(token, find, options)
