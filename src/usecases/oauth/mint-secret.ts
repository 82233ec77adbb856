import type { ClientSecret } from '../../domain/oauth/client.ts'
import type { Service } from '../service.ts'
import { digestOf } from './secret-digest.ts'

export interface MintedSecret {
  readonly secret: ClientSecret
  /** Kept nowhere: shown once. */
  readonly clientSecret: string
}

export function mintSecret(
  { random, clock }: Pick<Service, 'random' | 'clock'>,
  clientSecret: string = random.secret(),
): MintedSecret {
  const secret = {
    secretId: random.id(),
    digest: digestOf(clientSecret),
    createdAt: clock.now(),
    lastUsedAt: null,
  }
  return { secret, clientSecret }
}
