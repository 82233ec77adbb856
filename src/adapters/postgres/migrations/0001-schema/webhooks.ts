import { deliveryKinds, deliveryStates } from '../../../../domain/webhooks/delivery.ts'
import { eventStates, eventTypes } from '../../../../domain/webhooks/event.ts'
import { quoted } from '../../../store/collection.ts'

export const webhooks = `
create table webhook_endpoints (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  webhook_endpoint_id text collate "C" not null constraint webhook_endpoints_id unique,
  url text not null,
  encrypted_signing_secret text not null,
  encrypted_previous_secret text,
  previous_secret_until timestamptz,
  event_types text[] collate "C",
  paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique,
  primary key (organization_id, webhook_endpoint_id),
  constraint webhook_endpoints_url unique (organization_id, url),
  check ((encrypted_previous_secret is null) = (previous_secret_until is null))
);
select add_collection('webhook_endpoints', is_kept => true);

-- Ids of events and deliveries are derived from the unique ids of orders. A primary key that begins with the id finds a
-- record without its organization, and needs no second index.
create table events (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  event_id text collate "C" not null,
  topic text collate "C" not null,
  ordering_key text collate "C" not null,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  retained_from timestamptz not null,
  delivery_ids text[] not null,
  pending integer not null check (pending >= 0),
  delivered integer not null check (delivered >= 0),
  dead integer not null check (dead >= 0),
  state text not null generated always as (
    case when dead > 0 then 'dead' when pending > 0 then 'pending'
      when delivered > 0 then 'delivered' else 'none' end
  ) stored,
  -- Followers read events in the order of transactions, because a transaction that still runs may add earlier ones.
  written_in xid8 not null default pg_current_xact_id(),
  sequence bigint generated always as identity,
  primary key (event_id, organization_id)
);
-- If all events have the same state or type so far, an index with the column must still be worth it.
alter table events alter column state set (n_distinct = ${eventStates.length}),
  alter column type set (n_distinct = ${eventTypes.length});
create index events_log on events (organization_id, written_in, sequence);
create index events_by_time on events (created_at, sequence);
create index events_by_state_and_type on events (state, type, created_at, sequence);
create index events_by_owner_state_and_type on events (organization_id, state, type, created_at, sequence);
create index events_by_retention on events (retained_from, sequence);
select add_collection('events', '{written_in}');

-- A delivery outlives its endpoint, so the receiver is not a reference.
create table deliveries (
  organization_id text collate "C" not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  ordering_key text collate "C" not null,
  kind text not null check (kind in (${quoted(deliveryKinds)})),
  receiver text collate "C" not null,
  state text not null check (state in (${quoted(deliveryStates)})),
  attempts_in_round integer not null,
  next_attempt_at timestamptz,
  dead_because text,
  attempts jsonb not null,
  is_first_attempt boolean not null generated always as (attempts = '[]'::jsonb) stored,
  faults_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  primary key (delivery_id, organization_id),
  foreign key (event_id, organization_id) references events deferrable initially deferred,
  check ((state = 'pending') = (next_attempt_at is not null))
);
-- The first pending delivery of a receiver and ordering key may be sent.
create index deliveries_by_key on deliveries (receiver, ordering_key, sequence) where state = 'pending';
create index deliveries_due on deliveries (receiver, is_first_attempt, next_attempt_at, sequence)
  where state = 'pending';
create index deliveries_pending on deliveries (kind, next_attempt_at, sequence) where state = 'pending';
create index deliveries_by_state on deliveries (kind, state);
-- E-mails that were written as files are counted apart from those that were sent.
create index deliveries_written on deliveries (kind)
  where kind = 'mail' and state = 'delivered' and attempts->-1->'written' = 'true'::jsonb;
create index deliveries_dead_mails on deliveries (created_at, sequence)
  where state = 'dead' and kind = 'mail';
create index deliveries_dead_mails_by_organization on deliveries (organization_id, created_at, sequence)
  where state = 'dead' and kind = 'mail';
select add_collection('deliveries');
`
