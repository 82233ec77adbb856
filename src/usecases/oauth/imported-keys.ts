import { type CryptoKey, importJWK, type JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import type { SigningKey } from '../../domain/oauth/signing-key.ts'
import type { Vault } from '../../ports/vault.ts'

type Keys = LRUCache<string, CryptoKey>

// A kid is the thumbprint of its key, so it stands for the same key in every store.
const privateKeys: Keys = new LRUCache({ max: 16 })
const publicKeys: Keys = new LRUCache({ max: 16 })

export async function privateKeyOf(key: SigningKey, vault: Vault): Promise<CryptoKey> {
  const known = privateKeys.get(key.kid)
  return known ?? keep(privateKeys, key.kid, JSON.parse(vault.open(key.sealedPrivateJwk)))
}

export async function publicKeyOf(key: SigningKey): Promise<CryptoKey> {
  return publicKeys.get(key.kid) ?? keep(publicKeys, key.kid, key.publicJwk)
}

async function keep(keys: Keys, kid: string, jwk: JWK): Promise<CryptoKey> {
  const imported = (await importJWK(jwk, 'RS256')) as CryptoKey
  keys.set(kid, imported)
  return imported
}
