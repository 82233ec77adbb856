import { enums, object, optional } from 'superstruct'
import { createClient } from '../usecases/oauth/create-client.ts'
import { disableClient } from '../usecases/oauth/disable-client.ts'
import { enableClient } from '../usecases/oauth/enable-client.ts'
import { listClients } from '../usecases/oauth/list-clients.ts'
import { readClient } from '../usecases/oauth/read-client.ts'
import { revokeClientSecret } from '../usecases/oauth/revoke-client-secret.ts'
import { rotateClientSecret } from '../usecases/oauth/rotate-client-secret.ts'
import { setGrantedScopes } from '../usecases/oauth/set-granted-scopes.ts'
import { operation } from './operation.ts'
import { renderClient, renderClientRecord, renderMintedClient } from './shapes/render-client.ts'
import { someScopes } from './shapes/scopes.ts'
import { optionalText, text } from './shapes/text.ts'

const one = object({ client_id: text() })

/** `organization` is an id or an exact name. */
export const clientOperations = {
  'client.create': operation({
    input: object({
      organization: text(),
      name: optionalText(),
      kind: optional(enums(['partner', 'internal'])),
      scopes: optional(someScopes),
    }),
    run: async (service, { scopes, ...client }) =>
      renderMintedClient(await createClient(service, { ...client, grantedScopes: scopes })),
  }),
  'client.list': operation({
    input: object({ organization: optional(text()) }),
    run: async (service, { organization }) =>
      (await listClients(service, organization)).map(renderClient),
  }),
  'client.show': operation({
    input: one,
    run: async (service, { client_id }) => renderClientRecord(await readClient(service, client_id)),
  }),
  'client.set_scopes': operation({
    input: object({ client_id: text(), scopes: someScopes }),
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
}
