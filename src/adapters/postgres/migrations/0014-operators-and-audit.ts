// A released text never changes, because every database keeps its checksum.
export const operatorsAndAudit = `
create table operators (
  operator_id text collate "C" primary key,
  name text not null,
  folded_name text not null constraint operators_name unique,
  role text not null check (role in ('viewer', 'operator', 'administrator')),
  state text not null check (state in ('active', 'disabled')),
  token_digest text not null,
  sealed_signing_key text not null,
  token_created_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique
);

-- Entries refer to records that may be removed, so there are no foreign keys.
create table audit_entries (
  entry_id text collate "C" primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('operator', 'client', 'system')),
  actor_id text collate "C" not null,
  actor_name text not null,
  actor_role text,
  via text not null,
  operation text not null,
  request_id text,
  share_purchase_id text collate "C",
  subjects text not null,
  changes text not null,
  outcome text not null check (outcome in ('done', 'refused')),
  code text,
  written_in xid8 not null default pg_current_xact_id(),
  sequence bigint generated always as identity unique
);
create index audit_entries_log on audit_entries (written_in, sequence);
create index audit_entries_by_time on audit_entries (at, sequence);
create index audit_entries_by_purchase on audit_entries (share_purchase_id, at, sequence)
  where share_purchase_id is not null;
create index audit_entries_by_operator on audit_entries (actor_id, at, sequence)
  where actor_kind = 'operator';

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

-- The decision that one operator proposes and another one confirms.
alter table share_purchases add column proposal jsonb;

create or replace function begin_log() returns void language plpgsql as $$
begin
  if (select written_in from events order by created_at desc, sequence desc limit 1)
    >= pg_snapshot_xmax(pg_current_snapshot())
  then
    update events set written_in = pg_current_xact_id() where written_in >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
  if (select written_in from audit_entries order by at desc, sequence desc limit 1)
    >= pg_snapshot_xmax(pg_current_snapshot())
  then
    update audit_entries set written_in = pg_current_xact_id()
      where written_in >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
end
$$;

select add_collection('operators', is_kept => true);
select add_collection('audit_entries', '{written_in}');
select add_collection('audit_seals');
select add_collection('share_purchases');
`
