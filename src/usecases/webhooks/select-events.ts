import type { Event } from '../../domain/webhooks/event.ts'
import type { ListPage, ReadableRecords } from '../../ports/store.ts'
import type { EventFilter } from '../../ports/webhook-records.ts'
import { inBatches } from '../in-batches.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

export interface EventSelection extends Omit<EventFilter, 'organizationId' | 'after'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Those whose mail is dead, whatever became of them at endpoints. */
  readonly deadMail?: boolean | undefined
}

/** Oldest first, in batches. */
export async function* selectEvents(
  { store }: Pick<Service, 'store'>,
  { limit, ...selection }: EventSelection,
): AsyncGenerator<readonly Event[]> {
  const list = await store.read((records) => prepareList(records, selection))
  yield* inBatches(store, { list, idOf: ({ eventId }) => eventId, limit })
}

async function prepareList(
  records: ReadableRecords,
  { organization, deadMail, state, ...filter }: Omit<EventSelection, 'limit'>,
) {
  const owner =
    organization === undefined ? undefined : await requireOrganization(records, organization)
  const wanted = { ...filter, organizationId: owner?.organizationId }
  return ({ events }: ReadableRecords, page: ListPage) =>
    deadMail
      ? events.listWithDeadMail({ ...wanted, ...page })
      : events.list({ ...wanted, state, ...page })
}
