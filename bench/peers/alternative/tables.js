/** The tables, with the constraints and indexes that the routes need. graphile-worker adds its own. */
export const tables = `
  create table organizations (
    organization_id uuid primary key,
    name text not null
  );
  create table clients (
    client_id uuid primary key,
    organization_id uuid not null references organizations,
    secret_sha256 text not null,
    scopes text[] not null
  );
  create table signing_keys (kid text primary key, private_jwk jsonb not null);
  create table endpoints (
    endpoint_id uuid primary key,
    organization_id uuid not null references organizations,
    url text not null,
    signing_secret text not null
  );
  create index on endpoints (organization_id);
  create table cooperatives (
    cooperative_id uuid primary key,
    name text not null,
    description text,
    city text,
    postal_code text,
    website_url text,
    energy_category text not null,
    energy_type text,
    share_price numeric(12, 2) not null,
    share_value numeric(12, 2) not null,
    entry_fee numeric(12, 2) not null,
    minimum_shares integer not null,
    dividend_type text not null,
    dividend_rate_percent double precision,
    bafa_funded boolean not null default false,
    affiliation text not null,
    coordinates jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create table investors (
    investor_id uuid primary key,
    organization_id uuid not null references organizations,
    partner_customer_ref text not null,
    email text,
    profile jsonb,
    provision_digest text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, partner_customer_ref)
  );
  create table share_purchases (
    share_purchase_id uuid primary key,
    organization_id uuid not null references organizations,
    investor_id uuid not null references investors,
    cooperative_id uuid not null references cooperatives,
    status text not null,
    applicant_type text not null,
    share_count integer not null,
    price_per_share numeric(12, 2) not null,
    entry_fee numeric(12, 2) not null,
    total numeric(14, 2) not null,
    mandate_reference text not null,
    mandate_signed_at timestamptz not null,
    debtor_iban text not null,
    terms_given_at timestamptz not null,
    privacy_given_at timestamptz not null,
    statute_given_at timestamptz not null,
    reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null default now()
  );
  create index on share_purchases (investor_id, created_at desc);
  create table holdings (
    id uuid primary key default gen_random_uuid(),
    investor_id uuid not null references investors,
    cooperative_id uuid not null references cooperatives,
    shares integer not null default 0,
    pending_shares integer not null,
    first_acquired_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (investor_id, cooperative_id)
  );
  create table idempotency_keys (
    organization_id uuid not null references organizations,
    key text not null,
    digest text not null,
    share_purchase_id uuid not null references share_purchases,
    created_at timestamptz not null default now(),
    primary key (organization_id, key)
  );
  create index on idempotency_keys (created_at);
  create table events (
    event_id uuid primary key,
    organization_id uuid not null references organizations,
    share_purchase_id uuid not null references share_purchases,
    type text not null,
    body text not null,
    created_at timestamptz not null
  );
  create index on events (share_purchase_id);
  create table deliveries (
    event_id uuid not null references events,
    endpoint_id uuid not null references endpoints,
    state text not null default 'pending',
    attempts integer not null default 0,
    last_failure text,
    updated_at timestamptz not null default now(),
    primary key (event_id, endpoint_id)
  );
`
