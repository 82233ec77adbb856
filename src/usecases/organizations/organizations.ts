import { foldName, type Organization } from '../../domain/organizations/organization.ts'
import { type FieldErrors, Problem } from '../../domain/problem.ts'
import { type ReadableRecords, type Records, UniquenessError } from '../../ports/store.ts'
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
    createdAt,
    updatedAt: createdAt,
  }
  await store.write(organization.organizationId, (records) =>
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
  { store, clock, settings }: Service,
  { organization, investorMail, selfService }: UpdateOrganization,
): Promise<Organization> {
  if (selfService && settings.environment === 'production') throw selfServiceInProduction()
  const updatedAt = clock.now()
  return store.write(organization, async (records) => {
    const stored = await requireOrganization(records, organization)
    const updated = {
      ...stored,
      investorMail: investorMail ?? stored.investorMail,
      selfService: selfService ?? stored.selfService,
      updatedAt,
    }
    await records.organizations.put(updated)
    return updated
  })
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
  if (byName?.name === organization) return byName
  throw organizationNotFound(organization, byName)
}

function organizationNotFound(wanted: string, alike: Organization | undefined): Problem {
  const hint = alike
    ? `Did you mean "${alike.name}"?`
    : '`coopshare organization list` lists all organizations.'
  return new Problem('ORGANIZATION_NOT_FOUND', `There is no organization "${wanted}". ${hint}`)
}
