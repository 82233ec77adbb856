import {
  affiliations,
  dividendTypes,
  energyCategories,
} from '../../../../domain/cooperatives/cooperative.ts'
import { imageKinds } from '../../../../domain/cooperatives/image.ts'
import { quoted } from '../../../store/collection.ts'

export const catalogue = `
create table cooperatives (
  id text collate "C" primary key,
  key text collate "C" not null constraint cooperatives_key unique,
  published boolean not null,
  name text not null,
  description text,
  city text,
  postal_code text,
  website_url text,
  energy_category text not null check (energy_category in (${quoted(energyCategories)})),
  energy_type text,
  share_price numeric(17, 2) not null check (share_price >= 0),
  share_value numeric(17, 2) not null check (share_value >= 0),
  entry_fee numeric(17, 2) not null check (entry_fee >= 0),
  minimum_shares integer not null,
  dividend_type text not null check (dividend_type in (${quoted(dividendTypes)})),
  dividend_rate_percent double precision,
  bafa_funded boolean not null,
  affiliation text not null check (affiliation in (${quoted(affiliations)})),
  latitude double precision,
  longitude double precision,
  projects jsonb not null,
  has_hero_image boolean not null,
  has_card_image boolean not null,
  has_logo_image boolean not null,
  price_history jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sequence bigint generated always as identity unique,
  check ((latitude is null) = (longitude is null))
);
select add_collection('cooperatives', is_kept => true);

create table images (
  owner_id text collate "C" not null,
  kind text not null check (kind in (${quoted(imageKinds)})),
  content_type text not null,
  content bytea not null,
  etag text not null,
  primary key (owner_id, kind)
);
select add_collection('images');
`
