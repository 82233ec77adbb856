/** A select of how the rows of a table or of a transition table count. */
type Counted = (rows: string, sign: '' | '-') => string

const day = (column: string) =>
  `to_char(${column} at time zone 'Europe/Berlin', 'YYYY-MM-DD') as period`

const ofOrders: Counted = (rows, sign) => `
    select 'placed' as name, status as part, ${day('created_at')}, ${sign}1 as count, ${sign}total as amount from ${rows}
    union all
    select 'settled', status, ${day('updated_at')}, ${sign}1, ${sign}total from ${rows} where status = 'settled'`

const ofDeliveries: Counted = (rows, sign) => `
    select 'attempted' as name,
      receiver || case when attempts -> -1 ->> 'failure' is null then '/delivered' else '/failed' end as part,
      left(attempts -> -1 ->> 'at', 13) as period, ${sign}1 as count, 0::numeric as amount
    from ${rows} where attempts <> '[]'::jsonb`

const ofPayments: Counted = (rows, sign) => `
    select 'payments' as name, state || '/' || cooperative_id as part, ${day('created_at')}, ${sign}1 as count, ${sign}amount as amount
    from ${rows}`

const sumsOf = (...parts: readonly string[]) => `
    select name, part, period, sum(count), sum(amount) from (${parts.join(' union all ')}) c
    group by name, part, period having sum(count) <> 0 or sum(amount) <> 0`

const addChanges = (...parts: readonly string[]) =>
  `insert into tallies (name, part, period, count, amount) ${sumsOf(...parts)};`

/** The functions and triggers that keep the tallies of a table, and the tallies of the rows that it has already. */
const keepTallies = (table: string, names: readonly string[], counted: Counted) => `
create function tally_${table}() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    ${addChanges(counted('new_rows', ''))}
  elsif tg_op = 'UPDATE' then
    ${addChanges(counted('old_rows', '-'), counted('new_rows', ''))}
  elsif tg_op = 'DELETE' then
    ${addChanges(counted('old_rows', '-'))}
  else
    delete from tallies where name in (${names.map((name) => `'${name}'`).join(', ')});
  end if;
  if random() < 0.02 then
    perform merge_tallies();
  end if;
  return null;
end
$$;
create trigger tally_inserts after insert on ${table}
  referencing new table as new_rows for each statement execute function tally_${table}();
create trigger tally_updates after update on ${table}
  referencing old table as old_rows new table as new_rows for each statement execute function tally_${table}();
create trigger tally_removals after delete on ${table}
  referencing old table as old_rows for each statement execute function tally_${table}();
create trigger tally_truncation after truncate on ${table} for each statement execute function tally_${table}();
insert into tallies (name, part, period, count, amount) ${sumsOf(counted(table, ''))};
`

/** The counts and sums that pages show (`Tally` in `src/adapters/store/collection.ts`). */
export const tallies = `
-- A sum that every write changed would be a row for which all writes wait. So a write only adds its changes, and
-- merge_tallies adds them up now and then. The sum of all rows of a part and period is always right.
create table tallies (
  name text collate "C" not null,
  part text collate "C" not null,
  period text collate "C" not null,
  count bigint not null,
  amount numeric(40, 2) not null,
  is_merged boolean not null default false
);
create index tallies_by_period on tallies (name, part, period);
create unique index tallies_merged on tallies (name, part, period) where is_merged;
create index tallies_changes on tallies (name) where not is_merged;
create index tallies_empty on tallies (name) where is_merged and count = 0 and amount = 0;

-- Deletes only changes that are committed, and waits for nobody.
create function merge_tallies() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(723683753, hashtext('tallies')) then
    return;
  end if;
  with merged as (
    delete from tallies where not is_merged returning name, part, period, count, amount
  )
  insert into tallies as t (name, part, period, count, amount, is_merged)
    select name, part, period, sum(count), sum(amount), true from merged group by name, part, period
    on conflict (name, part, period) where is_merged
    do update set count = t.count + excluded.count, amount = t.amount + excluded.amount;
  delete from tallies where is_merged and count = 0 and amount = 0;
end
$$;
${keepTallies('share_purchases', ['placed', 'settled'], ofOrders)}
${keepTallies('deliveries', ['attempted'], ofDeliveries)}
select merge_tallies();
`

export const paymentTallies = keepTallies('payments', ['payments'], ofPayments)

/** Finds sums that differ from the records, for the check of a store. */
export const findWrongTallies = `
  select format('tallies %s %s %s: %s and %s, but the records add up to %s and %s.', name, part, period,
      coalesce(k.count, 0), coalesce(k.amount, 0), coalesce(r.count, 0), coalesce(r.amount, 0)) as problem
    from (select name, part, period, sum(count) as count, sum(amount) as amount from tallies group by 1, 2, 3) k
    full join (${sumsOf(ofOrders('share_purchases', ''), ofDeliveries('deliveries', ''), ofPayments('payments', ''))}) r (name, part, period, count, amount)
      using (name, part, period)
    where coalesce(k.count, 0) <> coalesce(r.count, 0) or coalesce(k.amount, 0) <> coalesce(r.amount, 0)`
