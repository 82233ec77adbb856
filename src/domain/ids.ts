import { parse, v5, validate } from 'uuid'

/** Ids are stored and compared in lower case, so this returns false for upper case. */
export function isUuid(text: string): boolean {
  return validate(text) && text === text.toLowerCase()
}

// The namespace must never change: another one would change every derived id.
const namespace = parse('3f0e6a52-9f0b-4d5c-8b1e-6a5c2f7d9e41')

/**
 * UUIDv5 (RFC 9562) of the kind and the names. The same names have the same id on every machine.
 */
export function deriveId(kind: string, ...names: readonly string[]): string {
  // JSON keeps ['a', 'b c'] and ['a b', 'c'] apart, which no separator does.
  return v5(Buffer.from(JSON.stringify([kind, ...names])), namespace)
}

/**
 * Tables show the last characters of an id that begins with a time, because ids of the same minute
 * begin alike. Of any other id, tables show the first characters.
 */
export const shortIdLength = 8

/** Reads `…8f3a91c2`, `8f3a91c2…` or `8f3a91c2`: the end or the beginning of an id. */
export function readShortId(text: string): string | undefined {
  return /^(?:…|\.\.\.)?([0-9a-f]{8})(?:…|\.\.\.)?$/.exec(text.trim().toLowerCase())?.[1]
}
