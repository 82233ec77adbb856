import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import type { Signing } from '../src/ports/machine.ts'

/**
 * Signs and verifies in the thread of the simulation. Web Crypto uses other threads, and no seed
 * decides when they finish.
 */
export const signing: Signing = {
  async thumbprint({ e, kty, n }) {
    return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
  },
  async sign(claims, { kid, privateJwk }) {
    const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`
    const key = createPrivateKey({ key: { ...privateJwk() }, format: 'jwk' })
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  },
  async verify(token, find, { issuer, audience, requiredClaims = [] }) {
    const { alg = '', kid, ...header } = readHeader(token)
    const { publicJwk } = find(kid)
    const at = token.lastIndexOf('.')
    const [signed, signature] = [token.slice(0, at), token.slice(at + 1)]
    const key = createPublicKey({ key: publicJwk, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    const isSigned =
      alg === 'RS256' &&
      // Node skips characters that are not base64url.
      bytes.toString('base64url') === signature &&
      verify('sha256', Buffer.from(signed), key, bytes)
    if (!isSigned) throw new errors.JWSSignatureVerificationFailed()
    const payload = decodeJwt(token)
    const isOurs = payload.iss === issuer && payload.aud === audience
    if (!isOurs || requiredClaims.some((name) => !(name in payload))) {
      throw new errors.JWTClaimValidationFailed('a claim is not the expected one', payload)
    }
    return { payload, protectedHeader: { ...header, alg, ...(kid !== undefined && { kid }) } }
  },
}

/** A token that cannot be read is refused with an error of jose, as the real verification does. */
function readHeader(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch {
    throw new errors.JWSInvalid()
  }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
