import { clientKinds } from '../../../../domain/oauth/client.ts'
import { operatorRoles, operatorStates } from '../../../../domain/operators/operator.ts'
import { environments } from '../../../../ports/collections.ts'
import { quoted } from '../../../store/collection.ts'

export const identity = `
create table settings (
  singleton boolean primary key default true check (singleton),
  environment text not null check (environment in (${quoted(environments)})),
  created_at timestamptz not null,
  encrypted_search_key text not null,
  encrypted_former_search_key text,
  key_change text not null,
  key_renewal text,
  four_eyes text[] collate "C"
);
select add_collection('settings', is_kept => true);

create table organizations (
  organization_id text collate "C" primary key,
  name text not null,
  folded_name text not null constraint organizations_name unique,
  investor_mail boolean not null,
  self_service boolean not null,
  disabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique
);
select add_collection('organizations', is_kept => true);

create table clients (
  organization_id text collate "C" not null references organizations deferrable initially deferred,
  client_id text collate "C" not null constraint clients_id unique,
  name text,
  kind text not null check (kind in (${quoted(clientKinds)})),
  granted_scopes text[] not null,
  secrets jsonb not null,
  disabled boolean not null,
  token_generation integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique,
  primary key (organization_id, client_id)
);
select add_collection('clients', is_kept => true);

create table operators (
  operator_id text collate "C" primary key,
  name text not null,
  folded_name text not null constraint operators_name unique,
  role text not null check (role in (${quoted(operatorRoles)})),
  state text not null check (state in (${quoted(operatorStates)})),
  token_digest text not null,
  encrypted_signing_key text not null,
  token_created_at timestamptz not null,
  sessions_ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique
);
select add_collection('operators', is_kept => true);

create table signing_keys (
  kid text collate "C" primary key,
  public_jwk jsonb not null,
  encrypted_private_jwk text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  retired_at timestamptz,
  sequence bigint generated always as identity unique
);
select add_collection('signing_keys', is_kept => true);
`
