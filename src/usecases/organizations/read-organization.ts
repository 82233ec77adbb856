import type { Organization } from '../../domain/organizations/organization.ts'
import type { Service } from '../service.ts'
import { requireOrganization } from './require-organization.ts'

/** `organization` is an id or an exact name. */
export function readOrganization({ store }: Service, organization: string): Promise<Organization> {
  return store.read((records) => requireOrganization(records, organization))
}
