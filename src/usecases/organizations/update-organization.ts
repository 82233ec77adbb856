import type { Organization } from '../../domain/organizations/organization.ts'
import type { Service } from '../service.ts'
import { requireOrganization } from './require-organization.ts'

export interface UpdateOrganization {
  /** An id or an exact name. */
  readonly organization: string
  readonly investorMail: boolean
}

export function updateOrganization(
  { store, clock }: Service,
  { organization, investorMail }: UpdateOrganization,
): Promise<Organization> {
  const updatedAt = clock.now()
  return store.write(organization, async (records) => {
    const stored = await requireOrganization(records, organization)
    const updated = { ...stored, investorMail, updatedAt }
    await records.organizations.put(updated)
    return updated
  })
}
