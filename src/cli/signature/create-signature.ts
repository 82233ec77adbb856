import { timestampOf } from '../../domain/timestamp.ts'
import { signBody } from '../../usecases/webhooks/sign-body.ts'

export interface SignatureToCreate {
  readonly secret: string
  readonly body: Buffer
  /** Seconds since 1970. */
  readonly t: number
}

/** By the function that signs what the service sends. */
export function createSignature({ secret, body, t }: SignatureToCreate): string {
  return signBody({ secret, body, at: timestampOf(new Date(t * 1000)) })
}
