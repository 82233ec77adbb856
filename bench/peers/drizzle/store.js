import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import { cancelOrder } from './cancel-order.js'
import { placeOrder } from './place-order.js'
import { clients, cooperatives, holdings, investors, sharePurchases } from './tables.js'

const sortOrders = {
  created_at_desc: desc(cooperatives.created_at),
  created_at_asc: asc(cooperatives.created_at),
  name_asc: asc(cooperatives.name),
  name_desc: desc(cooperatives.name),
  share_price_asc: asc(cooperatives.share_price),
  share_price_desc: desc(cooperatives.share_price),
}

/** Statements that many requests run are built once. */
export function createStore(db, queue) {
  const prepared = prepareReads(db)
  const first = async (rows) => (await rows)[0]
  return {
    ping: () => db.execute(sql`select 1`),
    findClient: (id) => first(prepared.findClient.execute({ id })),

    listCooperatives: async ({ page, size, sort }) => {
      const [items, [{ total }]] = await Promise.all([
        db
          .select()
          .from(cooperatives)
          .orderBy(sortOrders[sort], cooperatives.cooperative_id)
          .limit(size)
          .offset((page - 1) * size),
        db.select({ total: count() }).from(cooperatives),
      ])
      return { items, total }
    },
    findCooperative: (id) =>
      first(db.select().from(cooperatives).where(eq(cooperatives.cooperative_id, id))),

    addInvestor: (investor) =>
      first(
        db
          .insert(investors)
          .values(investor)
          .onConflictDoNothing({
            target: [investors.organization_id, investors.partner_customer_ref],
          })
          .returning(),
      ),
    findInvestor: (organizationId, investorId) =>
      first(prepared.findInvestor.execute({ organizationId, investorId })),
    findInvestorByReference: (organizationId, reference) =>
      first(
        db
          .select()
          .from(investors)
          .where(
            and(
              eq(investors.organization_id, organizationId),
              eq(investors.partner_customer_ref, reference),
            ),
          ),
      ),
    replaceProfile: ({ organizationId, investorId, email, profile }) =>
      first(
        db
          .update(investors)
          .set({ email, profile, updated_at: new Date() })
          .where(
            and(
              eq(investors.investor_id, investorId),
              eq(investors.organization_id, organizationId),
            ),
          )
          .returning(),
      ),

    placeOrder: (input) => placeOrder(db, queue, input),
    cancelOrder: (input) => cancelOrder(db, queue, input),
    findOrder: (input) => first(prepared.findOrder.execute(input)),
    listOrders: (input) => listOf(prepared.listOrders, input),
    listHoldings: (input) => listOf(prepared.listHoldings, input),
    countDeliveries: () => queue.countDeliveries(),
  }
}

function prepareReads(db) {
  const place = (name) => sql.placeholder(name)
  const isInvestor = and(
    eq(investors.investor_id, place('investorId')),
    eq(investors.organization_id, place('organizationId')),
  )
  /** A page of a table, and the total, which is missing if there is no such investor. */
  const listOfInvestor = (table, name) => {
    const total = db.$count(table, eq(table.investor_id, investors.investor_id))
    return {
      items: db
        .select()
        .from(table)
        .where(eq(table.investor_id, place('investorId')))
        .orderBy(desc(table.created_at))
        .limit(place('size'))
        .offset(place('skipped'))
        .prepare(name),
      investor: db.select({ total }).from(investors).where(isInvestor).prepare(`${name}_total`),
    }
  }
  return {
    findClient: db
      .select()
      .from(clients)
      .where(eq(sql`${clients.client_id}::text`, place('id')))
      .prepare('find_client'),
    findInvestor: db.select().from(investors).where(isInvestor).prepare('find_investor'),
    findOrder: db
      .select()
      .from(sharePurchases)
      .where(
        and(
          eq(sharePurchases.share_purchase_id, place('purchaseId')),
          eq(sharePurchases.investor_id, place('investorId')),
          eq(sharePurchases.organization_id, place('organizationId')),
        ),
      )
      .prepare('find_order'),
    listOrders: listOfInvestor(sharePurchases, 'list_orders'),
    listHoldings: listOfInvestor(holdings, 'list_holdings'),
  }
}

async function listOf({ items, investor }, { page, size, ...ids }) {
  const [rows, [found]] = await Promise.all([
    items.execute({ ...ids, size, skipped: (page - 1) * size }),
    investor.execute(ids),
  ])
  return found && { items: rows, total: Number(found.total) }
}
