import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { EventFilter } from '../../ports/webhook-records.ts'
import { requireOrganization } from '../organizations/require-organization.ts'

export interface EventSelection extends Omit<EventFilter, 'organizationId'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Those whose mail is dead, whatever became of them at endpoints. */
  readonly deadMail?: boolean | undefined
}

/** Oldest first. */
export async function selectEvents(
  records: ReadableRecords,
  { organization, deadMail, ...filter }: EventSelection,
): Promise<readonly Event[]> {
  const owner =
    organization === undefined ? undefined : await requireOrganization(records, organization)
  const wanted = { ...filter, organizationId: owner?.organizationId }
  return deadMail ? records.events.listWithDeadMail(wanted) : records.events.list(wanted)
}
