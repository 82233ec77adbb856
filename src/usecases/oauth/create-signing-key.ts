import type { SigningKey } from '../../domain/oauth/signing-key.ts'
import { addSeconds } from '../../domain/timestamp.ts'
import type { Service } from '../service.ts'
import type { KeyPair } from './generate-key-pair.ts'

export function createSigningKey(
  { vault, clock }: Pick<Service, 'vault' | 'clock'>,
  { kid, publicJwk, privateJwk }: KeyPair,
  waitSeconds = 0,
): SigningKey {
  const createdAt = clock.now()
  return {
    kid,
    publicJwk,
    sealedPrivateJwk: vault.seal(JSON.stringify(privateJwk)),
    createdAt,
    signsFrom: addSeconds(createdAt, waitSeconds),
    retiredAt: null,
  }
}
