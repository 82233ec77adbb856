import { hash, timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type Client,
  type ClientKind,
  type ClientSecret,
  maximumSecrets,
} from '../../domain/oauth/client.ts'
import { type Scope, scopes, sortScopes } from '../../domain/oauth/scope.ts'
import { Problem } from '../../domain/problem.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { nameOwners, requireOrganization, type WithOwner } from '../organizations/organizations.ts'
import type { Service } from '../service.ts'

export interface CreateClient {
  /** An id or an exact name. */
  readonly organization: string
  readonly name?: string | null | undefined
  readonly kind?: ClientKind | undefined
  readonly grantedScopes?: readonly Scope[] | undefined
}

export interface MintedClient extends MintedSecret {
  readonly client: Client
}

export async function createClient(
  service: Service,
  { organization, name = null, kind = 'partner', grantedScopes = scopes }: CreateClient,
): Promise<MintedClient> {
  const minted = mintSecret(service)
  const createdAt = service.clock.now()
  return service.store.write(subjects.all('clients'), async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    const client: Client = {
      clientId: service.random.id(),
      organizationId,
      name,
      kind,
      grantedScopes: sortScopes(grantedScopes),
      secrets: [minted.secret],
      disabled: false,
      tokenGeneration: 0,
      createdAt,
      updatedAt: createdAt,
    }
    await records.clients.put(client)
    return { client, ...minted }
  })
}

/** Oldest first. @param organization an id or an exact name; all organizations if undefined */
export function listClients(
  { store }: Service,
  organization?: string,
): Promise<readonly WithOwner<Client>[]> {
  return store.read(async (records) => {
    const clients = await nameOwners(records, await records.clients.list())
    if (organization === undefined) return clients
    const { organizationId } = await requireOrganization(records, organization)
    return clients.filter(({ owned }) => owned.organizationId === organizationId)
  })
}

export function readClient({ store }: Service, clientId: string): Promise<Client> {
  return store.read((records) => requireClient(records, clientId))
}

export function enableClient(service: Service, clientId: string): Promise<Client> {
  return changeClient(service, { clientId, change: () => ({ disabled: false }) })
}

export function disableClient(service: Service, clientId: string): Promise<Client> {
  return changeClient(service, { clientId, change: () => ({ disabled: true }) })
}

export interface SetGrantedScopes {
  readonly clientId: string
  readonly grantedScopes: readonly Scope[]
}

/** The client id and secrets stay valid (spec: Scopes). */
export function setGrantedScopes(
  service: Service,
  { clientId, grantedScopes }: SetGrantedScopes,
): Promise<Client> {
  const change = () => ({ grantedScopes: sortScopes(grantedScopes) })
  return changeClient(service, { clientId, change })
}

/** Adds a second active secret. The old one is revoked when traffic has moved (spec: Secret rotation). */
export async function rotateClientSecret(
  service: Service,
  clientId: string,
): Promise<MintedClient> {
  const minted = mintSecret(service)
  const change = ({ secrets }: Client) => {
    if (secrets.length >= maximumSecrets) throw secretLimitReached()
    return { secrets: [...secrets, minted.secret] }
  }
  return { client: await changeClient(service, { clientId, change }), ...minted }
}

function secretLimitReached(): Problem {
  return new Problem(
    'SECRET_LIMIT_REACHED',
    'The client already has two active secrets. Revoke one first: `coopshare client revoke-secret`.',
  )
}

export interface RevokeClientSecret {
  readonly clientId: string
  readonly secretId: string
}

export function revokeClientSecret(
  service: Service,
  { clientId, secretId }: RevokeClientSecret,
): Promise<Client> {
  const change = ({ secrets }: Client) => {
    const left = secrets.filter((secret) => secret.secretId !== secretId.toLowerCase())
    if (left.length === secrets.length) throw secretNotFound(secretId)
    if (left.length === 0) throw lastSecret()
    return { secrets: left }
  }
  return changeClient(service, { clientId, change })
}

function secretNotFound(secretId: string): Problem {
  return new Problem(
    'CLIENT_SECRET_NOT_FOUND',
    `The client has no active secret "${secretId}". \`coopshare client show\` lists its secrets.`,
  )
}

/** Spec gap: see docs/operators/details.md. */
function lastSecret(): Problem {
  return new Problem(
    'LAST_SECRET',
    'This is the only active secret of the client. Create another one first, or disable the client: `coopshare client disable`.',
  )
}

export interface ClientChange {
  readonly clientId: string
  /** May throw, and then nothing is changed. A client that stays the same is not stored. */
  readonly change: (client: Client) => Partial<Client>
}

function changeClient(
  { store, clock }: Service,
  { clientId, change }: ClientChange,
): Promise<Client> {
  const updatedAt = clock.now()
  return store.write(subjects.all('clients'), async (records) => {
    const client = await requireClient(records, clientId)
    const changed = { ...client, ...change(client) }
    if (isDeepStrictEqual(changed, client)) return client
    const stamped = { ...changed, updatedAt }
    await records.clients.put(stamped)
    return stamped
  })
}

async function requireClient(
  { clients }: Pick<ReadableRecords, 'clients'>,
  clientId: string,
): Promise<Client> {
  const client = await clients.get(clientId.toLowerCase())
  if (client) return client
  throw new Problem(
    'CLIENT_NOT_FOUND',
    `There is no client "${clientId}". \`coopshare client list\` lists all clients.`,
  )
}

interface MintedSecret {
  readonly secret: ClientSecret
  /** Shown once and not stored. */
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

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Compares in constant time. */
export function matchesSecret({ digest }: ClientSecret, candidate: string): boolean {
  return timingSafeEqual(Buffer.from(digest, 'hex'), Buffer.from(digestOf(candidate), 'hex'))
}

/** Selects clients; an empty object selects all. */
export interface ExpireTokens {
  readonly clientId?: string | undefined
  readonly organizationId?: string | undefined
}

/** Ends all tokens that were issued so far, and returns the number of clients. New tokens are valid. */
export function expireTokens(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  selection: ExpireTokens,
): Promise<number> {
  const updatedAt = clock.now()
  return store.write(subjects.all('clients'), async (records) => {
    const clients = await selectClients(records, selection)
    for (const client of clients) {
      const tokenGeneration = client.tokenGeneration + 1
      await records.clients.put({ ...client, tokenGeneration, updatedAt })
    }
    return clients.length
  })
}

async function selectClients(
  records: ReadableRecords,
  { clientId, organizationId }: ExpireTokens,
): Promise<readonly Client[]> {
  const clients =
    clientId === undefined ? await records.clients.list() : [await requireClient(records, clientId)]
  return organizationId === undefined
    ? clients
    : clients.filter((client) => client.organizationId === organizationId)
}
