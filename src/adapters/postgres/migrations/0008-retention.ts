export const retention = `
-- Since when an event has been retained: its creation, or the last time that somebody looked at it and it had to stay.
alter table events add column retained_from timestamptz;
update events set retained_from = created_at;
alter table events alter column retained_from set not null;
create index events_by_retention on events (retained_from, sequence);
select add_collection('events', '{written_in}');
`
