// A released text never changes, because every database keeps its checksum. Later changes are separate migrations.
export const schema = `
create table store (
  singleton boolean primary key default true check (singleton),
  key_check text not null
);

create table settings (
  singleton boolean primary key default true check (singleton),
  environment text not null check (environment in ('staging', 'production')),
  created_at timestamptz not null
);

create table organizations (
  organization_id text collate "C" primary key,
  name text not null,
  folded_name text not null constraint organizations_name unique,
  investor_mail boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique
);

create table clients (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  client_id text collate "C" not null constraint clients_id unique,
  name text,
  kind text not null check (kind in ('partner', 'internal')),
  granted_scopes text[] not null,
  secrets jsonb not null,
  disabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique,
  primary key (organization_id, client_id)
);

create table signing_keys (
  kid text collate "C" primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  retired_at timestamptz,
  sequence bigint generated always as identity unique
);

create table cooperatives (
  id text collate "C" primary key,
  key text collate "C" not null constraint cooperatives_key unique,
  published boolean not null,
  name text not null,
  description text,
  city text,
  postal_code text,
  website_url text,
  energy_category text not null
    check (energy_category in ('solar', 'wind', 'heat', 'chp', 'hydro', 'biomass', 'other')),
  energy_type text,
  share_price numeric(17, 2) not null check (share_price >= 0),
  share_value numeric(17, 2) not null check (share_value >= 0),
  entry_fee numeric(17, 2) not null check (entry_fee >= 0),
  minimum_shares integer not null,
  dividend_type text not null check (dividend_type in ('fixed', 'variable', 'none')),
  dividend_rate_percent double precision,
  bafa_funded boolean not null,
  affiliation text not null check (affiliation in ('affiliated', 'independent')),
  latitude double precision,
  longitude double precision,
  projects jsonb not null,
  has_hero_image boolean not null,
  has_card_image boolean not null,
  has_logo_image boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique,
  check ((latitude is null) = (longitude is null))
);

-- Changes with every cooperative, so that whoever keeps the catalogue knows when it is old.
create table catalogue (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
insert into catalogue (version) values (1);

create table images (
  owner_id text collate "C" not null,
  kind text not null check (kind in ('hero', 'card', 'logo', 'project')),
  content_type text not null,
  content bytea not null,
  etag text not null,
  primary key (owner_id, kind)
);

create table investors (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  investor_id text collate "C" not null constraint investors_id unique,
  partner_customer_ref text collate "C" not null,
  sealed_personal_data text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  primary key (organization_id, investor_id),
  constraint investors_ref unique (organization_id, partner_customer_ref)
);
create index investors_by_organization on investors (organization_id, sequence);

create table share_purchases (
  organization_id text collate "C" not null,
  share_purchase_id text collate "C" not null constraint share_purchases_id unique,
  investor_id text collate "C" not null,
  cooperative_id text collate "C" not null references cooperatives deferrable initially deferred,
  status text not null
    check (status in ('draft', 'submitted', 'approved', 'settled', 'rejected', 'cancelled')),
  share_count integer not null check (share_count > 0),
  applicant_type text not null check (applicant_type in ('private', 'company')),
  price_per_share numeric(17, 2) not null check (price_per_share >= 0),
  entry_fee numeric(17, 2) not null check (entry_fee >= 0),
  total numeric(24, 2) not null check (total >= 0),
  currency text not null check (currency = 'EUR'),
  mandate_reference text not null,
  mandate_signed_at timestamptz not null,
  sealed_debtor_iban text not null,
  debtor_iban_masked text not null,
  terms_given_at timestamptz,
  privacy_given_at timestamptz,
  statute_given_at timestamptz,
  reason text,
  transitions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  primary key (organization_id, share_purchase_id),
  foreign key (organization_id, investor_id) references investors deferrable initially deferred
);
create index share_purchases_in_order on share_purchases (sequence);
create index share_purchases_by_status on share_purchases (status, sequence);
create index share_purchases_by_organization on share_purchases (organization_id, sequence);
create index share_purchases_by_organization_and_status
  on share_purchases (organization_id, status, sequence);
create index share_purchases_by_investor on share_purchases (organization_id, investor_id, sequence);

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
  primary key (organization_id, investor_id, cooperative_id),
  foreign key (organization_id, investor_id) references investors deferrable initially deferred
);

create table idempotency_records (
  organization_id text collate "C" not null,
  client_id text collate "C" not null,
  key text collate "C" not null,
  sealed_request_digest text not null,
  share_purchase_id text collate "C" not null,
  expires_at timestamptz not null,
  primary key (organization_id, client_id, key),
  foreign key (organization_id, client_id) references clients deferrable initially deferred,
  foreign key (organization_id, share_purchase_id)
    references share_purchases deferrable initially deferred
);
create index idempotency_records_by_expiry on idempotency_records (expires_at);

create table webhook_endpoints (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  webhook_endpoint_id text collate "C" not null constraint webhook_endpoints_id unique,
  url text not null,
  sealed_signing_secret text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique,
  primary key (organization_id, webhook_endpoint_id),
  constraint webhook_endpoints_url unique (organization_id, url)
);

create table events (
  organization_id text collate "C" not null,
  event_id text collate "C" not null constraint events_id unique,
  share_purchase_id text collate "C" not null,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  delivery_ids text[] not null,
  pending integer not null check (pending >= 0),
  delivered integer not null check (delivered >= 0),
  dead integer not null check (dead >= 0),
  state text not null generated always as (
    case when dead > 0 then 'dead' when pending > 0 then 'pending'
      when delivered > 0 then 'delivered' else 'none' end
  ) stored,
  sequence bigint generated always as identity,
  primary key (organization_id, event_id),
  foreign key (organization_id, share_purchase_id)
    references share_purchases deferrable initially deferred
);
create index events_as_created on events (organization_id, sequence);
create index events_by_time on events (created_at, sequence);
create index events_by_organization on events (organization_id, created_at, sequence);
create index events_by_state on events (state, created_at, sequence);
create index events_by_organization_and_state on events (organization_id, state, created_at, sequence);

-- Receivers, not endpoints, are what a delivery refers to: it outlives the endpoint, so it has no reference to one.
create table deliveries (
  organization_id text collate "C" not null,
  delivery_id text collate "C" not null constraint deliveries_id unique,
  event_id text collate "C" not null,
  share_purchase_id text collate "C" not null,
  kind text not null check (kind in ('webhook', 'mail')),
  lane text collate "C" not null,
  state text not null check (state in ('waiting', 'pending', 'delivered', 'dead')),
  attempts_in_round integer not null,
  next_attempt_at timestamptz,
  dead_because text,
  attempts jsonb not null,
  is_first_attempt boolean not null generated always as (attempts = '[]'::jsonb) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity,
  claimed_until timestamptz,
  is_under_way boolean not null default false,
  primary key (organization_id, delivery_id),
  foreign key (organization_id, event_id) references events deferrable initially deferred,
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index deliveries_due on deliveries (lane, is_first_attempt, next_attempt_at, sequence)
  where state = 'pending';
create index deliveries_claimed on deliveries (claimed_until) where claimed_until is not null;
create index deliveries_unfinished on deliveries (lane, sequence) where state in ('waiting', 'pending');
create index deliveries_by_state on deliveries (kind, state);
create index deliveries_dead_mails on deliveries (created_at, sequence)
  where state = 'dead' and kind = 'mail';
create index deliveries_dead_mails_by_organization on deliveries (organization_id, created_at, sequence)
  where state = 'dead' and kind = 'mail';
create index deliveries_pending on deliveries (kind, next_attempt_at, sequence) where state = 'pending';
`
