import { sql } from 'kysely'

/**
 * Expressions of a `with` that store an event and a delivery to each endpoint of the organization.
 */
export function recordingOf({ event_id, organization_id, share_purchase_id, ...event }) {
  return sql`
    event as (
      insert into events (event_id, organization_id, share_purchase_id, type, body, created_at)
      values (${event_id}, ${organization_id}, ${share_purchase_id}, ${event.type}, ${event.body},
        ${event.created_at})
    ), delivery as (
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
