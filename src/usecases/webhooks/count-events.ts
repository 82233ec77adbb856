import type { EventState } from '../../domain/webhooks/event.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

/** `organization` is an id or an exact name. */
export function countEvents(
  { store }: Service,
  organization: string | undefined,
): Promise<Readonly<Record<EventState, number>>> {
  return store.read(async (records) => {
    if (organization === undefined) return records.events.countByState()
    const { organizationId } = await requireOrganization(records, organization)
    return records.events.countByState(organizationId)
  })
}
