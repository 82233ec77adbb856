/** The tables of servers that store orders without checks: orders, keys and rows of the outbox. */
export const orderTables = [
  `create table orders (
    id uuid primary key, investor_id text not null, status text not null, body jsonb not null,
    created_at timestamptz not null default now(), sequence bigint generated always as identity)`,
  'create index on orders (investor_id, sequence)',
  'create table keys (key text primary key, order_id uuid not null references orders)',
  `create table outbox (
    id uuid primary key, order_id uuid not null references orders, body jsonb not null, sent_at timestamptz)`,
]
