import type { Organization } from '../../domain/organizations/organization.ts'
import { Problem } from '../../domain/problem.ts'
import { type Records, UniquenessError } from '../../ports/store.ts'

export async function putOrganization(
  { organizations }: Pick<Records, 'organizations'>,
  organization: Organization,
): Promise<void> {
  try {
    await organizations.put(organization)
  } catch (error) {
    throw error instanceof UniquenessError ? taken(organization.name) : error
  }
}

function taken(name: string): Problem {
  return new Problem(
    'NAME_TAKEN',
    `There is already an organisation "${name}", perhaps in other case. Choose another name.`,
  )
}
