import { createHmac } from 'node:crypto'

/** What a caller picks anew each time, so that no earlier answer serves. */
export const noncePattern = /^[0-9a-f]{32,128}$/

/** Shows that an operator endpoint knows the token, to a caller who knows it too and nobody else. */
export function operatorProof(token: string, { instanceId, nonce }: Identification): string {
  return createHmac('sha256', token).update(`${instanceId} ${nonce}`).digest('hex')
}

interface Identification {
  /** Of one start of the service. */
  readonly instanceId: string
  readonly nonce: string
}
