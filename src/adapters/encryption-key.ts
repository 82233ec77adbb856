import { Problem } from '../domain/problem.ts'

const keyBytes = 32

/** Hexadecimal or base64 (either alphabet), as an operator keeps it in a file or a variable. */
export function parseEncryptionKey(text: string): Buffer {
  const trimmed = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[\w+/-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : undefined
  if (key?.length === keyBytes) return key
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'The encryption key is not 32 bytes as 64 hexadecimal digits or as base64. `openssl rand -hex 32` makes one.',
  )
}
