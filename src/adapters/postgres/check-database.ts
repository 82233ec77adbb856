import { sharesFieldByStatus } from '../../domain/holdings/holding.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import { deliveryStates } from '../../domain/webhooks/delivery.ts'
import type { StoreCheck } from '../../ports/store-admin.ts'
import { EncryptedFields, encryptedCollections } from '../encrypted-fields.ts'
import type { StoreVault } from '../vault.ts'
import type { DatabaseOptions } from './connect.ts'
import { findWrongTallies } from './migrations/0002-tallies.ts'
import { withSession } from './session.ts'
import { readStoreRow } from './store-row.ts'
import { countRecords, readTable } from './tables.ts'

const counted = (field: 'shares' | 'pendingShares') => {
  const statuses = sharePurchaseStatuses.filter((status) => sharesFieldByStatus[status] === field)
  return `status in ('${statuses.join("', '")}')`
}

/** Contradictions that constraints cannot prevent, as queries that return sentences. */
const contradictions = [
  `select format('holdings %s: %s shares and %s pending, but its orders add up to %s and %s.',
      coalesce(h.id, 'of ' || o.investor_id), coalesce(h.shares, 0), coalesce(h.pending_shares, 0),
      coalesce(o.shares, 0), coalesce(o.pending, 0)) as problem
    from holdings h full join (
      select organization_id, investor_id, cooperative_id,
        coalesce(sum(share_count) filter (where ${counted('shares')}), 0) as shares,
        coalesce(sum(share_count) filter (where ${counted('pendingShares')}), 0) as pending
      from share_purchases group by 1, 2, 3
    ) o using (organization_id, investor_id, cooperative_id)
    where coalesce(h.shares, 0) <> coalesce(o.shares, 0)
      or coalesce(h.pending_shares, 0) <> coalesce(o.pending, 0)`,
  `select format('events %s: %s', event_id, case when missing = 0 then 'its counts differ from the states of its deliveries.'
        else format('%s of its deliveries are missing.', missing) end) as problem
    from events join lateral (
      select cardinality(delivery_ids) - count(*) as missing, (
          ${deliveryStates.map((state) => `count(*) filter (where d.kind = 'webhook' and d.state = '${state}')`)}
        ) = (${deliveryStates}) as is_same
      from deliveries d where d.organization_id = events.organization_id and d.delivery_id = any(delivery_ids)
    ) its on missing > 0 or not is_same`,
  findWrongTallies,
]

/**
 * Reads the whole store at one moment, and opens encrypted values if there is a key. The database itself verifies pages
 * when it reads them.
 */
export function checkDatabase(options: DatabaseOptions, vault?: StoreVault): Promise<StoreCheck> {
  return withSession(options, async (session) => {
    await session.ask('begin isolation level repeatable read')
    await session.ask(`set local statement_timeout = ${options.statementTimeoutMs}`)
    const { moved, rotation } = await readStoreRow(session.ask, vault)
    const renewing = await session.ask('select from settings where key_renewal is not null')
    const records = await countRecords(session)
    const problems: string[] = []
    for (const text of contradictions) {
      const found = await session.ask<{ readonly problem: string }>(text)
      problems.push(...found.map(({ problem }) => problem))
    }
    const encrypted = vault && new EncryptedFields(vault)
    for (const name of encrypted ? encryptedCollections : [])
      await readTable(session, name, ({ records }) => encrypted?.open(name, records))
    return {
      records,
      tornBytes: 0,
      encryptedValues: encrypted?.opened ?? null,
      problems: [...problems, ...(encrypted?.problems ?? [])],
      moved,
      isRekeying: rotation !== null || renewing.length > 0,
    }
  })
}
