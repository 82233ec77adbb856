import { boolean, enums, object, optional } from 'superstruct'
import type { Client, ClientSecret } from '../domain/oauth/client.ts'
import { scopes } from '../domain/oauth/scope.ts'
import type { SigningKey } from '../domain/oauth/signing-key.ts'
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
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import { renderAccessToken } from '../wire/oauth.ts'
import {
  bool,
  count,
  fieldsOf,
  id,
  instant,
  instantOrNull,
  listOf,
  many,
  oneOf,
  text,
  textOrNull,
  valuesOf,
  view,
} from '../wire/view.ts'
import { operation } from './operation.ts'

const client = view<Client>()('Client', {
  client_id: id('Client id.', (it) => it.clientId),
  organization_id: id(
    'Id of the organization to which the client belongs.',
    (it) => it.organizationId,
  ),
  name: textOrNull('Name that distinguishes the client from others.', (it) => it.name),
  kind: oneOf(
    ['partner', 'internal'],
    'Internal clients cannot use the partner API.',
    (it) => it.kind,
  ),
  disabled: bool('Whether the client is disabled.', (it) => it.disabled),
  granted_scopes: valuesOf(
    schemas.oneOf(scopes, ''),
    'Scopes that the client has.',
    (it) => it.grantedScopes,
  ),
  created_at: instant('Time of creation.', (it) => it.createdAt),
  updated_at: instant('Time of the last change.', (it) => it.updatedAt),
})

const listedClient = view<WithOwner<Client>>()('Listed client', {
  ...fieldsOf(client, (it: WithOwner<Client>) => it.owned),
  organization: textOrNull('Organization name.', (it) => it.ownerName),
})

const clientSecret = view<ClientSecret>()('Client secret', {
  secret_id: id('Id of the secret.', (it) => it.secretId),
  created_at: instant('Time of creation.', (it) => it.createdAt),
  last_used_at: instantOrNull(
    'Time when the secret was last used to request a token.',
    (it) => it.lastUsedAt,
  ),
})

const clientWithSecrets = view<Client>()('Client with secrets', {
  ...client.fields,
  secrets: listOf(clientSecret, 'Active secrets, without their values.', (it) => it.secrets),
})

/** The only answer that contains a client secret. */
export const mintedClient = view<MintedClient>()('New client secret', {
  ...fieldsOf(client, (it: MintedClient) => it.client),
  secret_id: id('Id of the secret.', (it) => it.secret.secretId),
  client_secret: text('The secret, which is shown only once.', (it) => it.clientSecret),
})
const shownOnce = 'The secret is shown only in this answer.'

const accessToken = view<ReturnType<typeof renderAccessToken>>()('Access token', {
  access_token: text('The token.', (it) => it.access_token),
  token_type: text('Always `Bearer`.', (it) => it.token_type),
  expires_in: count('Seconds until the token expires.', (it) => it.expires_in),
  scope: text('Scopes, separated by spaces.', (it) => it.scope),
})

const signingKey = view<ListedSigningKey>()('Signing key', {
  kid: text('Id of the key.', (it) => it.kid),
  state: oneOf(
    ['published', 'signing', 'retiring', 'retired', 'revoked'],
    'Key state. Exactly one key has the state `signing`.',
    (it) => it.state,
  ),
  created_at: instant('Time of creation.', (it) => it.createdAt),
  signs_from: instant('Time when the key begins to sign access tokens.', (it) => it.signsFrom),
  retired_at: instantOrNull(
    'Time when the service stops publishing the key.',
    (it) => it.retiredAt,
  ),
})

interface RevokedKey {
  readonly key: SigningKey
  readonly signer: SigningKey
}
const revokedKey = view<RevokedKey>()('Revoked key', {
  ...fieldsOf(signingKey, ({ key }: RevokedKey) => ({ ...key, state: 'revoked' })),
  signing_kid: text('Id of the new signing key.', (it) => it.signer.kid),
})

const one = object({ client_id: given.text() })
const needsClient = { role: 'administrator', problems: ['CLIENT_NOT_FOUND'] } as const

/** `organization` is an id or an exact name. */
export const oauthOperations = {
  'client.create': operation({
    role: 'administrator',
    summary: 'Create an OAuth client for an organization.',
    note: shownOnce,
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({
      organization: given.text(),
      name: given.optionalOrNull(given.distinctName()),
      kind: optional(enums(['partner', 'internal'])),
      scopes: optional(given.scopesShape),
    }),
    answer: mintedClient,
    run: (service, { scopes: grantedScopes, ...input }) =>
      createClient(service, { ...input, grantedScopes }),
  }),
  'client.list': operation({
    role: 'viewer',
    summary: 'List OAuth clients.',
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({ organization: optional(given.text()) }),
    answer: many(listedClient),
    run: (service, { organization }) => listClients(service, organization),
  }),
  'client.show': operation({
    ...needsClient,
    role: 'viewer',
    summary: 'Show a client with the age and last use of its secrets.',
    input: one,
    answer: clientWithSecrets,
    run: (service, { client_id }) => readClient(service, client_id),
  }),
  'client.set_scopes': operation({
    ...needsClient,
    summary: 'Replace the scopes that a client has. The client keeps its id and secrets.',
    input: object({ client_id: given.text(), scopes: given.scopesShape }),
    answer: client,
    run: (service, { client_id, scopes: grantedScopes }) =>
      setGrantedScopes(service, { clientId: client_id, grantedScopes }),
  }),
  'client.rotate_secret': operation({
    ...needsClient,
    summary: 'Add a second secret to a client.',
    note: shownOnce,
    problems: ['CLIENT_NOT_FOUND', 'SECRET_LIMIT_REACHED'],
    input: one,
    answer: mintedClient,
    run: (service, { client_id }) => rotateClientSecret(service, client_id),
  }),
  'client.revoke_secret': operation({
    ...needsClient,
    summary: 'Revoke one of the two active secrets of a client.',
    problems: ['CLIENT_NOT_FOUND', 'CLIENT_SECRET_NOT_FOUND', 'LAST_SECRET'],
    input: object({ client_id: given.text(), secret_id: given.text() }),
    answer: clientWithSecrets,
    run: (service, { client_id, secret_id }) =>
      revokeClientSecret(service, { clientId: client_id, secretId: secret_id }),
  }),
  'client.disable': operation({
    ...needsClient,
    summary: 'Disable a client: its tokens are refused and it gets no new ones.',
    input: one,
    answer: client,
    run: (service, { client_id }) => disableClient(service, client_id),
  }),
  'client.enable': operation({
    ...needsClient,
    summary: 'Enable a disabled client.',
    input: one,
    answer: client,
    run: (service, { client_id }) => enableClient(service, client_id),
  }),
  'token.issue': operation({
    ...needsClient,
    summary: 'Issue a client access token for tests.',
    problems: ['CLIENT_NOT_FOUND', 'CLIENT_DISABLED'],
    input: one,
    answer: accessToken,
    run: async (service, { client_id }) =>
      renderAccessToken(await issueTestToken(service, client_id)),
  }),
  'key.list': operation({
    role: 'viewer',
    summary: 'List the keys that sign access tokens, oldest first.',
    input: object({}),
    answer: many(signingKey),
    run: listSigningKeys,
  }),
  'key.rotate': operation({
    role: 'administrator',
    summary:
      'Create a signing key. The service uses the key once partners have had time to fetch it.',
    input: object({ now: optional(boolean()) }),
    answer: signingKey,
    run: (service, { now }) => rotateSigningKey(service, { now }),
  }),
  'key.revoke': operation({
    role: 'administrator',
    summary: 'Revoke a signing key: its access tokens are refused immediately.',
    problems: ['SIGNING_KEY_NOT_FOUND'],
    input: object({ kid: given.text() }),
    answer: revokedKey,
    run: (service, { kid }) => revokeSigningKey(service, kid),
  }),
}
