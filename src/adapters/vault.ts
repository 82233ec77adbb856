import { type CipherGCM, createCipheriv, createDecipheriv } from 'node:crypto'
import type { Encrypted } from '../domain/text.ts'
import { takeRandomBytes } from '../machine/random.ts'
import type { Cipher, PersonalCipher, Vault } from '../ports/vault.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** The versions of the format: encrypted with the key of the store, and with a person's own key. */
const forms = { store: 'v1.', person: 'v2.' } as const
type CipherForm = (typeof forms)[keyof typeof forms]
const formNumber = 2
const anyForm = /^v(\d{1,4})\./

/** Whether a newer program has encrypted the value in an unknown format. */
export function isEncryptedByNewer(encrypted: string): boolean {
  return Number(anyForm.exec(encrypted)?.[1] ?? 0) > formNumber
}

const associated: Readonly<Record<CipherForm, Buffer>> = {
  [forms.store]: Buffer.from(forms.store),
  [forms.person]: Buffer.from(forms.person),
}

/** Whether a person's own key has encrypted the value. */
export function isOfPerson(encrypted: Encrypted): boolean {
  return encrypted.startsWith(forms.person)
}

const keyBytes = 32
const keySeparator = ' '

function createKeyText(): string {
  return Buffer.from(takeRandomBytes(keyBytes)).toString('base64')
}

/** The cache holds the keys of all investors who place orders at the same time. */
const maximumUnwrapped = 10_000

/** The vault of a store, whose key can change while the store is in use. */
export interface StoreVault extends Vault {
  /** Encrypts with the first key, and decrypts what any of the keys has encrypted. Each key is 32 bytes. */
  keys: readonly Buffer[]
  /**
   * The same text, encrypted with the first key. Values that are encrypted with keys of persons, and values that no
   * key decrypts, stay unchanged.
   */
  renew(encrypted: Encrypted): Encrypted
}

/** `key` is 32 bytes. */
export function createVault(key: Buffer): StoreVault {
  const ofStore: Cipher = {
    encrypt: (plain) => encrypt({ key: firstOf(vault.keys), form: forms.store }, plain),
    decrypt: (encrypted) => decryptWithAny({ keys: vault.keys, form: forms.store }, encrypted),
  }
  const unwrapped = new Map<Encrypted, PersonalCipher>()
  const unwrap = (wrapped: Encrypted) => ofStore.decrypt(wrapped).split(keySeparator)
  const cipherOf = (keys: readonly string[]) =>
    cipherOfPerson(keys.map((text) => Buffer.from(text, 'base64')))
  const keepCipher = (wrapped: Encrypted, own: PersonalCipher) => {
    const [oldest] = unwrapped.keys()
    if (unwrapped.size >= maximumUnwrapped && oldest) unwrapped.delete(oldest)
    unwrapped.set(wrapped, own)
    return own
  }
  const vault: StoreVault = {
    ...ofStore,
    keys: [key],
    decryptPresent: (encrypted) =>
      decrypt({ key: firstOf(vault.keys), form: forms.store }, encrypted),
    renew(encrypted) {
      if (isOfPerson(encrypted)) return encrypted
      if (isEncryptedByNewer(encrypted)) throw new Error(encryptedByNewer)
      const form = forms.store
      if (tryToDecrypt({ key: firstOf(vault.keys), form }, encrypted) !== undefined)
        return encrypted
      const plains = vault.keys.slice(1).map((key) => tryToDecrypt({ key, form }, encrypted))
      const plain = plains.find((one) => one !== undefined)
      return plain === undefined ? encrypted : ofStore.encrypt(plain)
    },
    createKey() {
      const text = createKeyText()
      const wrapped = ofStore.encrypt(text)
      // A new person's data is encrypted at once, so the key need not be decrypted for that.
      keepCipher(wrapped, cipherOf([text]))
      return wrapped
    },
    replacePersonalKey: (former) =>
      ofStore.encrypt([createKeyText(), ...unwrap(former).slice(0, 1)].join(keySeparator)),
    dropFormerKey: (wrapped) => ofStore.encrypt(unwrap(wrapped)[0] ?? ''),
    of(wrapped) {
      if (wrapped === undefined) return vault.once(undefined)
      return unwrapped.get(wrapped) ?? keepCipher(wrapped, vault.once(wrapped))
    },
    once(wrapped) {
      if (wrapped === undefined) return { ...ofStore, hasFormerKey: false, renew: vault.renew }
      return unwrapped.get(wrapped) ?? cipherOf(unwrap(wrapped))
    },
    forget: () => unwrapped.clear(),
  }
  return vault
}

export function firstOf(keys: readonly Buffer[]): Buffer {
  const [first] = keys
  if (first === undefined) throw new Error('A vault has no key.')
  return first
}

function decryptWithAny(
  { keys, form }: { readonly keys: readonly Buffer[]; readonly form: CipherForm },
  encrypted: Encrypted,
): string {
  for (const key of keys.slice(0, -1)) {
    const plain = tryToDecrypt({ key, form }, encrypted)
    if (plain !== undefined) return plain
  }
  return decrypt({ key: keys.at(-1) ?? firstOf(keys), form }, encrypted)
}

function tryToDecrypt(keyed: KeyOfForm, encrypted: Encrypted): string | undefined {
  try {
    return decrypt(keyed, encrypted)
  } catch {
    return undefined
  }
}

/** Encrypts with the first key of a person. */
function cipherOfPerson(keys: readonly Buffer[]): PersonalCipher {
  const form = forms.person
  const key = firstOf(keys)
  const decryptAny = (encrypted: Encrypted) => decryptWithAny({ keys, form }, encrypted)
  const encryptOwn = (plain: string) => encrypt({ key, form }, plain)
  return {
    hasFormerKey: keys.length > 1,
    encrypt: encryptOwn,
    decrypt: decryptAny,
    renew: (encrypted) =>
      tryToDecrypt({ key, form }, encrypted) === undefined
        ? encryptOwn(decryptAny(encrypted))
        : encrypted,
  }
}

interface KeyOfForm {
  readonly key: Buffer
  readonly form: CipherForm
}

function encrypt({ key, form }: KeyOfForm, plain: string): Encrypted {
  const nonce = takeRandomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(associated[form])
  const text = cipher.update(plain, 'utf8')
  const parts = Buffer.concat([nonce, tagOf(cipher), text])
  return `${form}${parts.toString('base64url')}` as Encrypted
}

function decrypt({ key, form }: KeyOfForm, encrypted: Encrypted): string {
  if (isEncryptedByNewer(encrypted)) throw new Error(encryptedByNewer)
  if (!encrypted.startsWith(form)) throw notOurs()
  const parts = Buffer.from(encrypted.slice(form.length), 'base64url')
  try {
    const nonce = parts.subarray(0, nonceBytes)
    const tag = parts.subarray(nonceBytes, nonceBytes + tagBytes)
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(associated[form]).setAuthTag(tag)
    const text = decipher.update(parts.subarray(nonceBytes + tagBytes))
    // Throws if the text was changed. In this mode, `final` returns no more bytes.
    decipher.final()
    return text.toString('utf8')
  } catch (cause) {
    throw notOurs(cause)
  }
}

const encryptedByNewer = 'A stored value was encrypted by a newer coopshare. Use that version.'

function notOurs(cause?: unknown): Error {
  const message =
    "A stored value cannot be decrypted with the store's key. `coopshare store check` names it."
  return new Error(message, { cause })
}

function tagOf(cipher: CipherGCM): Buffer {
  cipher.final()
  return cipher.getAuthTag()
}
