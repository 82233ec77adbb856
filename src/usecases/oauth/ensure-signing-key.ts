import type { Service } from '../service.ts'
import { createSigningKey } from './create-signing-key.ts'
import { generateKeyPair } from './generate-key-pair.ts'

/** At the first start of a store there is no key yet, and nobody who could have kept an older key set. */
export async function ensureSigningKey(service: Service): Promise<void> {
  const { store } = service
  const stored = await store.read(({ signingKeys }) => signingKeys.list())
  if (stored.length > 0) return
  const key = createSigningKey(service, await generateKeyPair())
  await store.write('signing-keys', async ({ signingKeys }) => {
    if ((await signingKeys.list()).length === 0) await signingKeys.put(key)
  })
}
