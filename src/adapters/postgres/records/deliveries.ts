import {
  type DeliveryKind,
  type ShownState,
  shownStates,
} from '../../../domain/webhooks/delivery.ts'
import type { Records } from '../../../ports/store.ts'
import type { OfInvestor, Session } from '../session.ts'
import { textArray } from '../statements.ts'
import { type DeliveryRow, deliveryTable as deliveries } from '../tables/webhooks.ts'
import { countsOf, type StateCount } from './counts.ts'

type OwnedRow = DeliveryRow & OfInvestor

const select = `select ${deliveries.selected}, p.investor_id as "investorId" from deliveries t
  join share_purchases p using (organization_id, share_purchase_id)`
const byId = `${select} where t.delivery_id = $1`
const byIds = `select ${deliveries.selected} from deliveries t
  where t.delivery_id = any($1::text::text[])`
const lockOne = `select i.investor_id as "investorId" from deliveries t
  join share_purchases p using (organization_id, share_purchase_id)
  join investors i on i.organization_id = p.organization_id and i.investor_id = p.investor_id
  where t.delivery_id = $1 for no key update of i`
const unfinished = `where t.lane = $1 and t.state in ('waiting', 'pending')
  order by t.sequence limit $2::bigint`
// In one order, so that two who lock many do not wait for each other.
const lockMany = `select i.investor_id as "investorId" from investors i
  where (i.organization_id, i.investor_id) in (
    select p.organization_id, p.investor_id
    from (select t.organization_id, t.share_purchase_id from deliveries t ${unfinished}) d
    join share_purchases p using (organization_id, share_purchase_id)
  ) order by i.organization_id, i.investor_id for no key update`
const isWritten = `state = 'delivered' and attempts->-1->'written' = 'true'::jsonb`
// Only mails can be written: for webhooks the index of kind and state is enough.
const shownState: Readonly<Record<DeliveryKind, string>> = {
  webhook: 'state',
  mail: `case when ${isWritten} then 'written' else state end`,
}
const countedOf = (kind: DeliveryKind) =>
  `select ${shownState[kind]} as state, count(*)::integer as count from deliveries
  where kind = $1 group by 1`
const oldest = `${select} where t.kind = $1 and t.state = 'pending'
  order by t.next_attempt_at, t.sequence limit 1`

export function deliveriesOf(session: Session): Records['deliveries'] {
  return {
    get: async (deliveryId) =>
      deliveries.one(
        await session.underInvestor<OwnedRow>({
          table: 'deliveries',
          lockInvestors: lockOne,
          text: byId,
          values: [deliveryId],
        }),
      ),
    getMany: async (deliveryIds) =>
      deliveries.all(await session.ask<DeliveryRow>(byIds, [textArray(deliveryIds)])),
    listUnfinished: async (lane, limit) =>
      deliveries.all(
        await session.underInvestor<OwnedRow>({
          table: 'deliveries',
          lockInvestors: lockMany,
          text: `${select} ${unfinished}`,
          values: [lane, limit],
        }),
      ),
    countByState: async (kind) =>
      countsOf(shownStates, await session.ask<StateCount<ShownState>>(countedOf(kind), [kind])),
    findOldestPending: async (kind) => deliveries.one(await session.ask<OwnedRow>(oldest, [kind])),
    put: async (record) => void (await deliveries.put(session, record)),
  }
}
