// Settings, organizations, their clients, operators, and the keys that sign tokens.
import type { Client } from '../../domain/oauth/client.ts'
import type { SigningKey } from '../../domain/oauth/signing-key.ts'
import { foldOperatorName, type Operator } from '../../domain/operators/operator.ts'
import { foldName, type Organization } from '../../domain/organizations/organization.ts'
import type {
  ClientReader,
  OperatorReader,
  OrganizationReader,
  Settings,
  SettingsReader,
  SigningKeyReader,
} from '../../ports/collections.ts'
import {
  type Collection,
  drawnId,
  keyOf,
  listBy,
  scopedKey,
  type UniqueIndex,
} from './collection.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader } from './read-records.ts'

export const settings: Collection<Settings> = {
  name: 'settings',
  isCached: true,
  // There is one row, with the key `true`.
  key: { columns: ['singleton'], valuesOf: () => ['true'], text: () => 'settings' },
  row: {
    table: 'settings',
    columns: {
      environment: 'plain',
      createdAt: 'timestamp',
      encryptedSearchKey: 'plain',
      encryptedFormerSearchKey: 'plain',
      searchVersion: 'plain',
      keyChange: 'plain',
      keyRenewal: 'plain',
      fourEyes: 'texts',
    },
    optional: ['encryptedFormerSearchKey', 'searchVersion', 'keyRenewal', 'fourEyes'],
    apart: { singleton: 'plain' },
    flatten: (record) => ({ singleton: true, ...record }),
  },
  audit: {
    idsOf: () => ({ settings: 'store' }),
    fieldsOf: ({ fourEyes = [] }) => ({ fourEyes }),
  },
}

const byName: UniqueIndex<Organization> = {
  name: 'name',
  columns: ['folded_name'],
  valuesOf: ({ name }) => [foldName(name)],
  constraint: 'organizations_name',
}

const allOrganizations = listBy<Organization>()

const allClients = listBy<Client>()

const allKeys = listBy<SigningKey>()

export const organizations: Collection<Organization> = {
  name: 'organizations',
  isCached: true,
  key: keyOf('organizationId'),
  unique: [byName],
  lists: [allOrganizations],
  row: {
    table: 'organizations',
    columns: {
      organizationId: 'plain',
      name: 'plain',
      investorMail: 'plain',
      selfService: 'plain',
      disabled: 'plain',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    apart: { foldedName: 'plain' },
    flatten: (record) => ({ ...record, foldedName: foldName(record.name) }),
  },
  audit: {
    idsOf: ({ organizationId }) => ({ organizationId }),
    fieldsOf: ({ organizationId: _id, createdAt: _created, updatedAt: _updated, ...fields }) =>
      fields,
  },
}

export const clientById = drawnId<Client>('clientId', 'clients_id')

export const clients: Collection<Client> = {
  name: 'clients',
  isCached: true,
  key: scopedKey('organizationId', 'clientId'),
  ownerOf: ({ organizationId }) => organizationId,
  references: { organizationId: 'organizations' },
  unique: [clientById],
  lists: [allClients],
  row: {
    table: 'clients',
    columns: {
      organizationId: 'plain',
      clientId: 'plain',
      name: 'plain',
      kind: 'plain',
      grantedScopes: 'texts',
      secrets: 'json',
      disabled: 'plain',
      tokenGeneration: 'plain',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
  },
  audit: {
    idsOf: ({ clientId, organizationId }) => ({ clientId, organizationId }),
    fieldsOf: ({ name, kind, disabled, grantedScopes, tokenGeneration, secrets }) => ({
      name,
      kind,
      disabled,
      grantedScopes,
      tokenGeneration,
      secretIds: secrets.map(({ secretId }) => secretId),
    }),
  },
}

const operatorByName: UniqueIndex<Operator> = {
  name: 'name',
  columns: ['folded_name'],
  valuesOf: ({ name }) => [foldOperatorName(name)],
  constraint: 'operators_name',
}

const allOperators = listBy<Operator>()

export const operators: Collection<Operator> = {
  name: 'operators',
  isCached: true,
  key: keyOf('operatorId'),
  unique: [operatorByName],
  lists: [allOperators],
  row: {
    table: 'operators',
    columns: {
      operatorId: 'plain',
      name: 'plain',
      role: 'plain',
      state: 'plain',
      tokenDigest: 'plain',
      encryptedSigningKey: 'plain',
      tokenCreatedAt: 'timestamp',
      sessionsEndedAt: 'timestamp',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    optional: ['sessionsEndedAt'],
    apart: { foldedName: 'plain' },
    flatten: (record) => ({ ...record, foldedName: foldOperatorName(record.name) }),
  },
  audit: {
    idsOf: ({ operatorId }) => ({ operatorId }),
    fieldsOf: ({ name, role, state, tokenCreatedAt }) => ({ name, role, state, tokenCreatedAt }),
  },
}

export const signingKeys: Collection<SigningKey> = {
  name: 'signingKeys',
  isCached: true,
  key: keyOf('kid'),
  lists: [allKeys],
  row: {
    table: 'signing_keys',
    columns: {
      kid: 'plain',
      publicJwk: 'json',
      encryptedPrivateJwk: 'plain',
      createdAt: 'timestamp',
      signsFrom: 'timestamp',
      retiredAt: 'timestamp',
    },
  },
  audit: {
    idsOf: ({ kid }) => ({ kid }),
    fieldsOf: ({ signsFrom, retiredAt }) => ({ signsFrom, retiredAt }),
  },
}

export function settingsReader(lookup: Lookup): SettingsReader {
  const reader = new CollectionReader(lookup, settings)
  return { get: () => reader.get('true') }
}

export function organizationReader(lookup: Lookup): OrganizationReader {
  const reader = new CollectionReader(lookup, organizations)
  return {
    get: (organizationId) => reader.get(organizationId),
    findByName: (foldedName) => reader.find(byName, foldedName),
    list: () => reader.list(allOrganizations, { values: [] }),
  }
}

export function clientReader(lookup: Lookup): ClientReader {
  const reader = new CollectionReader(lookup, clients)
  return {
    get: (clientId) => reader.find(clientById, clientId),
    list: () => reader.list(allClients, { values: [] }),
  }
}

export function signingKeyReader(lookup: Lookup): SigningKeyReader {
  const reader = new CollectionReader(lookup, signingKeys)
  return { list: () => reader.list(allKeys, { values: [] }) }
}

export function operatorReader(lookup: Lookup): OperatorReader {
  const reader = new CollectionReader(lookup, operators)
  return {
    get: (operatorId) => reader.get(operatorId),
    findByName: (foldedName) => reader.find(operatorByName, foldedName),
    list: () => reader.list(allOperators, { values: [] }),
  }
}
