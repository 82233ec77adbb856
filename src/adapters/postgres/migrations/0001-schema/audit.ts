import { actorKinds, auditOutcomes } from '../../../../domain/audit/audit-entry.ts'
import { quoted } from '../../../store/collection.ts'

export const audit = `
-- Entries refer to records that may be removed, so there are no foreign keys.
create table audit_entries (
  entry_id text collate "C" primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in (${quoted(actorKinds)})),
  actor_id text collate "C" not null,
  actor_name text not null,
  actor_role text,
  via text not null,
  operation text not null,
  request_id text,
  share_purchase_id text collate "C",
  subjects text not null,
  changes text not null,
  outcome text not null check (outcome in (${quoted(auditOutcomes)})),
  code text,
  written_in xid8 not null default pg_current_xact_id(),
  sequence bigint generated always as identity
);
create index audit_entries_log on audit_entries (written_in, sequence);
create index audit_entries_by_purchase on audit_entries (share_purchase_id, at, sequence)
  where share_purchase_id is not null;
create index audit_entries_by_operator on audit_entries (actor_id, at, sequence)
  where actor_kind = 'operator';
create index audit_entries_by_kind on audit_entries (actor_kind, at, sequence);
create index audit_entries_of_refusals on audit_entries (at, sequence) where outcome = 'refused';
select add_collection('audit_entries', '{written_in}');

create table audit_seals (
  number text collate "C" primary key,
  position bigint not null,
  entry_ids text[] collate "C" not null,
  digests text[] collate "C" not null,
  previous_hash text not null,
  hash text not null,
  at timestamptz not null,
  sequence bigint generated always as identity unique
);
select add_collection('audit_seals');

-- Called when a service starts. Numbers of transactions are those of one server. A store that was restored on another
-- server may have numbers that are still to come there, and its followers would miss what is added meanwhile.
create function begin_log() returns void language sql as $$
  update events set written_in = pg_current_xact_id() where written_in >= pg_snapshot_xmax(pg_current_snapshot())
    and (select written_in from events order by created_at desc, sequence desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot());
  update audit_entries set written_in = pg_current_xact_id() where written_in >= pg_snapshot_xmax(pg_current_snapshot())
    and (select written_in from audit_entries order by written_in desc, sequence desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot());
$$;
`
