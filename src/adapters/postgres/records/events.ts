import type { Event, EventState } from '../../../domain/webhooks/event.ts'
import { eventStates } from '../../../domain/webhooks/event.ts'
import type { Records } from '../../../ports/store.ts'
import type { EventFilter, EventReader } from '../../../ports/webhook-records.ts'
import { isLockTimeout } from '../faults.ts'
import type { OfInvestor, Session } from '../session.ts'
import { type EventRow, eventTable as events, logOf } from '../tables/webhooks.ts'
import { countsOf, type StateCount } from './counts.ts'

const select = `select ${events.selected} from events t`
const lock = `select i.investor_id as "investorId" from events t
  join share_purchases p using (organization_id, share_purchase_id)
  join investors i on i.organization_id = p.organization_id and i.investor_id = p.investor_id
  where t.event_id = $1 for no key update of i`
const byId = `select ${events.selected}, p.investor_id as "investorId" from events t
  join share_purchases p using (organization_id, share_purchase_id) where t.event_id = $1`
const counted = 'select state, count(*)::integer as count from events'

export function eventsOf(session: Session): Records['events'] {
  return {
    get: async (eventId) =>
      events.one(
        await session.underInvestor<EventRow & OfInvestor>({
          table: 'events',
          lockInvestors: lock,
          text: byId,
          values: [eventId],
        }),
      ),
    list: (filter) => listEvents(session, filter),
    listWithDeadMail: (filter) => listWithDeadMail(session, filter),
    listAfter: (request) => listAfter(session, request),
    countByState: async (organizationId) =>
      countsOf(eventStates, await countEvents(session, organizationId)),
    put: async (record) => void (await events.put(session, record)),
  }
}

function countEvents(session: Session, organizationId: string | undefined) {
  type Count = StateCount<EventState>
  if (organizationId === undefined) return session.ask<Count>(`${counted} group by state`)
  const text = `${counted} where organization_id = $1 group by state`
  return session.ask<Count>(text, [organizationId])
}

const inLog = 'select e.created_at, e.sequence from events e where e.event_id ='
const amongMails = `select d.created_at, d.sequence from events e
  join deliveries d on d.delivery_id = any(e.delivery_ids) and d.kind = 'mail' where e.event_id =`

async function listEvents(session: Session, filter: EventFilter): Promise<readonly Event[]> {
  const { conditions, values, limit } = describe(filter, 't', inLog)
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const text = `${select} ${where} order by t.created_at, t.sequence ${limit}`
  return events.all(await session.ask<EventRow>(text, values))
}

async function listWithDeadMail(
  session: Session,
  filter: Omit<EventFilter, 'state'>,
): Promise<readonly Event[]> {
  const { conditions, values, limit } = describe(filter, 'm', amongMails)
  const where = ["m.state = 'dead'", "m.kind = 'mail'", ...conditions].join(' and ')
  const text = `select ${events.selected} from deliveries m
    join events t on t.organization_id = m.organization_id and t.event_id = m.event_id
    where ${where} order by m.created_at, m.sequence ${limit}`
  return events.all(await session.ask<EventRow>(text, values))
}

/** `ordered` is the table whose order counts, `placeOf` finds the place in it of an event. */
function describe(filter: EventFilter, ordered: 't' | 'm', placeOf: string) {
  const values: (string | number)[] = []
  const conditions = Object.entries({
    [`${ordered}.organization_id = $`]: filter.organizationId,
    't.state = $': filter.state,
    't.type = $': filter.type,
    [`${ordered}.created_at >= $`]: filter.since,
    [`${ordered}.created_at < $`]: filter.until,
    [`(${ordered}.created_at, ${ordered}.sequence) > (${placeOf} $)`]: filter.after,
  }).flatMap(([condition, value]) =>
    value === undefined ? [] : [condition.replace('$', `$${values.push(value)}`)],
  )
  const limit = filter.limit === undefined ? '' : `limit $${values.push(filter.limit)}::bigint`
  return { conditions, values, limit }
}

// Whoever holds the name alone has waited for all writes that had drawn a number by then. Not for long: others wait behind.
const lastNumber = `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'sequence')), 0)::text as last
  from (
    select case when set_config('lock_timeout', '100ms', true) is not null
      then pg_advisory_xact_lock(hashtextextended($1, 0)) end offset 0
  ) as waited`
const afterEvent = `${select} where t.organization_id = $1
  and t.sequence > (select e.sequence from events e where e.organization_id = $1 and e.event_id = $3)
  and t.sequence <= $2::text::bigint order by t.sequence limit $4::bigint`
const fromInstant = `${select} where t.organization_id = $1
  and t.sequence >= (select min(e.sequence) from events e where e.organization_id = $1 and e.created_at >= $3)
  and t.sequence <= $2::text::bigint order by t.sequence limit $4::bigint`
const fromFirst = `${select} where t.organization_id = $1
  and t.sequence <= $2::text::bigint order by t.sequence limit $3::bigint`

async function listAfter(
  session: Session,
  { organizationId, after, since, limit }: Parameters<EventReader['listAfter']>[0],
): Promise<readonly Event[]> {
  const last = await findLast(session, organizationId)
  if (last === undefined) return []
  const bounds = [organizationId, last]
  const ask = (text: string, values: (string | number)[]) => session.ask<EventRow>(text, values)
  if (after !== undefined) return events.all(await ask(afterEvent, [...bounds, after, limit]))
  if (since !== undefined) return events.all(await ask(fromInstant, [...bounds, since, limit]))
  return events.all(await ask(fromFirst, [...bounds, limit]))
}

/** undefined: somebody is writing, and has not ended for a while. What is new is told when it is asked for again. */
async function findLast(session: Session, organizationId: string): Promise<string | undefined> {
  try {
    const [row] = await session.ask<{ readonly last: string }>(lastNumber, [logOf(organizationId)])
    return row?.last
  } catch (error) {
    if (isLockTimeout(error)) return undefined
    throw error
  }
}
