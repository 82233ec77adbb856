export const orders = `
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
