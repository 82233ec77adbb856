import { Problem } from '../problem.ts'

/** A partner's own name for a request, so that sending it twice does it once. Keys belong to the organization. */
export interface IdempotencyKey {
  /** The client that sends it. */
  readonly clientId: string
  readonly key: string
}

/** Spec gap: the form of a key; see DECISIONS.md, Idempotency-Key. */
export function requireIdempotencyKey({ key }: IdempotencyKey): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Problem(
    'VALIDATION_ERROR',
    'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
  )
}
