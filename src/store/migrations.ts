import { DISCOVERY } from "./discovery-migration.ts";
import { INTAKE } from "./intake/migration.ts";
import { WATCHES } from "./watches/migration.ts";

/** One step of the schema. A step that was released never changes: a later one corrects it. */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly id: number;
  readonly name: string;
  readonly up: readonly string[];
}

export const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    name: "scans, keys and settings",
    up: [
      `create table scans (
        id integer primary key,
        domain text not null,
        scanned_at text not null,
        saved_at text not null,
        report text not null
      ) strict`,
      "create index scans_by_domain on scans (domain, scanned_at, id)",
      "create index scans_by_saved_at on scans (saved_at)",
      `create table snapshots (
        scan_id integer primary key references scans (id) on delete cascade,
        domain text not null,
        captured_at text not null,
        content blob not null
      ) strict`,
      "create index snapshots_by_domain on snapshots (domain, captured_at, scan_id)",
      `create table sightings (
        domain text not null,
        tool_id text not null,
        first_seen text not null,
        last_seen text not null,
        primary key (domain, tool_id)
      ) strict, without rowid`,
      `create table keys (
        id text primary key,
        email_folded text not null,
        hash text not null unique,
        hint text not null,
        monthly_limit integer not null check (monthly_limit >= 0),
        created_at text not null,
        revoked_at text
      ) strict`,
      "create unique index keys_one_active_per_email on keys (email_folded) where revoked_at is null",
      "create index keys_by_created_at on keys (created_at, id)",
      `create table usage (
        key_id text not null references keys (id) on delete cascade,
        month text not null,
        used integer not null check (used >= 0),
        primary key (key_id, month)
      ) strict, without rowid`,
      "create table settings (name text primary key, value text not null) strict",
    ],
  },
  {
    id: 2,
    name: "case studies and companies",
    up: [
      `create table companies (
        id integer primary key,
        slug text not null unique,
        name text not null,
        name_folded text not null,
        domain text,
        industry_raw text,
        industry_slug text,
        industry_key text,
        logo_url text,
        created_at text not null,
        updated_at text not null
      ) strict`,
      "create index companies_by_name on companies (name_folded, slug)",
      "create index companies_by_domain on companies (domain)",
      "create index companies_by_industry on companies (industry_key, name_folded, slug)",
      `create table company_trigrams (
        trigram text not null,
        company_id integer not null references companies (id) on delete cascade,
        primary key (trigram, company_id)
      ) strict, without rowid`,
      "create index company_trigrams_by_company on company_trigrams (company_id)",
      `create table clients (
        id integer primary key,
        name text,
        name_folded text not null,
        domain text,
        domain_folded text not null,
        unique (name_folded, domain_folded)
      ) strict`,
      "create index clients_by_domain on clients (domain_folded)",
      // Numbers are never used twice, so that an index beside the database cannot mistake a new row for an old one.
      `create table case_studies (
        number integer primary key autoincrement,
        id text not null unique,
        url text not null,
        url_key text not null unique,
        company_id integer not null references companies (id),
        client_id integer references clients (id),
        industry_raw text,
        industry_slug text,
        industry_key text,
        country text,
        published_at text,
        published_order text not null generated always as (coalesce(published_at, '')) stored,
        language text,
        origin text not null,
        licence text,
        fingerprint text not null,
        band_1 integer not null,
        band_2 integer not null,
        band_3 integer not null,
        band_4 integer not null,
        content_hash text not null,
        revision integer not null,
        created_at text not null,
        updated_at text not null,
        indexed_at text,
        title text not null,
        summary text,
        challenge text,
        solution text,
        products text not null,
        tools text not null,
        quote_text text,
        quote_person text,
        quote_role text,
        body text
      ) strict`,
      "create index case_studies_by_date on case_studies (published_order desc, id)",
      "create index case_studies_by_company on case_studies (company_id, published_order desc, id)",
      "create index case_studies_by_client on case_studies (client_id, published_order desc, id)",
      "create index case_studies_by_industry on case_studies (industry_key, published_order desc, id)",
      "create index case_studies_by_country on case_studies (country, published_order desc, id)",
      "create index case_studies_by_company_facets on case_studies (company_id, industry_key, client_id)",
      "create index case_studies_by_updated_at on case_studies (updated_at)",
      "create index case_studies_by_band_1 on case_studies (company_id, band_1)",
      "create index case_studies_by_band_2 on case_studies (company_id, band_2)",
      "create index case_studies_by_band_3 on case_studies (company_id, band_3)",
      "create index case_studies_by_band_4 on case_studies (company_id, band_4)",
      `create table outcomes (
        study_number integer not null references case_studies (number) on delete cascade,
        position integer not null,
        metric text not null,
        value real,
        unit text,
        direction text not null check (direction in ('increase', 'decrease', 'absolute')),
        text text not null,
        primary key (study_number, position)
      ) strict, without rowid`,
      `create table passages (
        id integer primary key autoincrement,
        study_number integer not null references case_studies (number) on delete cascade,
        position integer not null,
        heading text,
        text text not null,
        unique (study_number, position)
      ) strict`,
      `create table embeddings (
        study_number integer not null references case_studies (number) on delete cascade,
        model text not null,
        revision integer not null,
        embedded_at text not null,
        primary key (study_number, model)
      ) strict, without rowid`,
      `create table outbox (
        id integer primary key autoincrement,
        case_study_id text not null,
        action text not null check (action in ('upsert', 'delete')),
        attempts integer not null default 0,
        last_error text,
        created_at text not null,
        leased_until text
      ) strict`,
      "create index outbox_by_case_study on outbox (case_study_id, id)",
    ],
  },
  INTAKE,
  DISCOVERY,
  WATCHES,
];
