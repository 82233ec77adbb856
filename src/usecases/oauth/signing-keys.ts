import type { JWK } from 'jose'
import {
  findSigningKey,
  isPublished,
  isRevoked,
  keySetMaxAgeSeconds,
  retireKey,
  revokeKey,
  type SigningKey,
  type SigningKeyState,
  signingKeyState,
} from '../../domain/oauth/signing-key.ts'
import { Problem } from '../../domain/problem.ts'
import { addSeconds } from '../../domain/timestamp.ts'
import { generateRsaKey } from '../../machine/random.ts'
import { thumbprintOf } from '../../machine/signing.ts'
import type { Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'

export interface ListedSigningKey extends SigningKey {
  readonly state: SigningKeyState
}

/** Oldest first. Retired keys are listed until the next rotation. */
export async function listSigningKeys({
  store,
  clock,
}: Service): Promise<readonly ListedSigningKey[]> {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const now = clock.now()
  return keys.map((key) => ({ ...key, state: signingKeyState(key, keys, now) }))
}

export async function listPublishedKeys({ store, clock }: Service): Promise<readonly SigningKey[]> {
  const keys = await store.read(({ signingKeys }) => signingKeys.list())
  const now = clock.now()
  return keys.filter((key) => isPublished(key, now))
}

/** Creates the first key of a store. No client can have cached an older key set, so the key signs immediately. */
export async function ensureSigningKey(service: Service): Promise<void> {
  const { store } = service
  const stored = await store.read(({ signingKeys }) => signingKeys.list())
  if (stored.length > 0) return
  const key = createSigningKey(service, await generateKeyPair())
  await store.write(subjects.all('signingKeys'), async ({ signingKeys }) => {
    if ((await signingKeys.list()).length === 0) await signingKeys.put(key)
  })
}

export interface RotateSigningKey {
  /** Lets the key sign immediately, although clients may have cached a key set without it. */
  readonly now?: boolean | undefined
}

/** Spec gap: published first, then signing, then retired; see DECISIONS.md, D27. */
export async function rotateSigningKey(
  service: Service,
  { now = false }: RotateSigningKey = {},
): Promise<ListedSigningKey> {
  const waitSeconds = now ? 0 : keySetMaxAgeSeconds
  const successor = createSigningKey(service, await generateKeyPair(), waitSeconds)
  await service.store.write(subjects.all('signingKeys'), async (records) => {
    const keys = await records.signingKeys.list()
    const signer = findSigningKey(keys, successor.createdAt)
    for (const key of keys.filter(({ kid }) => kid !== signer?.kid)) {
      if (isObsolete(key, successor)) await records.signingKeys.remove(key.kid)
    }
    if (signer) await records.signingKeys.put(retireKey(signer, successor))
    await records.signingKeys.put(successor)
  })
  return { ...successor, state: now ? 'signing' : 'published' }
}

/** Removes retired private keys, and keys that have signed nothing and never will. */
function isObsolete(key: SigningKey, { createdAt }: SigningKey): boolean {
  return key.signsFrom > createdAt || !isPublished(key, createdAt)
}

export interface RevokedSigningKey {
  readonly key: SigningKey
  /** The key that signs from now on. */
  readonly signer: SigningKey
}

/** Revokes a compromised key: it leaves the key set immediately, and its tokens are refused. */
export async function revokeSigningKey(service: Service, kid: string): Promise<RevokedSigningKey> {
  const fresh = createSigningKey(service, await generateKeyPair())
  return service.store.write(subjects.all('signingKeys'), async (records) => {
    const keys = await records.signingKeys.list()
    const found = keys.find((each) => each.kid === kid)
    if (!found) throw keyNotFound(kid)
    const key = revokeKey(found)
    const signer = isRevoked(found) ? signerOr(keys, fresh) : successorOf(found, keys, fresh)
    await putAll(records, key, signer)
    return { key, signer }
  })
}

/** Ensures that one key signs and is not due to retire. */
function successorOf(key: SigningKey, keys: readonly SigningKey[], fresh: SigningKey): SigningKey {
  const now = fresh.createdAt
  const signer = signerOr(keys, fresh)
  // The signer was due to retire when the revoked key would sign; otherwise the signer is not affected.
  if (key.kid !== signer.kid) return key.signsFrom > now ? { ...signer, retiredAt: null } : signer
  const next = keys.find(({ signsFrom, retiredAt }) => signsFrom > now && retiredAt === null)
  return next ? { ...next, signsFrom: now } : fresh
}

function signerOr(keys: readonly SigningKey[], fresh: SigningKey): SigningKey {
  return findSigningKey(keys, fresh.createdAt) ?? fresh
}

async function putAll({ signingKeys }: Records, ...keys: readonly SigningKey[]): Promise<void> {
  for (const key of keys) await signingKeys.put(key)
}

function keyNotFound(kid: string): Problem {
  return new Problem(
    'SIGNING_KEY_NOT_FOUND',
    `There is no signing key "${kid}". \`coopshare key list\` lists all keys.`,
  )
}

export function createSigningKey(
  { vault, clock }: Pick<Service, 'vault' | 'clock'>,
  { kid, publicJwk, privateJwk }: KeyPair,
  waitSeconds = 0,
): SigningKey {
  const createdAt = clock.now()
  return {
    kid,
    publicJwk,
    encryptedPrivateJwk: vault.encrypt(JSON.stringify(privateJwk)),
    createdAt,
    signsFrom: addSeconds(createdAt, waitSeconds),
    retiredAt: null,
  }
}

export interface KeyPair extends Pick<SigningKey, 'kid' | 'publicJwk'> {
  readonly privateJwk: JWK
}

const jwk = { format: 'jwk' } as const

export async function generateKeyPair(): Promise<KeyPair> {
  const privateKey = await generateRsaKey()
  const privateJwk = privateKey.export(jwk) as JWK & { n: string; e: string }
  const publicJwk = { kty: 'RSA', n: privateJwk.n, e: privateJwk.e } as const
  const kid = await thumbprintOf(publicJwk)
  // A command would read this id as a flag.
  if (kid.startsWith('-')) return generateKeyPair()
  return { kid, publicJwk, privateJwk }
}
