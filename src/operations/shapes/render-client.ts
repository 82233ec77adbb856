import type { Client, ClientSecret } from '../../domain/oauth/client.ts'
import type { MintedClient } from '../../usecases/oauth/create-client.ts'

export function renderClient(client: Client) {
  return {
    client_id: client.clientId,
    organization_id: client.organizationId,
    name: client.name,
    kind: client.kind,
    disabled: client.disabled,
    granted_scopes: client.grantedScopes,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
  }
}

export function renderClientRecord(client: Client) {
  return { ...renderClient(client), secrets: client.secrets.map(renderSecret) }
}

/** The only answer that shows a secret. */
export function renderMintedClient({ client, secret, clientSecret }: MintedClient) {
  return {
    ...renderClient(client),
    secret_id: secret.secretId,
    client_secret: clientSecret,
  }
}

function renderSecret({ secretId, createdAt, lastUsedAt }: ClientSecret) {
  return { secret_id: secretId, created_at: createdAt, last_used_at: lastUsedAt }
}
