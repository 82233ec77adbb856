import { schema } from './0001-schema.ts'
import { proveAndCommit } from './0006-prove-and-commit.ts'
import { operatorsAndAudit } from './0014-operators-and-audit.ts'

// A released text never changes, because every database keeps its checksum. Later changes are separate migrations.

const changes = `
-- What instances keep of these tables is good as long as the version stands.
create table changes (
  name text collate "C" primary key,
  version bigint not null
);
insert into changes (name, version) values ('clients', 1), ('signing_keys', 1);
`

const moreChanges = `
insert into changes (name, version) values ('organizations', 1), ('webhook_endpoints', 1);
`

const moved = `
-- Where the store was copied to, once the copy is the store that lives.
alter table store add column moved_to text, add column moved_at timestamptz,
  add check ((moved_to is null) = (moved_at is null));

-- On all tables of a store that has moved, and on none of another one: so it costs nothing until then.
create function refuse_moved() returns trigger language plpgsql as $$
begin
  raise exception 'The store was moved to %.', (select moved_to from store) using errcode = '25006';
end
$$;
`

const orders = `
-- The orders that one rests on; null for those that were placed before this was recorded.
alter table share_purchases add column rests_on text[] collate "C";
create index share_purchases_pending
  on share_purchases (organization_id, investor_id, cooperative_id, sequence)
  where status in ('submitted', 'approved');

-- Keys belong to the organization: new records name no client, and have '' in its place.
alter table idempotency_records drop constraint idempotency_records_organization_id_client_id_fkey;

-- References that partners chose stay with the debtor's account that they were first used with.
alter table share_purchases add column is_first_of_reference boolean;
create index share_purchases_by_mandate
  on share_purchases (organization_id, lower(mandate_reference collate "C"), sequence)
  where mandate_reference <> upper(replace(share_purchase_id, '-', ''));
create unique index share_purchases_first_of_reference
  on share_purchases (organization_id, lower(mandate_reference collate "C"))
  where is_first_of_reference;
`

const outbox = `
-- Events are of any topic. What has the same ordering key reaches each receiver in the order of creation.
set constraints all immediate;
alter table events drop constraint events_organization_id_share_purchase_id_fkey;
alter table events rename column share_purchase_id to ordering_key;
alter table events add column topic text collate "C" not null default 'share_purchase';
alter table events alter column topic drop default;
alter table events add foreign key (organization_id) references organizations deferrable initially deferred;

-- No delivery is claimed, and none waits: the first that is pending of its receiver and ordering key may go.
drop trigger end_claim on deliveries;
drop function end_claim();
drop index deliveries_due;
drop index deliveries_unfinished;
alter table deliveries drop column claimed_until, drop column is_under_way;
alter table deliveries rename column share_purchase_id to ordering_key;
alter table deliveries rename column lane to receiver;
update deliveries set state = 'pending', next_attempt_at = updated_at where state = 'waiting';
update deliveries set receiver = 'mail-' || (ascii(right(ordering_key, 1)) + ascii(right(ordering_key, 2))) % 8
  where kind = 'mail';
set constraints all immediate;
alter table deliveries drop constraint deliveries_state_check;
alter table deliveries add constraint deliveries_state_check check (state in ('pending', 'delivered', 'dead'));
create index deliveries_due on deliveries (receiver, is_first_attempt, next_attempt_at, sequence)
  where state = 'pending';
create index deliveries_by_key on deliveries (receiver, ordering_key, sequence) where state = 'pending';

-- Which instance sends to which receiver.
create table receiver_leases (
  receiver text collate "C" primary key,
  owner text collate "C" not null,
  until timestamptz not null
);

select add_collection('events', '{written_in}');
select add_collection('deliveries');
`

const retention = `
-- Since when an event has been retained: its creation, or the last time that somebody looked at it and it had to stay.
alter table events add column retained_from timestamptz;
update events set retained_from = created_at;
alter table events alter column retained_from set not null;
create index events_by_retention on events (retained_from, sequence);
select add_collection('events', '{written_in}');
`

const carriers = `
-- The orders that another one of the same position may rest on.
create index share_purchases_carriers
  on share_purchases (organization_id, investor_id, cooperative_id, sequence)
  where status in ('submitted', 'approved')
    and (rests_on is null or cardinality(rests_on) = 0 or entry_fee > 0);
`

const written = `
-- Mails that became files, which are counted apart from those that were sent.
create index deliveries_written on deliveries (kind)
  where kind = 'mail' and state = 'delivered' and attempts->-1->'written' = 'true'::jsonb;
`

const selfService = `
-- Whether a partner may decide its own orders, and how many times the tokens of a client were ended.
alter table organizations add column self_service boolean not null default false;
alter table clients add column token_generation integer not null default 0;
select add_collection('organizations', is_kept => true);
select add_collection('clients', is_kept => true);
`

const fates = `
-- What happens to orders in staging by itself. Production has none, so the index is empty there.
alter table investors add column fate jsonb;
alter table share_purchases
  add column fate jsonb, add column fate_due_at timestamptz, add column holds_up_fate boolean;
create index share_purchases_by_fate on share_purchases (fate_due_at, sequence)
  where fate_due_at is not null;
select add_collection('investors'), add_collection('share_purchases');
`

const dependents = `
-- The orders that end with others of the same position, in place of all that are pending.
create index share_purchases_dependents
  on share_purchases (organization_id, investor_id, cooperative_id, sequence)
  where status in ('submitted', 'approved') and cardinality(rests_on) > 0;
drop index share_purchases_pending;
`

const personalDataKeys = `
-- A key of its own for the personal data of each investor, and keyed digests by which operators find persons.
alter table settings add column sealed_search_key text;
alter table investors add column sealed_key text, add column search_terms text[] collate "C",
  add column erased_at timestamptz, add column erased_because text;
alter table share_purchases add column search_terms text[] collate "C";
create index investors_by_term on investors using gin (search_terms);
create index share_purchases_by_term on share_purchases using gin (search_terms);
create index investors_by_time on investors (created_at, sequence);
create index investors_by_organization_and_time on investors (organization_id, created_at, sequence);
create index investors_erased on investors (erased_at, sequence) where erased_at is not null;
-- Empty once the records of earlier releases are encrypted again.
create index investors_without_key on investors (sequence)
  where sealed_key is null and erased_at is null;
create index share_purchases_without_terms on share_purchases (sequence) where search_terms is null;
select add_collection('settings', is_kept => true);
select add_collection('investors'), add_collection('share_purchases');
`

const catalogueHistory = `
-- The changes of the price, and whether an organization is disabled.
alter table cooperatives add column price_history jsonb not null default '[]';
alter table organizations add column disabled boolean not null default false;
select add_collection('cooperatives', is_kept => true);
select add_collection('organizations', is_kept => true);
`

const endpointControls = `
-- Endpoints that wait, that get some types of events only, and whose previous secret signs for a while.
alter table webhook_endpoints
  add column sealed_previous_secret text collate "C",
  add column previous_secret_until timestamptz,
  add column event_types text[] collate "C",
  add column paused_at timestamptz,
  add check ((sealed_previous_secret is null) = (previous_secret_until is null));
select add_collection('webhook_endpoints', is_kept => true);
`

const consolePages = `
alter table operators add column sessions_ended_at timestamptz;
select add_collection('operators', is_kept => true);
-- The console counts the orders of each day.
create index share_purchases_by_day on share_purchases (
  (floor(extract(epoch from (created_at at time zone 'utc')) / 86400)::bigint::text));
`

const orderLists = `
-- Lists of orders by the time at which they were placed, in place of those by the order of creation.
create index share_purchases_by_time on share_purchases (created_at, sequence);
create index share_purchases_by_status_and_time on share_purchases (status, created_at, sequence);
create index share_purchases_by_organization_and_time
  on share_purchases (organization_id, created_at, sequence);
create index share_purchases_by_organization_status_and_time
  on share_purchases (organization_id, status, created_at, sequence);
create index share_purchases_by_cooperative on share_purchases (cooperative_id, created_at, sequence);
create index share_purchases_by_cooperative_and_status
  on share_purchases (cooperative_id, status, created_at, sequence);
drop index share_purchases_by_status;
drop index share_purchases_by_organization;
drop index share_purchases_by_organization_and_status;
`

const keyRotation = `
-- Set while the encryption key of the store changes. The version is how instances notice.
alter table store add column rotation jsonb;
insert into changes (name, version) values ('store', 1);
`

const filteredLists = `
-- Lists by several filters. Without one of them, the lists of all its values are merged.
create index share_purchases_by_both on share_purchases (organization_id, cooperative_id, status, created_at, sequence);
create index events_by_state_and_type on events (state, type, created_at, sequence);
create index events_by_owner_state_and_type on events (organization_id, state, type, created_at, sequence);
-- The orders of a day are counted in the list by time.
drop index events_by_state, events_by_organization_and_state, share_purchases_by_day;
-- If all have the same value so far, an index with the column must still be worth it.
alter table share_purchases alter column status set (n_distinct = 6);
alter table events alter column state set (n_distinct = 4), alter column type set (n_distinct = 5);
`

const auditLists = `
create index audit_entries_by_kind on audit_entries (actor_kind, at, sequence);
create index audit_entries_of_refusals on audit_entries (at, sequence) where outcome = 'refused';
`

const decisions = `
-- Decisions that need a second operator; orders with a proposed one; settled orders; the ends of ids, which tables show.
alter table settings add column four_eyes text[] collate "C";
select add_collection('settings', is_kept => true);
create index share_purchases_proposed on share_purchases (created_at, sequence) where proposal is not null;
create index share_purchases_settled on share_purchases (updated_at, sequence) where status = 'settled';
create index share_purchases_by_id_end on share_purchases (right(share_purchase_id, 8), sequence);
create index investors_by_id_end on investors (right(investor_id, 8), sequence);
`

const fewerIndexes = `
-- Lists of any status, state or kind are merged from the lists of each.
drop index share_purchases_in_order, share_purchases_by_time, share_purchases_by_organization_and_time,
  share_purchases_by_cooperative, events_by_organization, audit_entries_by_time;
alter table audit_entries drop constraint audit_entries_sequence_key;
-- Ids of events and deliveries are derived from the unique ids of orders. The key that begins with one also finds it.
alter table deliveries drop constraint deliveries_organization_id_event_id_fkey,
  drop constraint deliveries_id, drop constraint deliveries_pkey, add primary key (delivery_id, organization_id);
alter table events drop constraint events_id, drop constraint events_pkey, add primary key (event_id, organization_id);
alter table deliveries add foreign key (organization_id, event_id)
  references events (organization_id, event_id) deferrable initially deferred;
create or replace function begin_log() returns void language sql as $$
  update events set written_in = pg_current_xact_id() where written_in >= pg_snapshot_xmax(pg_current_snapshot())
    and (select written_in from events order by created_at desc, sequence desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot());
  update audit_entries set written_in = pg_current_xact_id() where written_in >= pg_snapshot_xmax(pg_current_snapshot())
    and (select written_in from audit_entries order by written_in desc, sequence desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot());
$$;
select add_collection('events', '{written_in}'), add_collection('deliveries');
`

const agesOfCalls = `
-- When a call began, by the clock of the database: the id has the time of an instance, whose clock may be wrong.
alter table calls add column created_at timestamptz not null default now();
create index calls_by_age on calls (created_at);
`

const faultsOfMails = `
-- Since when faults of ours have prevented an e-mail, so that it does not wait for ever.
alter table deliveries add column faults_since timestamptz;
select add_collection('deliveries');
`

const keyChanges = `
-- The search key and the keys of investors change with the key of the store, in steps.
alter table settings add column sealed_former_search_key text, add column key_change text, add column key_renewal text;
drop index investors_without_key, share_purchases_without_terms;
select add_collection('settings', is_kept => true);
`

const mandateUses = `
-- The latest use of a mandate, without orders that ended before anything was collected.
create index share_purchases_mandate_uses
  on share_purchases (organization_id, lower(mandate_reference collate "C"), created_at, sequence)
  where mandate_reference <> upper(replace(share_purchase_id, '-', ''))
    and (status not in ('rejected', 'cancelled') or transitions @> '[{"to": "approved"}]');
`

const erasedMembers = `
-- Whether the person held shares when they were erased.
alter table investors add column erased_although_member boolean;
select add_collection('investors');
`

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  { name: '0001-schema', sql: schema },
  { name: '0002-changes', sql: changes },
  { name: '0003-more-changes', sql: moreChanges },
  { name: '0004-moved', sql: moved },
  { name: '0005-orders', sql: orders },
  { name: '0006-commits', sql: proveAndCommit },
  { name: '0007-outbox', sql: outbox },
  { name: '0008-retention', sql: retention },
  { name: '0009-carriers', sql: carriers },
  { name: '0010-written', sql: written },
  { name: '0011-self-service', sql: selfService },
  { name: '0012-fates', sql: fates },
  { name: '0013-dependents', sql: dependents },
  { name: '0014-operators-and-audit', sql: operatorsAndAudit },
  { name: '0015-personal-data-keys', sql: personalDataKeys },
  { name: '0016-order-lists', sql: orderLists },
  { name: '0017-catalogue-history', sql: catalogueHistory },
  { name: '0018-endpoint-controls', sql: endpointControls },
  { name: '0019-console', sql: consolePages },
  { name: '0020-key-rotation', sql: keyRotation },
  { name: '0021-filtered-lists', sql: filteredLists },
  { name: '0022-audit-lists', sql: auditLists },
  { name: '0023-decisions', sql: decisions },
  { name: '0024-fewer-indexes', sql: fewerIndexes },
  { name: '0025-ages-of-calls', sql: agesOfCalls },
  { name: '0026-faults-of-mails', sql: faultsOfMails },
  { name: '0027-key-changes', sql: keyChanges },
  { name: '0028-mandate-uses', sql: mandateUses },
  { name: '0029-erased-members', sql: erasedMembers },
]
