import { shortIdLength } from '../../../../domain/ids.ts'
import { currency } from '../../../../domain/money.ts'
import { isPending } from '../../../../domain/share-purchases/dependencies.ts'
import { endedStatuses } from '../../../../domain/share-purchases/mandate-lapse.ts'
import {
  applicantTypes,
  sharePurchaseStatuses,
} from '../../../../domain/share-purchases/share-purchase.ts'
import { quoted } from '../../../store/collection.ts'

const pending = quoted(sharePurchaseStatuses.filter(isPending))
const position = 'organization_id, investor_id, cooperative_id'
const foldedReference = 'lower(mandate_reference collate "C")'
/** The others contain the id of their order. */
const isChosenReference = `mandate_reference <> upper(replace(share_purchase_id, '-', ''))`

export const sharePurchases = `
create table share_purchases (
  organization_id text collate "C" not null,
  share_purchase_id text collate "C" not null constraint share_purchases_id unique,
  investor_id text collate "C" not null,
  cooperative_id text collate "C" not null references cooperatives deferrable initially deferred,
  status text not null check (status in (${quoted(sharePurchaseStatuses)})),
  share_count integer not null check (share_count > 0),
  applicant_type text not null check (applicant_type in (${quoted(applicantTypes)})),
  price_per_share numeric(17, 2) not null check (price_per_share >= 0),
  entry_fee numeric(17, 2) not null check (entry_fee >= 0),
  total numeric(24, 2) not null check (total >= 0),
  currency text not null check (currency = '${currency}'),
  mandate_reference text not null,
  is_first_of_reference boolean,
  mandate_signed_at timestamptz not null,
  encrypted_debtor_iban text not null,
  debtor_iban_masked text not null,
  terms_given_at timestamptz,
  privacy_given_at timestamptz,
  statute_given_at timestamptz,
  reason text,
  -- Null in orders of the past that do not say on which others they depended.
  rests_on text[] collate "C",
  search_terms text[] collate "C" not null,
  fate jsonb,
  fate_due_at timestamptz,
  holds_up_fate boolean,
  proposal jsonb,
  transitions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  primary key (organization_id, share_purchase_id),
  foreign key (organization_id, investor_id) references investors deferrable initially deferred
);
-- If all orders have the same status so far, an index with the column must still be worth it.
alter table share_purchases alter column status set (n_distinct = ${sharePurchaseStatuses.length});

-- Lists by several filters. Without one of them, the lists of all its values are merged.
create index share_purchases_by_status_and_time on share_purchases (status, created_at, sequence);
create index share_purchases_by_organization_status_and_time
  on share_purchases (organization_id, status, created_at, sequence);
create index share_purchases_by_cooperative_and_status
  on share_purchases (cooperative_id, status, created_at, sequence);
create index share_purchases_by_both
  on share_purchases (organization_id, cooperative_id, status, created_at, sequence);
create index share_purchases_by_investor on share_purchases (organization_id, investor_id, sequence);
create index share_purchases_by_id_end on share_purchases (right(share_purchase_id, ${shortIdLength}), sequence);
create index share_purchases_by_term on share_purchases using gin (search_terms);
create index share_purchases_proposed on share_purchases (created_at, sequence) where proposal is not null;
create index share_purchases_settled on share_purchases (updated_at, sequence) where status = 'settled';
-- Production has no fates, so this index is empty there.
create index share_purchases_by_fate on share_purchases (fate_due_at, sequence) where fate_due_at is not null;

-- The orders on which another one of the same position may depend, and those that depend on others and end with them.
create index share_purchases_possible_dependencies on share_purchases (${position}, sequence)
  where status in (${pending}) and (rests_on is null or cardinality(rests_on) = 0 or entry_fee > 0);
create index share_purchases_dependents on share_purchases (${position}, sequence)
  where status in (${pending}) and cardinality(rests_on) > 0;

-- A reference that a partner chose stays with the account of the debtor that it was first used with.
create index share_purchases_by_mandate on share_purchases (organization_id, ${foldedReference}, sequence)
  where ${isChosenReference};
create unique index share_purchases_first_of_reference on share_purchases (organization_id, ${foldedReference})
  where is_first_of_reference;
-- The latest use of a mandate, without orders that ended before anything was collected.
create index share_purchases_mandate_uses on share_purchases (organization_id, ${foldedReference}, created_at, sequence)
  where ${isChosenReference}
    and (status not in (${quoted(endedStatuses)}) or transitions @> '[{"to": "approved"}]');
select add_collection('share_purchases');

create table holdings (
  organization_id text collate "C" not null,
  investor_id text collate "C" not null,
  cooperative_id text collate "C" not null references cooperatives deferrable initially deferred,
  id text collate "C" not null constraint holdings_id unique,
  shares integer not null check (shares >= 0),
  pending_shares integer not null check (pending_shares >= 0),
  first_acquired_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  primary key (${position}),
  foreign key (organization_id, investor_id) references investors deferrable initially deferred
);
select add_collection('holdings');

create table idempotency_records (
  organization_id text collate "C" not null,
  key text collate "C" not null,
  encrypted_request_digest text not null,
  share_purchase_id text collate "C" not null,
  expires_at timestamptz not null,
  primary key (organization_id, key),
  foreign key (organization_id, share_purchase_id)
    references share_purchases deferrable initially deferred
);
create index idempotency_records_by_expiry on idempotency_records (expires_at);
select add_collection('idempotency_records');
`
