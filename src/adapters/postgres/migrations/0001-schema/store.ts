/** The store as a whole, and what instances share besides its records. */
export const store = `
-- Exists once a store has begun.
create table store (
  singleton boolean primary key default true check (singleton),
  key_check text not null,
  -- Set while the encryption key of the store changes.
  rotation jsonb,
  -- Where the store was copied to, once the copy is the live store.
  moved_to text,
  moved_at timestamptz,
  check ((moved_to is null) = (moved_at is null))
);

-- While a store has moved, a trigger on each of its tables calls this function. Other stores have no such trigger, so it
-- costs them nothing.
create function refuse_moved() returns trigger language plpgsql as $$
begin
  raise exception 'The store was moved to %.', (select moved_to from store) using errcode = '25006';
end
$$;

-- A version for each collection that instances keep in memory, and for the row of the store. An instance may use what it
-- keeps as long as the version is the same.
create table changes (
  name text collate "C" primary key,
  version bigint not null
);
insert into changes (name, version) values ('store', 1);

-- Raises the version of a table when anyone changes the table, by hand as well, and notifies the instances that listen.
create function note_change() returns trigger language plpgsql as $$
begin
  update changes set version = version + 1 where name = tg_table_name;
  perform pg_notify('coopshare', '');
  return null;
end
$$;

-- The instance that sends to each receiver.
create table receiver_leases (
  receiver text collate "C" primary key,
  owner text collate "C" not null,
  until timestamptz not null
);
`
