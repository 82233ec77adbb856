import { accessTokenSeconds } from '../../domain/oauth/access-token.ts'
import {
  isPublished,
  keySetMaxAgeSeconds,
  type SigningKey,
} from '../../domain/oauth/signing-key.ts'
import { addSeconds } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { createSigningKey } from './create-signing-key.ts'
import { generateKeyPair } from './generate-key-pair.ts'
import type { ListedSigningKey } from './list-signing-keys.ts'

export interface RotateSigningKey {
  /** Sign at once, though others may still hold a key set without the new key. */
  readonly now?: boolean | undefined
}

/** Spec gap: published first, then signing, then retired; see DECISIONS.md, rotation of signing keys. */
export async function rotateSigningKey(
  service: Service,
  { now = false }: RotateSigningKey = {},
): Promise<ListedSigningKey> {
  const waitSeconds = now ? 0 : keySetMaxAgeSeconds
  const successor = createSigningKey(service, await generateKeyPair(), waitSeconds)
  await service.store.write(async (records) => {
    for (const key of await records.signingKeys.list()) await step(records, key, successor)
    await records.signingKeys.put(successor)
  })
  return { ...successor, state: now ? 'signing' : 'published' }
}

/** What becomes of an older key: the private half of a retired one is kept no longer. */
async function step(
  { signingKeys }: Pick<Records, 'signingKeys'>,
  key: SigningKey,
  successor: SigningKey,
): Promise<void> {
  if (!isPublished(key, successor.createdAt)) return signingKeys.remove(key.kid)
  if (key.retiredAt !== null) return
  const retiredAt = addSeconds(successor.signsFrom, accessTokenSeconds)
  await signingKeys.put({ ...key, retiredAt })
}
