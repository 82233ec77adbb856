import {
  type SigningKey,
  type SigningKeyState,
  signingKeyState,
} from '../../domain/oauth/signing-key.ts'
import type { Service } from '../service.ts'

export interface ListedSigningKey extends SigningKey {
  readonly state: SigningKeyState
}

/** Oldest first. A retired one is listed until the next rotation. */
export async function listSigningKeys({
  store,
  clock,
}: Service): Promise<readonly ListedSigningKey[]> {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const now = clock.now()
  return keys.map((key) => ({ ...key, state: signingKeyState(key, keys, now) }))
}
