import type { Client } from '../../../domain/oauth/client.ts'
import type { SigningKey } from '../../../domain/oauth/signing-key.ts'
import { asItIs, Table } from '../table.ts'

export const clientTable = new Table<Client>({
  name: 'clients',
  key: ['organizationId', 'clientId'],
  columns: {
    organizationId: 'plain',
    clientId: 'plain',
    name: 'plain',
    kind: 'plain',
    grantedScopes: 'texts',
    secrets: 'json',
    disabled: 'plain',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  flatten: asItIs,
  build: asItIs,
})

export const signingKeyTable = new Table<SigningKey>({
  name: 'signing_keys',
  key: ['kid'],
  columns: {
    kid: 'plain',
    publicJwk: 'json',
    sealedPrivateJwk: 'plain',
    createdAt: 'timestamp',
    signsFrom: 'timestamp',
    retiredAt: 'timestamp',
  },
  flatten: asItIs,
  build: asItIs,
})
