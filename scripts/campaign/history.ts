import type { Database } from "bun:sqlite";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../../src/accounts/service.ts";
import { storyOf } from "./crash/stories.ts";
import { type RunningService, runCommand } from "./running.ts";

/** Whether the database of an installation shows what was acknowledged. */
export type Holds = (database: Database) => boolean;

/** What a client was acknowledged, by subject: the oracle of a campaign. */
export interface History {
  readonly size: number;
  /** Counts of acknowledgements by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the database does not show, one sentence each. */
  missingIn(database: Database): string[];
  /**
   * Sends a request that changes a subject. While it has no response, either state of the subject is right.
   *
   * @returns the response's body
   */
  change(subject: string, send: () => Promise<unknown>, holds: (body: unknown) => Holds): Promise<unknown>;
}

export function createHistory(): History {
  const acknowledged = new Map<string, Holds>();
  const counts: Record<string, number> = {};
  return {
    get size() {
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    counts,
    missingIn: (database) =>
      [...acknowledged].flatMap(([subject, holds]) =>
        holds(database) ? [] : [`${subject} was acknowledged and is lost`],
      ),
    async change(subject, send, holds) {
      acknowledged.delete(subject);
      const body = await send();
      acknowledged.set(subject, holds(body));
      const [kind = ""] = subject.split(" ");
      counts[kind] = (counts[kind] ?? 0) + 1;
      return body;
    },
  };
}

const count = (database: Database, sql: string, ...parameters: (string | number)[]): number =>
  Number(database.query(`select count(*) from ${sql}`).values(...parameters)[0]?.[0]);
const has =
  (sql: string, ...parameters: (string | number)[]): Holds =>
  (database) =>
    count(database, sql, ...parameters) > 0;
const lacks =
  (sql: string, ...parameters: (string | number)[]): Holds =>
  (database) =>
    count(database, sql, ...parameters) === 0;

/** The response was not a success. */
export class Refused extends Error {}

export interface ClientOptions {
  readonly history: History;
  readonly dataDir: string;
  /** Folder for files and as home of commands. */
  readonly home: string;
  readonly operatorToken: string;
}

const SITE = "https://vendor.test/customers";
const MAX_WEBHOOKS = 10;

/** A client that changes everything that a service acknowledges, in an installation with the stories of `importStories`. */
export function createClient({ history, dataDir, home, operatorToken }: ClientOptions) {
  let serial = 0;
  let service: Pick<RunningService, "url">;
  const keys: string[] = [];
  const submissions: string[] = [];
  const watches: string[] = [];
  const webhooks: string[] = [];

  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const fieldOf = (body: unknown, name: string) => String(Object(body)[name]);

  const changes = {
    async key() {
      const email = `client${++serial}@buyer.test`;
      const body = await history.change(
        `key ${email}`,
        () => ask("POST", "/v1/keys", { email }),
        (issued) => has("keys where hash = ? and revoked_at is null", hashOf(fieldOf(issued, "api_key"))),
      );
      keys.push(fieldOf(body, "email"));
    },
    async revocation() {
      const email = keys.shift();
      if (email === undefined) return await changes.key();
      await history.change(
        `key ${email}`,
        () => ask("DELETE", `/admin/keys/${email}`),
        () => lacks("keys where email_folded = ? and revoked_at is null", email),
      );
    },
    async submission() {
      const url = `${SITE}/${++serial}`;
      const submission = { company_name: "Vendor", case_study_url: url, contact_email: "una@vendor.test" };
      const body = await history.change(
        `submission ${url}`,
        () => ask("POST", "/v1/submit", submission),
        (received) => has("submissions where id = ?", fieldOf(received, "submission_id")),
      );
      submissions.push(fieldOf(body, "submission_id"));
    },
    async approval() {
      const id = submissions.shift();
      if (id === undefined) return await changes.submission();
      await history.change(
        `approval ${id}`,
        () => ask("POST", `/admin/submissions/${id}/approve`),
        () => has("submissions where id = ? and approved_by = 'operator' and state not in ('waiting', 'review')", id),
      );
    },
    async rejection() {
      const id = submissions.shift();
      if (id === undefined) return await changes.submission();
      await history.change(
        `rejection ${id}`,
        () => ask("POST", `/admin/submissions/${id}/reject`, { reason: "Not a case study." }),
        () => has("submissions where id = ? and state = 'rejected'", id),
      );
    },
    async watch() {
      const domain = `watched${++serial}.test`;
      await history.change(
        `watch ${domain}`,
        () => ask("PUT", `/admin/watches/${domain}`, { paused: true }),
        () => has("watches where domain = ?", domain),
      );
      watches.push(domain);
    },
    async unwatch() {
      const domain = watches.shift();
      if (domain === undefined) return await changes.watch();
      await history.change(
        `watch ${domain}`,
        () => ask("DELETE", `/admin/watches/${domain}`),
        () => lacks("watches where domain = ?", domain),
      );
    },
    async webhook() {
      const old = webhooks.length >= MAX_WEBHOOKS ? webhooks.shift() : undefined;
      if (old !== undefined)
        await history.change(
          `webhook ${old}`,
          () => ask("DELETE", `/admin/webhooks/${old}`),
          () => lacks("webhooks where id = ?", old),
        );
      // The id is known with the response only.
      const url = `https://hooks.vendor.test/${++serial}`;
      const id = fieldOf(await ask("POST", "/admin/webhooks", { url }), "id");
      await history.change(
        `webhook ${id}`,
        async () => {},
        () => has("webhooks where id = ?", id),
      );
      webhooks.push(id);
    },
    async correction(worker: number) {
      const summary = `Corrected ${++serial} times.`;
      const id = `crash-story-${worker}`;
      await history.change(
        `correction ${id}`,
        () => ask("PATCH", `/admin/casestudies/${id}`, { summary }),
        () => has("case_studies where id = ? and summary = ?", id, summary),
      );
    },
    async company(worker: number) {
      const logo_url = `https://vendor.test/logo${++serial}.png`;
      const slug = `vendor-${worker}`;
      await history.change(
        `company ${slug}`,
        () => ask("PATCH", `/admin/companies/${slug}`, { logo_url }),
        () => has("companies where slug = ? and logo_url = ?", slug, logo_url),
      );
    },
    /** By a command, which acknowledges with its exit status. */
    async import() {
      const numbers = [1_000 + ++serial, 1_000 + ++serial];
      await importStories(numbers, history, dataDir, home);
    },
  };

  return {
    /** Sends all requests to a service from now on. Removes the webhooks whose response a kill prevented. */
    async use(running: Pick<RunningService, "url">) {
      service = running;
      const { webhooks: stored } = Object(await ask("GET", "/admin/webhooks"));
      for (const webhook of Array.isArray(stored) ? stored : []) {
        const id = fieldOf(webhook, "id");
        if (!webhooks.includes(id)) await ask("DELETE", `/admin/webhooks/${id}`);
      }
    },
    changes,
    kinds: Object.keys(changes) as (keyof typeof changes)[],
    ask,
  };
}

/** Imports stories by their numbers. @throws Error when the command fails */
export async function importStories(
  numbers: readonly number[],
  history: History,
  dataDir: string,
  home: string,
): Promise<void> {
  const file = join(home, `stories-${numbers[0]}.jsonl`);
  await writeFile(file, numbers.map((number) => `${JSON.stringify(storyOf(number, 0))}\n`).join(""));
  for (const number of numbers)
    await history.change(
      `import ${number}`,
      async () => {
        if (number !== numbers[0]) return;
        const { code, err } = await runCommand(["import", file], { "data-dir": dataDir }, home);
        if (code !== 0) throw new Error(`import: ${err}`);
      },
      () => has("case_studies where id = ?", `crash-story-${number}`),
    );
}
