import { findSigner, isRevoked, revoked, type SigningKey } from '../../domain/oauth/signing-key.ts'
import { Problem } from '../../domain/problem.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { createSigningKey } from './create-signing-key.ts'
import { generateKeyPair } from './generate-key-pair.ts'

export interface RevokedSigningKey {
  readonly key: SigningKey
  /** The one that signs from now on. */
  readonly signer: SigningKey
}

/** Withdraws a key that others may have: at once it is in no key set, and its tokens are refused. */
export async function revokeSigningKey(service: Service, kid: string): Promise<RevokedSigningKey> {
  const fresh = createSigningKey(service, await generateKeyPair())
  return service.store.write('signing-keys', async (records) => {
    const keys = await records.signingKeys.list()
    const found = keys.find((each) => each.kid === kid)
    if (!found) throw notFound(kid)
    const key = revoked(found)
    const signer = isRevoked(found) ? requireSigner(keys, fresh) : successorOf(found, keys, fresh)
    await putAll(records, key, signer)
    return { key, signer }
  })
}

/** There is always one that signs and has not to retire. */
function successorOf(key: SigningKey, keys: readonly SigningKey[], fresh: SigningKey): SigningKey {
  const now = fresh.createdAt
  const signer = requireSigner(keys, fresh)
  // It was to retire when this one signs; otherwise it is none of its business.
  if (key.kid !== signer.kid) return key.signsFrom > now ? { ...signer, retiredAt: null } : signer
  const heir = keys.find(({ signsFrom, retiredAt }) => signsFrom > now && retiredAt === null)
  return heir ? { ...heir, signsFrom: now } : fresh
}

function requireSigner(keys: readonly SigningKey[], fresh: SigningKey): SigningKey {
  return findSigner(keys, fresh.createdAt) ?? fresh
}

async function putAll({ signingKeys }: Records, ...keys: readonly SigningKey[]): Promise<void> {
  for (const key of keys) await signingKeys.put(key)
}

function notFound(kid: string): Problem {
  return new Problem(
    'SIGNING_KEY_NOT_FOUND',
    `There is no signing key "${kid}". \`coopshare key list\` lists them.`,
  )
}
