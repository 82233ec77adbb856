import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../domain/oauth/client.ts'
import { foldName, type Organization } from '../../domain/organizations/organization.ts'
import { type FieldErrors, Problem } from '../../domain/problem.ts'
import { isSameText } from '../../domain/text.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import { type ReadableRecords, type Records, UniquenessError } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'

export interface CreateOrganization {
  readonly name: string
  readonly investorMail?: boolean | undefined
}

export async function createOrganization(
  { store, clock, random }: Service,
  { name, investorMail = true }: CreateOrganization,
): Promise<Organization> {
  const createdAt = clock.now()
  const organization = {
    organizationId: random.id(),
    name,
    investorMail,
    selfService: false,
    disabled: false,
    createdAt,
    updatedAt: createdAt,
  }
  await store.write(subjects.all('organizations'), (records) =>
    putOrganization(records, organization),
  )
  return organization
}

export function listOrganizations({ store }: Service): Promise<readonly Organization[]> {
  return store.read(({ organizations }) => organizations.list())
}

/** `organization` is an id or an exact name. */
export function readOrganization({ store }: Service, organization: string): Promise<Organization> {
  return store.read((records) => requireOrganization(records, organization))
}

export interface UpdateOrganization {
  /** An id or an exact name. */
  readonly organization: string
  readonly investorMail?: boolean | undefined
  /** Only in staging. */
  readonly selfService?: boolean | undefined
}

export async function updateOrganization(
  service: Service,
  { organization, investorMail, selfService }: UpdateOrganization,
): Promise<Organization> {
  if (selfService && service.settings.environment === 'production') throw selfServiceInProduction()
  return changeOrganization(service, organization, (stored) => ({
    investorMail: investorMail ?? stored.investorMail,
    selfService: selfService ?? stored.selfService,
  }))
}

/** Clients, endpoints, investors and orders know the organization by its id, so nothing else changes. */
export function renameOrganization(
  service: Service,
  organization: string,
  name: string,
): Promise<Organization> {
  return changeOrganization(service, organization, () => ({ name }))
}

/**
 * Disables an organization: its clients get no tokens, its tokens are refused, and its webhooks wait. Operators can
 * still decide its orders, and its investors get their e-mails.
 */
export function disableOrganization(service: Service, organization: string): Promise<Organization> {
  return changeOrganization(service, organization, () => ({ disabled: true }))
}

export function enableOrganization(service: Service, organization: string): Promise<Organization> {
  return changeOrganization(service, organization, () => ({ disabled: false }))
}

type Changes = Partial<Pick<Organization, 'name' | 'investorMail' | 'selfService' | 'disabled'>>

function changeOrganization(
  { store, clock }: Service,
  organization: string,
  change: (stored: Organization) => Changes,
): Promise<Organization> {
  const updatedAt = clock.now()
  return store.write(subjects.all('organizations'), async (records) => {
    const stored = await requireOrganization(records, organization)
    const changed = { ...stored, ...change(stored) }
    if (isDeepStrictEqual(changed, stored)) return stored
    const stamped = { ...changed, updatedAt }
    await putOrganization(records, stamped)
    return stamped
  })
}

export interface DeletedOrganization {
  readonly organization: Organization
  readonly clients: readonly Client[]
  readonly endpoints: readonly WebhookEndpoint[]
}

export interface DeleteOrganization {
  /** An id or an exact name. */
  readonly organization: string
  /** Returns what would be removed, and removes nothing. */
  readonly dryRun?: boolean | undefined
}

/**
 * Removes an organization that has no investors, together with its clients and endpoints. An organization
 * without investors has no orders and no events either.
 */
export async function deleteOrganization(
  { store }: Service,
  { organization: idOrName, dryRun = false }: DeleteOrganization,
): Promise<DeletedOrganization> {
  return store.write(subjects.all('organizations'), async (records) => {
    const organization = await requireOrganization(records, idOrName)
    const { organizationId } = organization
    const [anyone] = await records.investors.listByOrganization(organizationId, { limit: 1 })
    if (anyone) throw notEmpty(organization)
    const all = await records.clients.list()
    const clients = all.filter((client) => client.organizationId === organizationId)
    const endpoints = await records.webhookEndpoints.listByOrganization(organizationId)
    if (dryRun) return { organization, clients, endpoints }
    for (const { clientId } of clients) await records.clients.remove(clientId)
    for (const endpoint of endpoints)
      await records.webhookEndpoints.remove(endpoint.webhookEndpointId)
    await records.organizations.remove(organizationId)
    return { organization, clients, endpoints }
  })
}

function notEmpty({ name }: Organization): Problem {
  return new Problem(
    'ORGANIZATION_NOT_EMPTY',
    `The organization "${name}" has investors, whose orders and holdings must stay. Disable it instead: \`coopshare organization disable\`.`,
  )
}

export function selfServiceInProduction(errors?: FieldErrors): Problem {
  return new Problem(
    'TESTING_AID_IN_PRODUCTION',
    'Self-service is for staging only: in production, only operators decide orders.',
    { ...(errors && { errors }) },
  )
}

export async function putOrganization(
  { organizations }: Pick<Records, 'organizations'>,
  organization: Organization,
): Promise<void> {
  try {
    await organizations.put(organization)
  } catch (error) {
    throw error instanceof UniquenessError ? nameTaken(organization.name) : error
  }
}

function nameTaken(name: string): Problem {
  return new Problem(
    'NAME_TAKEN',
    `An organization named "${name}" already exists, perhaps in a different case. Choose another name.`,
  )
}

/** `organization` is an id or an exact name. */
export async function requireOrganization(
  { organizations }: Pick<ReadableRecords, 'organizations'>,
  organization: string,
): Promise<Organization> {
  const byId = await organizations.get(organization.toLowerCase())
  if (byId) return byId
  const byName = await organizations.findByName(foldName(organization))
  if (byName && isSameText(byName.name, organization)) return byName
  throw organizationNotFound(organization, byName)
}

/** Records of organizations, each with the name of its owner. */
export async function nameOwners<Owned extends { readonly organizationId: string }>(
  { organizations }: Pick<ReadableRecords, 'organizations'>,
  owned: readonly Owned[],
): Promise<readonly WithOwner<Owned>[]> {
  const names = new Map((await organizations.list()).map((one) => [one.organizationId, one.name]))
  return owned.map((one) => ({ owned: one, ownerName: names.get(one.organizationId) ?? null }))
}

export interface WithOwner<Owned> {
  readonly owned: Owned
  readonly ownerName: string | null
}

function organizationNotFound(wanted: string, alike: Organization | undefined): Problem {
  const hint = alike
    ? `Did you mean "${alike.name}"?`
    : '`coopshare organization list` lists all organizations.'
  return new Problem('ORGANIZATION_NOT_FOUND', `There is no organization "${wanted}". ${hint}`)
}
