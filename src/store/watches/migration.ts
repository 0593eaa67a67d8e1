import type { Migration } from "../migrations.ts";

/** Domains that are scanned again and again, what changed there, and who is told. */
export const WATCHES: Migration = {
  id: 5,
  name: "watched domains, their changes, webhooks and deliveries",
  up: [
    `create table watches (
      number integer primary key autoincrement,
      domain text not null unique,
      every_hours integer not null check (every_hours between 1 and 8760),
      paused integer not null default 0 check (paused in (0, 1)),
      tools_detected integer not null default 0,
      last_scan_at text,
      last_outcome text check (last_outcome in ('baseline', 'unchanged', 'changed', 'failed')),
      last_error text,
      known text,
      created_at text not null,
      run_after text not null,
      attempts integer not null default 0,
      lease text,
      leased_until text
    ) strict`,
    "create index watches_by_run_after on watches (paused, run_after)",
    `create table tool_changes (
      number integer primary key autoincrement,
      domain text not null,
      change text not null check (change in ('appeared', 'disappeared')),
      tool_id text not null,
      tool text not null,
      category text not null,
      confidence real not null,
      evidence text not null,
      at text not null,
      previous_at text not null
    ) strict`,
    "create index tool_changes_by_at on tool_changes (at, number)",
    "create index tool_changes_by_domain on tool_changes (domain, at, number)",
    `create table webhooks (
      id text primary key,
      url text not null,
      state text not null check (state in ('active', 'failing', 'disabled')),
      secret text not null,
      former_secret text,
      former_until text,
      created_at text not null,
      last_success_at text
    ) strict`,
    `create table deliveries (
      number integer primary key autoincrement,
      id text not null unique,
      webhook_id text not null references webhooks (id) on delete cascade,
      type text not null,
      body text not null,
      state text not null check (state in ('waiting', 'delivered', 'failed')),
      attempts integer not null default 0,
      last_status integer,
      last_error text,
      created_at text not null,
      updated_at text not null,
      run_after text not null,
      lease text,
      leased_until text
    ) strict`,
    "create index deliveries_by_run_after on deliveries (state, run_after)",
    "create index deliveries_by_webhook on deliveries (webhook_id, number)",
  ],
};
