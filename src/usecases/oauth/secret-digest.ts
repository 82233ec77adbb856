import { hash, timingSafeEqual } from 'node:crypto'
import type { ClientSecret } from '../../domain/oauth/client.ts'

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Takes as long for a wrong secret as for the right one. */
export function isSecret({ digest }: ClientSecret, candidate: string): boolean {
  return timingSafeEqual(Buffer.from(digest, 'hex'), Buffer.from(digestOf(candidate), 'hex'))
}
