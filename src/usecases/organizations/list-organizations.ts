import type { Organization } from '../../domain/organizations/organization.ts'
import type { Service } from '../service.ts'

export function listOrganizations({ store }: Service): Promise<readonly Organization[]> {
  return store.read(({ organizations }) => organizations.list())
}
