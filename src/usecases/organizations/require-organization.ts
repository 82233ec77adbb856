import { foldName, type Organization } from '../../domain/organizations/organization.ts'
import { Problem } from '../../domain/problem.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** `organization` is an id or an exact name. */
export async function requireOrganization(
  { organizations }: Pick<ReadableRecords, 'organizations'>,
  organization: string,
): Promise<Organization> {
  const byId = await organizations.get(organization.toLowerCase())
  if (byId) return byId
  const byName = await organizations.findByName(foldName(organization))
  if (byName?.name === organization) return byName
  throw notFound(organization, byName)
}

function notFound(wanted: string, alike: Organization | undefined): Problem {
  const hint = alike
    ? `Did you mean "${alike.name}"?`
    : '`coopshare organization list` shows which there are.'
  return new Problem('ORGANIZATION_NOT_FOUND', `There is no organisation "${wanted}". ${hint}`)
}
