import type { Client, ClientSecret } from '../../domain/oauth/client.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { matchesSecret } from './clients.ts'

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** A possible cause, added to the refusal. */
  readonly hint?: string
}

export async function authenticateClient(
  service: Service,
  { clientId, clientSecret, hint }: ClientCredentials,
): Promise<Client> {
  const [client, organization] = await service.store.read(async ({ clients, organizations }) => {
    const found = await clients.get(clientId)
    return [found, found && (await organizations.get(found.organizationId))] as const
  })
  const secret = client?.secrets.find((candidate) => matchesSecret(candidate, clientSecret))
  if (!client || !secret) {
    const sentence = 'The client_id or the client_secret is wrong.'
    throw invalidClient(hint === undefined ? sentence : `${sentence} ${hint}`)
  }
  if (client.disabled) throw invalidClient('This client is disabled.')
  if (!organization || organization.disabled)
    throw invalidClient('The organization of this client is disabled.')
  recordSecretUse(service, { clientId, secret })
  return client
}

function invalidClient(description: string): OAuthError {
  return new OAuthError('invalid_client', description)
}

export interface SecretUse {
  readonly clientId: string
  readonly secret: ClientSecret
}

const recordIntervalSeconds = 60

/**
 * Runs in the background and ignores errors: issuing a token matters more than recording when the secret was used.
 */
function recordSecretUse(service: Service, { clientId, secret }: SecretUse): void {
  const at = service.clock.now()
  if (!isDue(secret, at)) return
  putSecretUse(service, { clientId, secretId: secret.secretId, at }).catch(() => undefined)
}

function isDue({ lastUsedAt }: ClientSecret, at: Timestamp): boolean {
  return lastUsedAt === null || addSeconds(lastUsedAt, recordIntervalSeconds) <= at
}

async function putSecretUse(
  { store }: Service,
  { clientId, secretId, at }: { clientId: string; secretId: string; at: Timestamp },
): Promise<void> {
  await store.write(subjects.all('clients'), async ({ clients }) => {
    const client = await clients.get(clientId)
    const isNoted = (secret: ClientSecret) => secret.secretId === secretId && isDue(secret, at)
    if (!client?.secrets.some(isNoted)) return
    const secrets = client.secrets.map((secret) =>
      isNoted(secret) ? { ...secret, lastUsedAt: at } : secret,
    )
    await clients.put({ ...client, secrets })
  })
}
