import type { Organization } from '../../domain/organizations/organization.ts'
import type { Service } from '../service.ts'
import { putOrganization } from './put-organization.ts'

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
    createdAt,
    updatedAt: createdAt,
  }
  await store.write(organization.organizationId, (records) =>
    putOrganization(records, organization),
  )
  return organization
}
