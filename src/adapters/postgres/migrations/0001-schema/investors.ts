import { shortIdLength } from '../../../../domain/ids.ts'

export const investors = `
-- An erased person has no key. The record stays, because orders and holdings refer to it.
create table investors (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  investor_id text collate "C" not null constraint investors_id unique,
  partner_customer_ref text collate "C" not null,
  encrypted_personal_data text not null,
  encrypted_key text,
  search_terms text[] collate "C" not null,
  fate jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  erased_at timestamptz,
  erased_because text,
  erased_although_member boolean,
  sequence bigint generated always as identity,
  primary key (organization_id, investor_id),
  constraint investors_ref unique (organization_id, partner_customer_ref),
  check ((encrypted_key is null) = (erased_at is not null))
);
create index investors_by_organization on investors (organization_id, sequence);
create index investors_by_time on investors (created_at, sequence);
create index investors_by_organization_and_time on investors (organization_id, created_at, sequence);
create index investors_by_id_end on investors (right(investor_id, ${shortIdLength}), sequence);
create index investors_by_term on investors using gin (search_terms);
create index investors_erased on investors (erased_at, sequence) where erased_at is not null;
select add_collection('investors');
`
