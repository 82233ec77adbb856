import { sql } from 'kysely'
import { cancelOrder } from './cancel-order.js'
import { placeOrder } from './place-order.js'

const sortColumns = {
  created_at_desc: ['created_at', 'desc'],
  created_at_asc: ['created_at', 'asc'],
  name_asc: ['name', 'asc'],
  name_desc: ['name', 'desc'],
  share_price_asc: ['share_price', 'asc'],
  share_price_desc: ['share_price', 'desc'],
}

export function createStore(db) {
  const investorsOf = (organizationId) =>
    db.selectFrom('investors').selectAll().where('organization_id', '=', organizationId)

  return {
    ping: () => sql`select 1`.execute(db),
    findClient: (id) =>
      db.selectFrom('clients').selectAll().where(sql`client_id::text`, '=', id).executeTakeFirst(),

    listCooperatives: async ({ page, size, sort }) => {
      const [column, direction] = sortColumns[sort]
      const [items, { total }] = await Promise.all([
        db
          .selectFrom('cooperatives')
          .selectAll()
          .orderBy(column, direction)
          .orderBy('cooperative_id')
          .limit(size)
          .offset((page - 1) * size)
          .execute(),
        db.selectFrom('cooperatives').select(count).executeTakeFirst(),
      ])
      return { items, total }
    },
    findCooperative: (id) =>
      db.selectFrom('cooperatives').selectAll().where('cooperative_id', '=', id).executeTakeFirst(),

    addInvestor: ({ profile, ...investor }) =>
      db
        .insertInto('investors')
        .values({ ...investor, profile: profile && JSON.stringify(profile) })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'partner_customer_ref']).doNothing(),
        )
        .returningAll()
        .executeTakeFirst(),
    findInvestor: (organizationId, id) =>
      investorsOf(organizationId).where('investor_id', '=', id).executeTakeFirst(),
    findInvestorByReference: (organizationId, reference) =>
      investorsOf(organizationId).where('partner_customer_ref', '=', reference).executeTakeFirst(),
    replaceProfile: ({ organizationId, investorId, email, profile }) =>
      db
        .updateTable('investors')
        .set({ email, profile: JSON.stringify(profile), updated_at: new Date() })
        .where('organization_id', '=', organizationId)
        .where('investor_id', '=', investorId)
        .returningAll()
        .executeTakeFirst(),

    placeOrder: (input) => placeOrder(db, input),
    cancelOrder: (input) => cancelOrder(db, input),
    findOrder: ({ organizationId, investorId, purchaseId }) =>
      db
        .selectFrom('share_purchases')
        .selectAll()
        .where('share_purchase_id', '=', purchaseId)
        .where('investor_id', '=', investorId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst(),
    listOrders: (input) => listOfInvestor(db, 'share_purchases', input),
    listHoldings: (input) => listOfInvestor(db, 'holdings', input),
    countDeliveries: async () => {
      const rows = await db
        .selectFrom('deliveries')
        .select(['state', count])
        .groupBy('state')
        .execute()
      return Object.fromEntries(rows.map(({ state, total }) => [state, total]))
    },
  }
}

const count = sql`count(*)::integer`.as('total')

/** Lists the newest first. @returns undefined if the organization has no such investor */
async function listOfInvestor(db, table, { organizationId, investorId, page, size }) {
  const [items, investor] = await Promise.all([
    db
      .selectFrom(table)
      .selectAll()
      .where('investor_id', '=', investorId)
      .orderBy('created_at', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    db
      .selectFrom('investors')
      .select((investors) =>
        investors
          .selectFrom(table)
          .select(count)
          .whereRef(`${table}.investor_id`, '=', 'investors.investor_id')
          .as('total'),
      )
      .where('investor_id', '=', investorId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst(),
  ])
  return investor && { items, total: investor.total }
}
