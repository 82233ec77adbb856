export const moved = `
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
