import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { EventFilter } from '../../ports/webhook-records.ts'
import { requireOrganization } from '../organizations/require-organization.ts'

export interface EventSelection extends Omit<EventFilter, 'organizationId'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
}

/** Oldest first. */
export async function selectEvents(
  records: ReadableRecords,
  { organization, ...filter }: EventSelection,
): Promise<readonly Event[]> {
  const owner =
    organization === undefined ? undefined : await requireOrganization(records, organization)
  return records.events.list({ ...filter, organizationId: owner?.organizationId })
}
