import { maximumCarriers } from '../../../domain/share-purchases/carriers.ts'
import { foldMandateReference } from '../../../domain/share-purchases/mandate-reference.ts'
import {
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../../domain/share-purchases/share-purchase.ts'
import type { Records, SharePurchaseReader } from '../../../ports/store.ts'
import type { Session } from '../session.ts'
import { textArray } from '../statements.ts'
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
const byMandate = `${select} where t.organization_id = $1
    and lower(t.mandate_reference collate "C") = $2
    and t.mandate_reference <> upper(replace(t.share_purchase_id, '-', ''))
  order by t.sequence limit 1`
const firstOfReference = 'share_purchases_first_of_reference'
const ofPosition = `where t.organization_id = $1 and t.investor_id = $2 and t.cooperative_id = $3
    and t.status in ('submitted', 'approved')`
const oldestPending = `${select} ${ofPosition} order by t.sequence limit ${maximumCarriers}`
const pendingOn = `${select} ${ofPosition} and $4 = any(t.rests_on) order by t.sequence`
// The last parameters are of the questions that the lock is for.
const lockInvestor = `select investor_id as "investorId" from investors
  where organization_id = $1 and investor_id = $2 and $3::text is not null`
const lockForPending = `${lockInvestor} for no key update`
const lockForPendingOn = `${lockInvestor} and $4::text is not null for no key update`
const byInvestors = `${select} where t.organization_id = $1
  and t.investor_id = any($2::text::text[]) order by t.investor_id, t.sequence`
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
    findByMandateReference: async (organizationId, reference) => {
      const folded = foldMandateReference(reference)
      const rows = await session.remember<SharePurchaseRow>({
        table: 'share_purchases',
        text: byMandate,
        values: [organizationId, folded],
      })
      if (rows.length === 0) session.noteAbsent(firstOfReference, folded)
      return sharePurchases.one(rows)
    },
    listOldestPending: async ({ organizationId, investorId, cooperativeId }) =>
      sharePurchases.all(
        await session.underInvestor<SharePurchaseRow>({
          table: 'share_purchases',
          lockInvestors: lockForPending,
          text: oldestPending,
          values: [organizationId, investorId, cooperativeId],
          investorId,
        }),
      ),
    listPendingOn: async ({ organizationId, investorId, cooperativeId, sharePurchaseId }) =>
      sharePurchases.all(
        await session.underInvestor<SharePurchaseRow>({
          table: 'share_purchases',
          lockInvestors: lockForPendingOn,
          text: pendingOn,
          values: [organizationId, investorId, cooperativeId, sharePurchaseId],
          investorId,
        }),
      ),
    list: (filter) => listSharePurchases(session, filter),
    listByInvestors: async (organizationId, investorIds) => {
      const values = [organizationId, textArray(investorIds)]
      return sharePurchases.all(await session.ask<SharePurchaseRow>(byInvestors, values))
    },
    countByStatus: async () =>
      countsOf(sharePurchaseStatuses, await session.ask<StateCount<SharePurchaseStatus>>(counted)),
    put: async (record) => void (await sharePurchases.put(session, record)),
  }
}

const placeOf = 'select p.sequence from share_purchases p where p.share_purchase_id ='

type Filter = Parameters<SharePurchaseReader['list']>[0]

async function listSharePurchases(
  session: Session,
  { status, organizationId, after, limit }: Filter,
) {
  const values: (string | number)[] = []
  const conditions: string[] = []
  for (const [column, value] of Object.entries({ organization_id: organizationId, status })) {
    if (value !== undefined) conditions.push(`t.${column} = $${values.push(value)}`)
  }
  if (after !== undefined) conditions.push(`t.sequence > (${placeOf} $${values.push(after)})`)
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
  const nameOf = (clientId: string | null, key: string) => `${clientId ?? ''} ${key}`
  return {
    get: async (organizationId, clientId, key) => {
      const rows = await session.remember<IdempotencyRow>({
        table: 'idempotency_records',
        text: byKey,
        lockingText: lockingByKey,
        values: [organizationId, clientId ?? '', key],
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
