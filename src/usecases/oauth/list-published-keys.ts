import { isPublished, type SigningKey } from '../../domain/oauth/signing-key.ts'
import type { Service } from '../service.ts'

export async function listPublishedKeys({ store, clock }: Service): Promise<readonly SigningKey[]> {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const now = clock.now()
  return keys.filter((key) => isPublished(key, now))
}
