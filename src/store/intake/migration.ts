import type { Migration } from "../migrations.ts";

/** From a submitted address to case studies: the work, what it found, and who is told. */
export const INTAKE: Migration = {
  id: 3,
  name: "submissions, jobs, crawled pages, mails and corrections",
  up: [
    `create table jobs (
      id integer primary key autoincrement,
      kind text not null,
      subject text not null,
      payload text not null,
      state text not null check (state in ('waiting', 'running', 'done', 'dead')),
      attempts integer not null default 0,
      max_attempts integer not null check (max_attempts > 0),
      last_error text,
      run_after text not null,
      lease text,
      leased_until text,
      created_at text not null,
      updated_at text not null
    ) strict`,
    // The same work is never asked for twice at once.
    "create unique index jobs_open_once on jobs (kind, subject) where state in ('waiting', 'running')",
    "create index jobs_by_state on jobs (state, run_after, id)",
    "create index jobs_by_subject on jobs (subject, kind)",
    `create table submissions (
      id text primary key,
      company_name text not null,
      company_slug text not null,
      company_domain text,
      case_study_url text not null,
      url_key text not null,
      contact_email text not null,
      state text not null,
      reason text,
      approved_by text,
      preview text,
      found integer not null default 0,
      received_at text not null,
      updated_at text not null
    ) strict`,
    `create unique index submissions_one_pending on submissions (url_key)
      where state not in ('rejected', 'available', 'failed')`,
    "create index submissions_by_received_at on submissions (received_at desc, id)",
    "create index submissions_by_state on submissions (state, received_at desc, id)",
    `create table sites (
      id integer primary key,
      submission_id text references submissions (id),
      company_name text not null,
      company_slug text not null,
      company_domain text,
      url text not null,
      url_key text not null unique,
      last_crawled_at text,
      next_crawl_at text
    ) strict`,
    "create index sites_by_next_crawl on sites (next_crawl_at)",
    `create table pages (
      url_key text primary key,
      site_id integer not null references sites (id) on delete cascade,
      url text not null,
      state text not null check (state in ('fetched', 'structured', 'refused', 'gone')),
      reason text,
      etag text,
      last_modified text,
      content_hash text,
      case_study_id text,
      fetched_at text not null,
      gone_at text,
      page blob
    ) strict, without rowid`,
    "create index pages_by_site on pages (site_id, state)",
    "create index pages_by_case_study on pages (case_study_id)",
    `create table mails (
      id integer primary key autoincrement,
      submission_id text not null references submissions (id) on delete cascade,
      event text not null,
      recipient text not null,
      subject text not null,
      body text not null,
      state text not null check (state in ('waiting', 'sending', 'sent', 'unclear', 'failed')),
      last_error text,
      created_at text not null,
      sent_at text,
      unique (submission_id, event)
    ) strict`,
    `create table corrections (
      case_study_id text not null,
      field text not null,
      value text not null,
      corrected_at text not null,
      primary key (case_study_id, field)
    ) strict, without rowid`,
    `create table provenance (
      case_study_id text not null,
      pointer text not null,
      engine text not null,
      sentence text,
      confidence real not null,
      primary key (case_study_id, pointer)
    ) strict, without rowid`,
    `create table study_versions (
      id integer primary key,
      case_study_id text not null,
      revision integer not null,
      replaced_at text not null,
      content text not null,
      unique (case_study_id, revision)
    ) strict`,
  ],
};
