import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { EventFilter } from '../../ports/webhook-records.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

export interface EventSelection extends Omit<EventFilter, 'organizationId' | 'after'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Those whose mail is dead, whatever became of them at endpoints. */
  readonly deadMail?: boolean | undefined
}

/** A store in memory answers so many within few milliseconds. */
const batchSize = 100

/** Oldest first, in batches. Others have their turn in between: a store in memory would answer all of them in one. */
export async function* selectEvents(
  { store }: Pick<Service, 'store'>,
  { limit = Number.POSITIVE_INFINITY, ...selection }: EventSelection,
): AsyncGenerator<readonly Event[]> {
  const list = await store.read((records) => prepareList(records, selection))
  let after: string | undefined
  for (let left = limit; left > 0; left -= batchSize) {
    const page = { after, limit: Math.min(batchSize, left) }
    const events = await store.read((records) => list(records, page))
    yield events
    if (events.length < batchSize) return
    after = events.at(-1)?.eventId
    await nextTurn()
  }
}

type Page = Pick<EventFilter, 'after' | 'limit'>

async function prepareList(
  records: ReadableRecords,
  { organization, deadMail, state, ...filter }: Omit<EventSelection, 'limit'>,
) {
  const owner =
    organization === undefined ? undefined : await requireOrganization(records, organization)
  const wanted = { ...filter, organizationId: owner?.organizationId }
  return ({ events }: ReadableRecords, page: Page) =>
    deadMail
      ? events.listWithDeadMail({ ...wanted, ...page })
      : events.list({ ...wanted, state, ...page })
}
