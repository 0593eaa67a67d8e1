/** Processes that share a PostgreSQL database, and the search index of each. */
const NODES: Migration = {
  id: 11,
  name: "nodes and their search indexes",
  up: [
    `create table nodes (
      id text primary key,
      host text not null,
      index_id text not null,
      started_at text not null,
      seen_at text not null
    ) strict`,
    "create table node_indexes (id text primary key, host text not null, seen_at text not null) strict",
    "alter table outbox add column index_id text not null default 'local'",
    "create index outbox_by_index on outbox (index_id, case_study_id, id)",
  ],
};

/** What the nodes of a PostgreSQL database count and hold in common; on SQLite a process has it in memory. */
const SHARED_STATE: Migration = {
  id: 13,
  name: "what nodes count and hold in common",
  up: [
    `create table client_calls (
      client text primary key,
      times text not null,
      last_at text not null
    ) strict, without rowid`,
    "create table crawl_turns (host text primary key, free_at text not null) strict, without rowid",
    `create table scan_claims (
      scan text primary key,
      lease text not null,
      leased_until text not null
    ) strict, without rowid`,
    `create table console_sessions (
      id text primary key,
      token blob not null,
      ends_at text not null
    ) strict, without rowid`,
  ],
};

/** Domains from which nothing is requested. */
const OPT_OUTS: Migration = {
  id: 14,
  name: "opt-outs",
  up: ["create table opt_outs (pattern text primary key, note text, created_at text not null) strict, without rowid"],
};

/** What the operator's overview shows over time: buckets of a minute and of an hour of each node. */
const ACTIVITY: Migration = {
  id: 15,
  name: "activity of the last 30 days",
  up: [
    `create table activity (
      span text not null check (span in ('minute', 'hour')),
      start_at text not null,
      node text not null,
      requests integer not null,
      errors integer not null,
      scans integer not null,
      queue_depth integer not null,
      latencies text not null,
      primary key (span, start_at, node)
    ) strict, without rowid`,
  ],
};

/** Null in rows of releases before. */
const NODE_RELEASES: Migration = {
  id: 16,
  name: "release and schema of each node",
  up: ["alter table nodes add column version text", "alter table nodes add column schema integer"],
};

/**
 * Operators with names and roles, how they sign in, their sessions, and what they did. Nothing uses `console_sessions`
 * any more; a node of the release before does.
 */
const OPERATORS: Migration = {
  id: 17,
  name: "operators, sign-in links, sessions and the audit trail",
  up: [
    `create table operators (
      id text primary key,
      name text not null,
      name_folded text not null unique,
      email text unique,
      role text not null check (role in ('reader', 'reviewer', 'admin')),
      subject text unique,
      provisioned integer not null check (provisioned in (0, 1)),
      created_at text not null,
      last_sign_in_at text
    ) strict, without rowid`,
    `create table sign_in_links (
      hash text primary key,
      operator_id text not null references operators (id) on delete cascade,
      created_at text not null,
      ends_at text not null
    ) strict, without rowid`,
    "create index sign_in_links_by_operator on sign_in_links (operator_id)",
    `create table operator_sessions (
      hash text primary key,
      id text not null unique,
      operator_id text references operators (id) on delete cascade,
      token_hash text,
      way text not null check (way in ('token', 'link', 'identity_provider')),
      client text not null,
      agent text,
      created_at text not null,
      last_seen_at text not null,
      ends_at text not null
    ) strict, without rowid`,
    "create index operator_sessions_by_operator on operator_sessions (operator_id, created_at)",
    "create index operator_sessions_by_ends_at on operator_sessions (ends_at)",
    `create table audit (
      number integer primary key autoincrement,
      at text not null,
      kind text not null check (kind in ('session', 'token', 'command')),
      operator_id text,
      operator text not null,
      role text not null,
      session text,
      client text,
      action text not null,
      target text,
      status integer
    ) strict`,
    "create index audit_by_at on audit (at, number)",
    "create index audit_by_operator on audit (operator_id)",
  ],
};

/** Forwards what a scan has found so far to nodes that wait for it. */
const SCAN_PROGRESS: Migration = {
  id: 18,
  name: "progress of claimed scans",
  up: [
    "alter table scan_claims add column watched integer not null default 0",
    "alter table scan_claims add column events integer not null default 0",
    "alter table scan_claims add column progress text",
  ],
};

/** Null in rows of releases before. */
const NODE_CONTENTS: Migration = {
  id: 19,
  name: "what each node detects and searches with",
  up: ["alter table nodes add column rules text", "alter table nodes add column model text"],
};

/**
 * Custom fingerprints of the installation, and custom models on their way from one node to the others. A problem of a node
 * is null in rows of releases before.
 */
const SHARED_CONTENT: Migration = {
  id: 20,
  name: "custom fingerprints and models of all nodes",
  up: [
    `create table custom_fingerprints (
      file text primary key,
      content blob not null
    ) strict, without rowid`,
    `create table shared_models (
      id text primary key,
      name text unique,
      manifest text not null,
      storage text,
      created_at text not null,
      stored_at text,
      lost_at text,
      removed_at text
    ) strict, without rowid`,
    `create table shared_model_parts (
      model_id text not null references shared_models (id) on delete cascade,
      file integer not null,
      part integer not null,
      content blob not null,
      primary key (model_id, file, part)
    ) strict`,
    "alter table nodes add column problem text",
  ],
};

/** How to read an outcome's figure. Null in outcomes that were stored without it. */
const OUTCOME_READINGS: Migration = {
  id: 8,
  name: "what an outcome measures, its kind, and whether it is better",
  up: [
    "alter table outcomes add column noun text",
    "alter table outcomes add column kind text check (kind in ('change', 'level', 'qualitative'))",
    "alter table outcomes add column from_value real",
    "alter table outcomes add column to_value real",
    "alter table outcomes add column is_better integer check (is_better in (0, 1))",
    "alter table outcomes add column sentence text",
  ],
};

/** Case studies that the model cannot embed, whatever the number of attempts. */
const INDEX_FAILURES: Migration = {
  id: 6,
  name: "case studies that cannot be embedded",
  up: [
    "alter table outbox add column failed_at text",
    "create index outbox_failed on outbox (failed_at) where failed_at is not null",
  ],
};

/** Dated recordings of one company, which are joined into one view. */
const RECORDINGS: Migration = {
  id: 7,
  name: "dated recordings and their joined view",
  up: [
    "alter table scans add column origin text not null default 'scan'",
    "alter table scans add column digest text",
    "create unique index scans_by_digest on scans (domain, digest) where digest is not null",
    `create table views (
      domain text primary key,
      scan_id integer not null,
      report text not null
    ) strict, without rowid`,
  ],
};

/** How far files of recordings were read. */
const INGESTS: Migration = {
  id: 10,
  name: "progress of reading archives",
  up: [
    `create table ingests (
      digest text not null,
      start integer not null,
      position integer not null,
      done integer not null check (done in (0, 1)),
      counts text not null,
      updated_at text not null,
      primary key (digest, start)
    ) strict, without rowid`,
  ],
};

/** Unmatched signals and false-positive reports. */
const DISCOVERY: Migration = {
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

/** Submissions, the jobs that process them, crawled pages, emails and corrections. */
const INTAKE: Migration = {
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
    // At most one open job per kind and subject.
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

/** Watched domains, their tool changes, webhooks and deliveries. */
const WATCHES: Migration = {
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

/** Lists of domains that are scanned in the background. */
const BATCHES: Migration = {
  id: 9,
  name: "batches of domains",
  up: [
    `create table batches (
      number integer primary key autoincrement,
      id text not null unique,
      owner text not null,
      name text,
      state text not null check (state in ('loading', 'running', 'paused', 'cancelled', 'done')),
      idempotency_key text,
      digest text not null,
      options text not null,
      webhook_id text,
      charged_key text,
      charged_month text,
      total integer not null,
      domains integer not null,
      created_at text not null,
      resumed_at text not null,
      resumed_finished integer not null default 0,
      finished_at text
    ) strict`,
    "create unique index batches_once on batches (owner, idempotency_key) where idempotency_key is not null",
    "create index batches_by_owner on batches (owner, number)",
    "create index batches_by_state on batches (state)",
    `create table batch_items (
      number integer primary key autoincrement,
      batch_id text not null references batches (id) on delete cascade,
      position integer not null,
      input text not null,
      cells text,
      domain text,
      state text not null check (state in ('waiting', 'done', 'failed', 'invalid', 'duplicate', 'cancelled')),
      duplicate_of integer,
      error_code text,
      error text,
      result blob,
      finished_at text,
      run_after text not null,
      attempts integer not null default 0,
      lease text,
      leased_until text,
      unique (batch_id, position)
    ) strict`,
    "create index batch_items_due on batch_items (batch_id, run_after, number) where state = 'waiting' and lease is null",
    "create index batch_items_leased on batch_items (leased_until) where state = 'waiting' and lease is not null",
    "create index batch_items_by_state on batch_items (batch_id, state, error_code)",
  ],
};

/** Dated observations of companies, and the index of who uses what, which can be rebuilt from them. */
const STACK: Migration = {
  id: 12,
  name: "observations and the stack index",
  up: [
    `create table observations (
      id integer primary key,
      domain text not null,
      observed_at text not null,
      recording text not null,
      content blob not null,
      unique (domain, observed_at, recording)
    ) strict`,
    `create table stack_queue (
      domain text primary key,
      revision integer not null
    ) strict, without rowid`,
    `create table stack_state (
      id integer primary key check (id = 1),
      format integer not null,
      incarnation text not null,
      generation integer not null
    ) strict`,
    `create table stack_companies (
      number integer primary key autoincrement,
      domain text not null unique,
      first_scanned_at text not null,
      scanned_at text not null,
      tools integer not null,
      entry blob not null
    ) strict`,
    "create index stack_companies_by_scanned_at on stack_companies (scanned_at, domain)",
    "create index stack_companies_by_tools on stack_companies (tools, domain)",
    `create table stack_terms (
      id integer primary key autoincrement,
      kind text not null check (kind in ('tool', 'script', 'txt', 'cname', 'top')),
      key text not null,
      name text not null,
      category text not null,
      unique (kind, key)
    ) strict`,
    `create table stack_counts (
      term integer primary key,
      companies integer not null,
      first_day integer not null,
      last_day integer not null
    ) strict`,
    `create table stack_postings (
      term integer not null,
      list integer not null,
      chunk integer not null,
      content blob not null,
      primary key (term, list, chunk)
    ) strict, without rowid`,
    `create table stack_pending (
      number integer primary key,
      base blob
    ) strict`,
  ],
};

/** One step of the schema. A released migration never changes; a later one corrects it. */
export interface Migration {
  /** 1, 2, 3, … without gaps. */
  readonly id: number;
  readonly name: string;
  readonly up: readonly string[];
  /**
   * The newest migration that a node must know to run with this one applied. Undefined when the step only adds, so that nodes of
   * the release before keep running; a step that removes, renames or narrows something names the migration whose release
   * stopped using it.
   */
  readonly requires?: number;
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
      // Autoincrement never reuses a number, so the search index cannot confuse a new row with a deleted one.
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
  INDEX_FAILURES,
  RECORDINGS,
  OUTCOME_READINGS,
  BATCHES,
  INGESTS,
  NODES,
  STACK,
  SHARED_STATE,
  OPT_OUTS,
  ACTIVITY,
  NODE_RELEASES,
  OPERATORS,
  SCAN_PROGRESS,
  NODE_CONTENTS,
  SHARED_CONTENT,
];
