import { boolean, enums, object, optional } from 'superstruct'
import type { Client, ClientSecret } from '../domain/oauth/client.ts'
import {
  createClient,
  disableClient,
  enableClient,
  listClients,
  type MintedClient,
  readClient,
  revokeClientSecret,
  rotateClientSecret,
  setGrantedScopes,
} from '../usecases/oauth/clients.ts'
import { issueTestToken } from '../usecases/oauth/issue-token.ts'
import {
  type ListedSigningKey,
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
} from '../usecases/oauth/signing-keys.ts'
import type { WithOwner } from '../usecases/organizations/organizations.ts'
import { optionalText, scopesShape, text } from '../wire/fields.ts'
import { renderAccessToken } from '../wire/oauth.ts'
import { operation } from './operation.ts'

const one = object({ client_id: text() })

/** `organization` is an id or an exact name. */
export const oauthOperations = {
  'client.create': operation({
    input: object({
      organization: text(),
      name: optionalText(),
      kind: optional(enums(['partner', 'internal'])),
      scopes: optional(scopesShape),
    }),
    run: async (service, { scopes, ...client }) =>
      renderMintedClient(await createClient(service, { ...client, grantedScopes: scopes })),
  }),
  'client.list': operation({
    input: object({ organization: optional(text()) }),
    run: async (service, { organization }) =>
      (await listClients(service, organization)).map(renderListedClient),
  }),
  'client.show': operation({
    input: one,
    run: async (service, { client_id }) => renderClientRecord(await readClient(service, client_id)),
  }),
  'client.set_scopes': operation({
    input: object({ client_id: text(), scopes: scopesShape }),
    run: async (service, { client_id, scopes }) =>
      renderClient(await setGrantedScopes(service, { clientId: client_id, grantedScopes: scopes })),
  }),
  'client.rotate_secret': operation({
    input: one,
    run: async (service, { client_id }) =>
      renderMintedClient(await rotateClientSecret(service, client_id)),
  }),
  'client.revoke_secret': operation({
    input: object({ client_id: text(), secret_id: text() }),
    run: async (service, { client_id, secret_id }) =>
      renderClientRecord(
        await revokeClientSecret(service, { clientId: client_id, secretId: secret_id }),
      ),
  }),
  'client.disable': operation({
    input: one,
    run: async (service, { client_id }) => renderClient(await disableClient(service, client_id)),
  }),
  'client.enable': operation({
    input: one,
    run: async (service, { client_id }) => renderClient(await enableClient(service, client_id)),
  }),
  'token.issue': operation({
    input: one,
    run: async (service, { client_id }) =>
      renderAccessToken(await issueTestToken(service, client_id)),
  }),
  'key.list': operation({
    input: object({}),
    run: async (service) => (await listSigningKeys(service)).map(renderKey),
  }),
  'key.rotate': operation({
    input: object({ now: optional(boolean()) }),
    run: async (service, { now }) => renderKey(await rotateSigningKey(service, { now })),
  }),
  'key.revoke': operation({
    input: object({ kid: text() }),
    run: async (service, { kid }) => {
      const { key, signer } = await revokeSigningKey(service, kid)
      return { ...renderKey({ ...key, state: 'revoked' }), signing_kid: signer.kid }
    },
  }),
}

function renderKey({ kid, state, createdAt, signsFrom, retiredAt }: ListedSigningKey) {
  return { kid, state, created_at: createdAt, signs_from: signsFrom, retired_at: retiredAt }
}

function renderClient(client: Client) {
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

function renderListedClient({ owned, ownerName }: WithOwner<Client>) {
  return { ...renderClient(owned), organization: ownerName }
}

function renderClientRecord(client: Client) {
  return { ...renderClient(client), secrets: client.secrets.map(renderSecret) }
}

/** The only output that contains a client secret. */
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
