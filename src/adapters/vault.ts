import { type CipherGCM, createCipheriv, createDecipheriv } from 'node:crypto'
import type { Sealed } from '../domain/sealed.ts'
import type { Vault } from '../ports/vault.ts'
import { drawBytes } from './system.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** The version of the format, so that a later one can be distinguished. */
const form = 'v1.'
const associated = Buffer.from(form)
const formNumber = 1
const anyForm = /^v(\d{1,4})\./

/** Whether a newer program has encrypted the value in an unknown format. */
export function isSealedByNewer(sealed: string): boolean {
  return Number(anyForm.exec(sealed)?.[1] ?? 0) > formNumber
}

/** `key` is 32 bytes. */
export function createVault(key: Buffer): Vault {
  return {
    seal: (plain) => seal(key, plain),
    open: (sealed) => open(key, sealed),
  }
}

function seal(key: Buffer, plain: string): Sealed {
  const nonce = drawBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(associated)
  const text = cipher.update(plain, 'utf8')
  const parts = Buffer.concat([nonce, tagOf(cipher), text])
  return `${form}${parts.toString('base64url')}` as Sealed
}

function open(key: Buffer, sealed: Sealed): string {
  if (isSealedByNewer(sealed)) throw new Error(sealedByNewer)
  if (!sealed.startsWith(form)) throw notOurs()
  const parts = Buffer.from(sealed.slice(form.length), 'base64url')
  try {
    return decrypt(key, parts)
  } catch (cause) {
    throw notOurs(cause)
  }
}

function decrypt(key: Buffer, parts: Buffer): string {
  const nonce = parts.subarray(0, nonceBytes)
  const tag = parts.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(associated).setAuthTag(tag)
  const text = decipher.update(parts.subarray(nonceBytes + tagBytes))
  // Throws if the text was changed. In this mode it returns no more bytes.
  decipher.final()
  return text.toString('utf8')
}

const sealedByNewer = 'Something stored was sealed by a newer coopshare. Use that one.'

function notOurs(cause?: unknown): Error {
  const message =
    "Something stored is not what was sealed with the store's key. `coopshare store check` names it."
  return new Error(message, { cause })
}

function tagOf(cipher: CipherGCM): Buffer {
  cipher.final()
  return cipher.getAuthTag()
}
