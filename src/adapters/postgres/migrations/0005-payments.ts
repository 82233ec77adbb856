import { currency } from '../../../domain/money.ts'
import { collectionStates } from '../../../domain/payments/debit-collection.ts'
import { paymentStates, paymentWays } from '../../../domain/payments/payment.ts'
import { entryKinds, entryOutcomes, matchingWays } from '../../../domain/payments/statement.ts'
import { eventTypes } from '../../../domain/webhooks/event.ts'
import { quoted } from '../../store/collection.ts'
import { paymentTallies } from './0002-tallies.ts'

export const payments = `
alter table cooperatives add column creditor jsonb;
select add_collection('cooperatives', is_kept => true);

-- The settled orders of the position whose payment came back, and is not paid since. Null means none.
alter table holdings add column returned_payments integer;
select add_collection('holdings');

create table payments (
  share_purchase_id text collate "C" primary key,
  organization_id text collate "C" not null,
  investor_id text collate "C" not null,
  cooperative_id text collate "C" not null references cooperatives deferrable initially deferred,
  state text not null check (state in (${quoted(paymentStates)})),
  amount numeric(24, 2) not null check (amount >= 0),
  currency text not null check (currency = '${currency}'),
  collection_id text collate "C",
  attempts jsonb not null,
  paid_on text,
  paid_by text check (paid_by in (${quoted(paymentWays)})),
  transfer_reference text,
  returned_on text,
  return_code text,
  charges numeric(24, 2) not null check (charges >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  foreign key (organization_id, share_purchase_id) references share_purchases deferrable initially deferred
);
alter table payments alter column state set (n_distinct = ${paymentStates.length});
create index payments_by_state on payments (state, sequence);
create index payments_by_cooperative_and_state on payments (cooperative_id, state, sequence);
create index payments_by_collection on payments (collection_id, state, sequence)
  where collection_id is not null;
select add_collection('payments');
${paymentTallies}
create table debit_collections (
  collection_id text collate "C" primary key,
  cooperative_id text collate "C" not null references cooperatives deferrable initially deferred,
  state text not null check (state in (${quoted(collectionStates)})),
  creditor jsonb not null,
  due_date text not null,
  is_open boolean not null,
  is_complete boolean not null,
  count integer not null check (count >= 0),
  total numeric(24, 2) not null check (total >= 0),
  currency text not null check (currency = '${currency}'),
  refused_count integer not null check (refused_count >= 0),
  refused_total numeric(24, 2) not null check (refused_total >= 0),
  announced_count integer not null check (announced_count >= 0),
  created_by text not null,
  created_by_id text collate "C" not null,
  created_at timestamptz not null,
  confirmed_by text,
  exported_at timestamptz,
  file_digest text,
  booked_on text,
  updated_at timestamptz not null,
  sequence bigint generated always as identity
);
alter table debit_collections alter column state set (n_distinct = ${collectionStates.length});
create index debit_collections_by_state on debit_collections (state, created_at, sequence);
create index debit_collections_by_cooperative_and_state
  on debit_collections (cooperative_id, state, created_at, sequence);
select add_collection('debit_collections');

create table direct_debits (
  end_to_end_id text collate "C" primary key,
  collection_id text collate "C" not null references debit_collections deferrable initially deferred,
  share_purchase_id text collate "C" not null,
  organization_id text collate "C" not null,
  investor_id text collate "C" not null,
  cooperative_id text collate "C" not null,
  amount numeric(24, 2) not null check (amount > 0),
  mandate_reference text not null,
  mandate_signed_on text not null,
  is_announced boolean not null,
  encrypted_debtor text not null,
  created_at timestamptz not null,
  sequence bigint generated always as identity,
  foreign key (organization_id, share_purchase_id) references share_purchases deferrable initially deferred
);
create index direct_debits_by_collection on direct_debits (collection_id, sequence);
-- Only references that partners chose. Banks ignore case in references.
create index direct_debits_by_mandate
  on direct_debits (cooperative_id, lower(mandate_reference collate "C"), sequence)
  where mandate_reference <> upper(replace(share_purchase_id, '-', ''));
select add_collection('direct_debits');

create table statements (
  statement_id text collate "C" primary key,
  file text not null,
  file_digest text not null,
  format text not null,
  account_iban text,
  "from" text,
  "to" text,
  entry_count integer not null check (entry_count >= 0),
  is_complete boolean not null,
  counts jsonb not null,
  imported_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity
);
create index statements_by_creation on statements (sequence);
create index statements_unfinished on statements (sequence) where not is_complete;
select add_collection('statements');

create table statement_entries (
  entry_id text collate "C" primary key,
  statement_id text collate "C" not null references statements deferrable initially deferred,
  identity text collate "C" not null,
  fact text collate "C",
  kind text not null check (kind in (${quoted(entryKinds)})),
  is_credit boolean not null,
  outcome text check (outcome in (${quoted(entryOutcomes)})),
  amount numeric(24, 2) not null check (amount >= 0),
  currency text not null,
  charges numeric(24, 2) not null check (charges >= 0),
  booked_on text,
  message_id text,
  batch_id text,
  end_to_end_id text,
  mandate_reference text,
  return_code text,
  encrypted_text text,
  share_purchase_id text collate "C",
  collection_id text collate "C",
  matched_by text check (matched_by in (${quoted(matchingWays)})),
  created_at timestamptz not null,
  sequence bigint generated always as identity
);
-- If two instances import the same entry at the same time, one of the works runs again and finds the entry of the other.
create unique index statement_entries_counting on statement_entries (identity)
  where outcome is not null and outcome <> 'repeated';
create unique index statement_entries_counting_facts on statement_entries (fact)
  where fact is not null and outcome is not null and outcome <> 'repeated';
create index statement_entries_by_statement on statement_entries (statement_id, sequence);
create index statement_entries_by_order on statement_entries (share_purchase_id, sequence)
  where share_purchase_id is not null;
create index statement_entries_unapplied on statement_entries (statement_id, sequence)
  where outcome is null;
create index statement_entries_unmatched on statement_entries (sequence) where outcome = 'unmatched';
select add_collection('statement_entries');

-- Partners do not see events about payments.
drop index events_log;
create index events_log on events (organization_id, written_in, sequence) where topic <> 'payment';
alter table events alter column type set (n_distinct = ${eventTypes.length});
`
