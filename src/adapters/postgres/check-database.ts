import { countsAs } from '../../domain/holdings/change-holding.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import type { StoreCheck } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { type SealedCollection, SealedValues, sealedCollections } from '../sealed-values.ts'
import type { Collection, Key } from '../store/collection.ts'
import { collections } from '../store/records.ts'
import type { Ask } from './database.ts'
import { rowsOf } from './rows.ts'

const batchSize = 500

const counted = (field: 'shares' | 'pendingShares') => {
  const statuses = sharePurchaseStatuses.filter((status) => countsAs[status] === field)
  return `status in ('${statuses.join("', '")}')`
}

/** What constraints cannot say; each finds sentences. References and uniqueness are kept by the database itself. */
const contradictions = [
  `select format('holdings %s: %s shares and %s pending, but its orders make %s and %s.',
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
  `select format('events %s: %s of its deliveries are missing.', e.event_id,
      cardinality(e.delivery_ids) - count(d.delivery_id)) as problem
    from events e left join deliveries d
      on d.organization_id = e.organization_id and d.delivery_id = any(e.delivery_ids)
    group by e.organization_id, e.event_id having count(d.delivery_id) <> cardinality(e.delivery_ids)`,
  `select format('events %s: its counts are not those of its deliveries.', e.event_id) as problem
    from events e left join deliveries d
      on d.organization_id = e.organization_id and d.delivery_id = any(e.delivery_ids) and d.kind = 'webhook'
    group by e.organization_id, e.event_id
    having count(*) filter (where d.state = 'pending') <> e.pending
      or count(*) filter (where d.state = 'delivered') <> e.delivered
      or count(*) filter (where d.state = 'dead') <> e.dead`,
]

/** Reads all of it. What the disks hold, the database checks itself whenever it reads a page. */
export async function checkDatabase(
  ask: Ask,
  vault: Vault | undefined,
): Promise<Omit<StoreCheck, 'moved'>> {
  const records = await countRecords(ask)
  const problems = await findContradictions(ask)
  const sealed = vault && (await openSealedValues(ask, vault))
  return {
    records,
    tornBytes: 0,
    sealedValues: sealed?.opened ?? null,
    problems: [...problems, ...(sealed?.problems ?? [])],
  }
}

async function countRecords(ask: Ask): Promise<Record<string, number>> {
  const records: Record<string, number> = {}
  for (const [
    name,
    {
      row: { table },
    },
  ] of Object.entries(collections)) {
    const [counted] = await ask<{ readonly count: string }>(
      `select count(*)::text as count from ${table}`,
    )
    records[name] = Number(counted?.count)
  }
  return records
}

async function findContradictions(ask: Ask): Promise<string[]> {
  const problems: string[] = []
  for (const text of contradictions) {
    for (const { problem } of await ask<{ readonly problem: string }>(text)) problems.push(problem)
  }
  return problems
}

/** In batches, by the key of each table: one statement for all of them would hold all of them. */
async function openSealedValues(ask: Ask, vault: Vault): Promise<SealedValues> {
  const sealed = new SealedValues(vault)
  for (const name of sealedCollections) {
    let after: Key | undefined
    for (;;) {
      const records = await readBatch(ask, name, after)
      const last = records.at(-1)
      if (!last) break
      sealed.open(name, records)
      after = (collections[name] as unknown as Collection<object>).key.valuesOf(last)
    }
  }
  return sealed
}

async function readBatch(
  ask: Ask,
  name: SealedCollection,
  after?: Key,
): Promise<readonly object[]> {
  const collection = collections[name] as unknown as Collection<object>
  const rows = rowsOf(collection)
  const columns = collection.key.columns.map((column) => `t.${column}`).join(', ')
  const values = collection.key.columns.map((_, index) => `$${index + 1}`).join(', ')
  const behind = after ? `where (${columns}) > (${values})` : ''
  const found = await ask<{ readonly row: readonly unknown[] }>(
    `select ${rows.read} as row from ${rows.table} t ${behind} order by ${columns} limit ${batchSize}`,
    after,
  )
  return found.map(({ row }) => rows.found(row).record)
}
