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
];
