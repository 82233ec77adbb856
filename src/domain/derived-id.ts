import { parse, v5 } from 'uuid'

// Fixed for ever: another namespace would give every derived record another id.
const namespace = parse('3f0e6a52-9f0b-4d5c-8b1e-6a5c2f7d9e41')

/** UUIDv5 of names, so that two machines that read the same names agree on the ids. */
export function derivedId(kind: string, ...names: readonly string[]): string {
  // As JSON, because joined by any character ['a', 'b c'] and ['a b', 'c'] could look alike.
  return v5(Buffer.from(JSON.stringify([kind, ...names])), namespace)
}
