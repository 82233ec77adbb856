// Verifies access tokens with the published keys, as a gateway of a partner does.
import { createPublicKey, verify } from 'node:crypto'

const decode = (part) => JSON.parse(Buffer.from(part, 'base64url'))

export function createVerifier(url) {
  let keys = []

  /** An unknown key may have been published since the last request. */
  async function findKey(kid) {
    const known = keys.find((key) => key.kid === kid)
    if (known) return known
    keys = (await (await fetch(`${url}/.well-known/jwks.json`)).json()).keys
    return keys.find((key) => key.kid === kid)
  }

  return async (token) => {
    const [header, payload, signature] = token.split('.')
    const jwk = await findKey(decode(header).kid)
    if (!jwk || decode(payload).exp < Date.now() / 1000) return undefined
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const signed = Buffer.from(`${header}.${payload}`)
    const isValid = verify('sha256', signed, key, Buffer.from(signature, 'base64url'))
    return isValid ? decode(payload) : undefined
  }
}
