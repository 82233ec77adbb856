/** Functions that prove what works have read, and store what they put. */
export const commits = `
-- Every call of commit_works, so that an instance which has lost its connection can ask for the outcome. The time is that
-- of the database, because the clock of an instance may be wrong.
create table calls (
  id uuid primary key,
  stale integer[],
  created_at timestamptz not null default now()
);
create index calls_by_age on calls (created_at);

-- The outcome of a call after a connection was lost. If the call has not taken place, it returns null, and the call can
-- never take place, because its id is taken.
create function call_outcome(call uuid) returns integer[] language plpgsql as $$
begin
  insert into calls (id) values (call) on conflict do nothing;
  if found then
    return null;
  end if;
  return (select coalesce(c.stale, '{}') from calls c where c.id = call);
end
$$;

-- The tables that commit_works can store, in the order in which it locks and writes.
create table collections (
  name text collate "C" primary key,
  place integer generated always as identity
);

-- Makes the functions that commit rows of a table, and then commit_works. A migration calls it after it has added a table
-- or a column. The rows that works have read are found one by one by their primary key, in subqueries that no planner can
-- turn into a scan.
--   own_columns: those that belong to the database and not to records
--   is_kept: whether instances keep the collection in memory
create function add_collection(table_name text, own_columns text[] default '{}', is_kept boolean default false)
returns void language plpgsql as $add$
declare
  keys text[];
  key_types text;
  matches text;
  columns text;
  replaced text;
begin
  select array_agg(quote_ident(a.attname) order by k.place),
    string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by k.place),
    string_agg(format('t.%1$I = r.%1$I', a.attname), ' and ' order by k.place)
    into keys, key_types, matches
  from pg_index i, unnest(i.indkey) with ordinality k (number, place), pg_attribute a
  where i.indrelid = table_name::regclass and i.indisprimary and a.attrelid = i.indrelid and a.attnum = k.number;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('%1$I = excluded.%1$I', a.attname), ', ' order by a.attnum)
      filter (where quote_ident(a.attname) <> all (keys))
    into columns, replaced
  from pg_attribute a
  where a.attrelid = table_name::regclass and a.attnum > 0 and not a.attisdropped
    and a.attidentity = '' and a.attgenerated = '' and a.attname <> all (own_columns);

  insert into collections (name) values (table_name) on conflict do nothing;

  -- Returns the numbers of the works whose rows have changed. Each row is locked until the end of the call.
  execute format($make$
    create or replace function prove_%1$s(rows jsonb) returns integer[] language plpgsql as $f$
    begin
      return (select array_agg(read.w) from (
        select r.w, r.v, case when r.p
          then (select t.xmin::text from %1$I t where %2$s for no key update)
          else (select t.xmin::text from %1$I t where %2$s for share) end as now
        from jsonb_to_recordset(rows) as r (w integer, v text, p boolean, %3$s)
        offset 0
      ) read where read.now is distinct from read.v);
    end $f$ $make$, table_name, matches, key_types);

  execute format($make$
    create or replace function store_%1$s(part jsonb) returns void language plpgsql as $f$
    declare
      r record;
    begin
      if part ? 'inserts' then
        insert into %1$I (%2$s) select %2$s from jsonb_populate_recordset(null::%1$I, part -> 'inserts');
      end if;
      if part ? 'puts' then
        insert into %1$I (%2$s) select %2$s from jsonb_populate_recordset(null::%1$I, part -> 'puts')
          on conflict (%3$s) do %4$s;
      end if;
      if part ? 'removals' then
        for r in select * from jsonb_to_recordset(part -> 'removals') as r (v text, %5$s) loop
          delete from %1$I t where %6$s and (r.v is null or t.xmin::text = r.v);
        end loop;
      end if;
    end $f$ $make$, table_name, columns, array_to_string(keys, ', '),
    coalesce('update set ' || replaced, 'nothing'), key_types, matches);

  if is_kept then
    insert into changes (name, version) values (table_name, 1) on conflict do nothing;
    execute format('create or replace trigger note_change after insert or update or delete or truncate on %I
      for each statement execute function note_change()', table_name);
  end if;
  perform make_commit_works();
end
$add$;

-- Makes commit_works, which calls the functions of all tables by name, so that each connection plans its statements once.
create function make_commit_works() returns void language plpgsql as $make$
declare
  proofs text;
  stores text;
begin
  select string_agg(format('
      if works #> ''{%1$s,reads}'' is not null then stale_works := stale_works || prove_%1$s(works #> ''{%1$s,reads}''); end if;', name), '' order by place),
    string_agg(format('
      if works ? ''%1$s'' then perform store_%1$s(works -> ''%1$s''); end if;', name), '' order by place)
    into proofs, stores from collections;
  execute format($all$
    create or replace function commit_works(call uuid, works jsonb) returns integer[] language plpgsql as $f$
    declare
      stale_works integer[];
    begin
      insert into calls (id) values (call);
      -- What is acknowledged is on the disk, even if the database is set to promise less. If it promises more, it does.
      if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
      end if;
      -- A plan is kept: one that reads all of a small table would still do so when the table has grown.
      if current_setting('enable_seqscan') = 'on' then
        perform set_config('enable_seqscan', 'off', true);
      end if;
      if works ? 'kept' then
        -- With row locks, one reader after the other would overtake a waiting writer.
        perform case when r.p then pg_advisory_xact_lock(723683753, hashtext(r.name))
          else pg_advisory_xact_lock_shared(723683753, hashtext(r.name)) end
        from jsonb_to_recordset(works -> 'kept') as r (name text, p boolean);
        stale_works := (select array_agg(r.w)
          from jsonb_to_recordset(works -> 'versions') as r (w integer, name text, v bigint)
          where (select c.version from changes c where c.name = r.name) is distinct from r.v);
      end if;
      %1$s
      if stale_works is not null then
        update calls set stale = stale_works where id = call;
        works := without_works(works, stale_works);
      end if;
      %2$s
      return stale_works;
    end $f$ $all$, proofs, stores);
end
$make$;

-- What the works put that are not stale.
create function without_works(works jsonb, stale integer[]) returns jsonb language sql as $$
  select coalesce(jsonb_object_agg(name, parts), '{}') from (
    select t.name, jsonb_object_agg(p.kind, p.rows) as parts
    from collections t, jsonb_each(works -> t.name) part (kind, rows), lateral (
      select part.kind, jsonb_agg(e) as rows from jsonb_array_elements(part.rows) e
      where (e ->> 'w')::integer <> all (stale)
    ) p
    where p.rows is not null group by t.name
  ) left_over
$$;
`
