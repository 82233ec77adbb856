import { accessTokenSeconds } from '../../domain/oauth/access-token.ts'
import {
  findSigner,
  isPublished,
  keySetMaxAgeSeconds,
  type SigningKey,
} from '../../domain/oauth/signing-key.ts'
import { addSeconds } from '../../domain/timestamp.ts'
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
  await service.store.write('signing-keys', async (records) => {
    const keys = await records.signingKeys.list()
    const signer = findSigner(keys, successor.createdAt)
    for (const key of keys.filter(({ kid }) => kid !== signer?.kid)) {
      if (isOver(key, successor)) await records.signingKeys.remove(key.kid)
    }
    if (signer) await records.signingKeys.put(retire(signer, successor))
    await records.signingKeys.put(successor)
  })
  return { ...successor, state: now ? 'signing' : 'published' }
}

/** The private half of a retired key is kept no longer, nor a key that has signed nothing and now never will. */
function isOver(key: SigningKey, { createdAt }: SigningKey): boolean {
  return key.signsFrom > createdAt || !isPublished(key, createdAt)
}

/** It signs until its successor does, whatever an earlier rotation had in mind. */
function retire(signer: SigningKey, { signsFrom }: SigningKey): SigningKey {
  return { ...signer, retiredAt: addSeconds(signsFrom, accessTokenSeconds) }
}
