import { sql } from 'kysely'
import { investorNotFound } from '../api/investors.js'
import { createEvent, createOrder, digestOrder, isReplay } from '../api/order-rules.js'
import { addedJobs, recordingOf } from './record-event.js'

const uniqueViolation = '23505'

/** Another request has used the key since this one looked it up. */
class KeyTaken extends Error {}

/** Places an order with its holding, key, event, deliveries and jobs in one commit. */
export async function placeOrder(db, input) {
  const place = () => db.transaction().execute((transaction) => placeIn(transaction, input))
  try {
    return await place()
  } catch (error) {
    if (error instanceof KeyTaken || error.code === uniqueViolation) return place()
    throw error
  }
}

async function placeIn(transaction, { organizationId, investorId, key, request }) {
  await lockInvestor(transaction, { organizationId, investorId })
  const { investor, cooperative, holding, keyUse } = await readContext(transaction, {
    ...{ organizationId, investorId, key, cooperativeId: request.cooperative_id },
  })
  const digest = digestOrder(investor, request)
  if (isReplay(keyUse, digest)) {
    return { order: await readOrder(transaction, keyUse.share_purchase_id), isReplay: true }
  }
  const order = createOrder({ investor, cooperative, holding, request })
  await writeOrder(transaction, { order, key, digest })
  return { order, isReplay: false }
}

/** Orders of one investor are placed one after the other, because they share holdings. */
async function lockInvestor(transaction, { organizationId, investorId }) {
  const found = await transaction
    .selectFrom('investors')
    .select('investor_id')
    .where('investor_id', '=', investorId)
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw investorNotFound()
}

/** Reads everything that decides about the order in one round trip. */
async function readContext(transaction, { organizationId, investorId, cooperativeId, key }) {
  const { rows } = await sql`
    select
      i.investor_id, i.organization_id, i.email, i.profile,
      c.cooperative_id, c.share_price, c.entry_fee, c.minimum_shares,
      h.shares, h.pending_shares,
      k.digest, k.share_purchase_id
    from investors i
      left join cooperatives c on c.cooperative_id = ${cooperativeId}
      left join holdings h
        on h.investor_id = i.investor_id and h.cooperative_id = c.cooperative_id
      left join idempotency_keys k
        on k.organization_id = ${organizationId} and k.key = ${key ?? null}
        and k.created_at > now() - interval '24 hours'
    where i.investor_id = ${investorId}
  `.execute(transaction)
  const [row] = rows
  return {
    investor: row,
    cooperative: row.cooperative_id === null ? undefined : row,
    holding: row.shares === null ? undefined : row,
    keyUse: row.digest === null ? undefined : row,
  }
}

function readOrder(transaction, id) {
  return transaction
    .selectFrom('share_purchases')
    .selectAll()
    .where('share_purchase_id', '=', id)
    .executeTakeFirst()
}

/** One statement writes all rows, so the order takes one more round trip before the commit. */
async function writeOrder(transaction, { order, key = null, digest }) {
  const event = createEvent(order, order.created_at)
  const { rows } = await sql`
    with placed as (
      insert into share_purchases (
        share_purchase_id, organization_id, investor_id, cooperative_id, status, applicant_type,
        share_count, price_per_share, entry_fee, total, mandate_reference, mandate_signed_at,
        debtor_iban, terms_given_at, privacy_given_at, statute_given_at, created_at, updated_at)
      values (
        ${order.share_purchase_id}, ${order.organization_id}, ${order.investor_id},
        ${order.cooperative_id}, ${order.status}, ${order.applicant_type}, ${order.share_count},
        ${order.price_per_share}, ${order.entry_fee}, ${order.total}, ${order.mandate_reference},
        ${order.mandate_signed_at}, ${order.debtor_iban}, ${order.terms_given_at},
        ${order.privacy_given_at}, ${order.statute_given_at}, ${order.created_at},
        ${order.updated_at})
    ), held as (
      insert into holdings (investor_id, cooperative_id, pending_shares)
      values (${order.investor_id}, ${order.cooperative_id}, ${order.share_count})
      on conflict (investor_id, cooperative_id) do update
        set pending_shares = holdings.pending_shares + excluded.pending_shares, updated_at = now()
    ), keyed as (
      insert into idempotency_keys (organization_id, key, digest, share_purchase_id)
      select ${order.organization_id}, ${key}, ${digest}, ${order.share_purchase_id}
      where ${key}::text is not null
      on conflict (organization_id, key) do update
        set digest = excluded.digest, share_purchase_id = excluded.share_purchase_id,
          created_at = now()
        where idempotency_keys.created_at <= now() - interval '24 hours'
      returning key
    ), ${recordingOf(event)}
    select (select count(*)::integer from keyed) as keys, ${addedJobs}
  `.execute(transaction)
  if (key !== null && rows[0].keys === 0) throw new KeyTaken()
}
