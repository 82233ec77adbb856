import { sql } from 'kysely'

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
