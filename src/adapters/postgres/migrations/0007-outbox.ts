export const outbox = `
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
