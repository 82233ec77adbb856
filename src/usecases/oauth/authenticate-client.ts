import type { Client } from '../../domain/oauth/client.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { Service } from '../service.ts'
import { noteSecretUse } from './note-secret-use.ts'
import { isSecret } from './secret-digest.ts'

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** What may be wrong with the way they were sent; added to a refusal. */
  readonly hint?: string
}

export async function authenticateClient(
  service: Service,
  { clientId, clientSecret, hint }: ClientCredentials,
): Promise<Client> {
  const client = await service.store.read(({ clients }) => clients.get(clientId))
  const secret = client?.secrets.find((candidate) => isSecret(candidate, clientSecret))
  if (!client || !secret) {
    const sentence = 'The client_id or the client_secret is wrong.'
    throw refusal(hint === undefined ? sentence : `${sentence} ${hint}`)
  }
  if (client.disabled) throw refusal('This client is disabled.')
  noteSecretUse(service, { clientId, secret })
  return client
}

function refusal(description: string): OAuthError {
  return new OAuthError('invalid_client', description)
}
