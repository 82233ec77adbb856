import {
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../../domain/share-purchases/share-purchase.ts'
import type { Records, SharePurchaseReader } from '../../../ports/store.ts'
import type { Session } from '../session.ts'
import {
  idempotencyRecordTable as idempotencyRecords,
  type SharePurchaseRow,
  sharePurchaseTable as sharePurchases,
} from '../tables/share-purchases.ts'
import { countsOf, type StateCount } from './counts.ts'
import { pageOf } from './page.ts'

const select = `select ${sharePurchases.selected} from share_purchases t`
const lock = `select i.investor_id as "investorId"
  from share_purchases t join investors i using (organization_id, investor_id)`
const byId = textsOf('where t.organization_id = $1 and t.share_purchase_id = $2')
const ofAnyone = textsOf('where t.share_purchase_id = $1')
const counted =
  'select status as state, count(*)::integer as count from share_purchases group by status'

function textsOf(where: string) {
  return {
    text: `${select} ${where}`,
    lockInvestors: `${lock} ${where} for no key update of i`,
  }
}

export function sharePurchasesOf(session: Session): Records['sharePurchases'] {
  const look = async (texts: typeof byId, values: readonly string[]) =>
    sharePurchases.one(
      await session.underInvestor<SharePurchaseRow>({ ...texts, table: 'share_purchases', values }),
    )
  return {
    get: (organizationId, id) => look(byId, [organizationId, id]),
    find: (id) => look(ofAnyone, [id]),
    pageByInvestor: (organizationId, investorId, page) =>
      pageOf(session, page, {
        selected: sharePurchases.selected,
        from: 'from share_purchases t where t.organization_id = $1 and t.investor_id = $2',
        order: 't.sequence desc',
        values: [organizationId, investorId],
        build: sharePurchases.build,
      }),
    list: (filter) => listSharePurchases(session, filter),
    countByStatus: async () =>
      countsOf(sharePurchaseStatuses, await session.ask<StateCount<SharePurchaseStatus>>(counted)),
    put: async (record) => void (await sharePurchases.put(session, record)),
  }
}

type Filter = Parameters<SharePurchaseReader['list']>[0]

async function listSharePurchases(session: Session, { status, organizationId, limit }: Filter) {
  const values: (string | number)[] = []
  const conditions: string[] = []
  for (const [column, value] of Object.entries({ organization_id: organizationId, status })) {
    if (value !== undefined) conditions.push(`t.${column} = $${values.push(value)}`)
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const atMost = limit === undefined ? '' : `limit $${values.push(limit)}::bigint`
  const text = `${select} ${where} order by t.sequence ${atMost}`
  return sharePurchases.all(await session.ask<SharePurchaseRow>(text, values))
}

type IdempotencyRow = Parameters<typeof idempotencyRecords.build>[0]

const primaryKey = 'idempotency_records_pkey'
const byKey = `select ${idempotencyRecords.selected} from idempotency_records t
  where t.organization_id = $1 and t.client_id = $2 and t.key = $3`
const lockingByKey = `${byKey} for no key update of t`
// By where the rows lie, which stays as long as they are locked: a plan that is made once for all would read them all.
const purge = `delete from idempotency_records where ctid = any (array (
    select ctid from idempotency_records
    where expires_at <= $1 order by expires_at limit $2::bigint for update skip locked
  ))`

export function idempotencyRecordsOf(session: Session): Records['idempotencyRecords'] {
  const nameOf = (clientId: string, key: string) => `${clientId} ${key}`
  return {
    get: async (organizationId, clientId, key) => {
      const rows = await session.remember<IdempotencyRow>({
        table: 'idempotency_records',
        text: byKey,
        lockingText: lockingByKey,
        values: [organizationId, clientId, key],
      })
      if (rows.length === 0) session.noteAbsent(primaryKey, nameOf(clientId, key))
      return idempotencyRecords.one(rows)
    },
    put: async (record) => {
      const isNew = session.wasAbsent(primaryKey, nameOf(record.clientId, record.key))
      await (isNew
        ? idempotencyRecords.insert(session, record)
        : idempotencyRecords.put(session, record))
    },
    purgeExpired: async (at, limit) =>
      void (await session.change('idempotency_records', { text: purge, values: [at, limit] })),
  }
}
