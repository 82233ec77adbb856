// The statements of an order that are written in SQL, because one statement for several tables saves
// round trips.
import { sql } from 'kysely'

/** Reads everything that decides about an order. */
export function contextOf({ organizationId, investorId, cooperativeId, key }) {
  return sql`
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
        on k.organization_id = i.organization_id and k.key = ${key ?? null}
        and k.created_at > now() - interval '24 hours'
    where i.investor_id = ${investorId} and i.organization_id = ${organizationId}`
}

export function readContext([row]) {
  return {
    investor: row,
    cooperative: row?.cooperative_id ? row : undefined,
    holding: row?.shares === null ? undefined : row,
    keyUse: row?.digest ? row : undefined,
  }
}

/**
 * Expressions of a `with` that store an order, its holding, its key and its event. `keyed` has no
 * row if another request holds the key.
 */
export function rowsOf({ order, key = null, digest, event }) {
  return sql`
    placed as (
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
    ), ${eventOf(event)}`
}

/** An expression of a `with` that stores an event. */
export function eventOf({ event_id, organization_id, share_purchase_id, ...event }) {
  return sql`event as (
    insert into events (event_id, organization_id, share_purchase_id, type, body, created_at)
    values (${event_id}, ${organization_id}, ${share_purchase_id}, ${event.type}, ${event.body},
      ${event.created_at})
  )`
}

/** How many keys the statement has stored. */
export const storedKeys = sql`(select count(*)::integer from keyed) as keys`

/** An expression of a `with` that stores a delivery to each endpoint of the organization. */
export function deliveriesOf({ event_id, organization_id }) {
  return sql`delivery as (
    insert into deliveries (event_id, endpoint_id)
    select ${event_id}::uuid, endpoint_id from endpoints
    where organization_id = ${organization_id}
    returning event_id, endpoint_id
  )`
}

/** Adds a job for each delivery of the statement. */
export const addedJobs = sql`(
  select count(job.id)::integer
  from delivery, graphile_worker.add_job('deliver', to_json(delivery)) job
) as jobs`
