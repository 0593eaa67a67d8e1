import type { Migration } from "./migrations.ts";

/** What scans saw and nobody knew, and what the operator says was told wrongly. */
export const DISCOVERY: Migration = {
  id: 4,
  name: "unknown signals and false-positive reports",
  up: [
    `create table unknowns (
      kind text not null check (kind in ('verification', 'script', 'alias')),
      value text not null,
      domain text not null,
      example text not null,
      seen_at text not null,
      primary key (kind, value, domain)
    ) strict, without rowid`,
    "create index unknowns_by_domain on unknowns (domain)",
    "create index unknowns_by_seen_at on unknowns (seen_at)",
    "create index sightings_by_tool on sightings (tool_id, last_seen)",
    `create table feedback (
      domain text not null,
      tool_id text not null,
      tool text not null,
      rules text not null,
      note text,
      reported_at text not null,
      primary key (domain, tool_id)
    ) strict, without rowid`,
  ],
};
