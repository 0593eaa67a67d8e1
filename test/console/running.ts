import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { type Box, openBox } from "../box/box.ts";
import { harbourline } from "../box/companies/harbourline.ts";
import { together, type World } from "../box/company.ts";
import { tidewell } from "../box/tidewell/tidewell.ts";
import { tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { flagsInto, until } from "../services/boxed-app.ts";

/** Scripts of tools on a page. */
export const HUBSPOT = '<script src="https://js.hs-scripts.com/123.js"></script>';
export const STRIPE = '<script src="https://js.stripe.com/v3/"></script>';

/**
 * The test internet: a company with every tool, a vendor, and a company whose page loads only this script; no rule
 * knows its TXT record.
 */
export const worldWith = (script: string): World =>
  together(harbourline(), tidewell(), {
    companies: [
      {
        domain: "brightpine.test",
        records: { "": { TXT: "quarrymetrics-site-verification=8f2c0d1e4b7a" } },
        pages: { "/": `<title>Brightpine</title>${script}`, "www/": script },
      },
    ],
  });

const ROOT = resolve(import.meta.dir, "../..");

export interface Service {
  readonly url: string;
  readonly operatorToken: string;
  readonly box: Box;
  /** A new key. */
  key(): Promise<string>;
  /** URL of a receiver that accepts every webhook message. */
  readonly listener: string;
  /** Requests the operator API. */
  manage(path: string, method?: "GET" | "POST" | "PUT" | "DELETE", body?: unknown): Promise<Record<string, unknown>>;
  /** Makes the next scans of all watches due. */
  makeDue(): void;
  /** Submits a page; returns the submission's id when it is ready for review. */
  submit(company: string, url: string): Promise<string>;
  /** Sets the monthly limit of an address's key. */
  limit(email: string, monthly: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a service with a new data directory: the recorded example, the included case studies, and a test internet in
 * which `harbourline.test` can be scanned live.
 *
 * @param command `CASEFILE_BINARY` names an executable; without it the source runs
 */
export async function startService(more: readonly string[] = []): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-console-"));
  const data = join(folder, "data");
  const command = process.env.CASEFILE_BINARY
    ? [resolve(process.env.CASEFILE_BINARY)]
    : [process.execPath, join(ROOT, "src/main.ts")];
  const env = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder };
  const box = await openBox(worldWith(HUBSPOT));
  const listener = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(null, { status: 204 }) });
  const example = join(ROOT, "data/examples/harbourline.example.json");
  // Not in the test internet: its recording cannot be renewed.
  const zone = join(folder, "driftwood.test.zone");
  await Bun.write(zone, "driftwood.test. 300 IN MX 1 aspmx.l.google.com.\n");
  for (const recording of [example, zone]) {
    const keep = [...command, "enrich", "--from", recording, "--keep", "--data-dir", data];
    const kept = Bun.spawn(keep, { cwd: folder, env, stdout: "ignore", stderr: "pipe" });
    if ((await kept.exited) !== 0) throw new Error(await kept.stderr.text());
  }

  const model = await writeFolder(join(folder, "tiny"), tinyTransformer());
  const added = Bun.spawn([...command, "model", "add", model, "--name", "tiny", "--data-dir", data], {
    ...{ cwd: folder, env, stdout: "ignore", stderr: "pipe" },
  });
  if ((await added.exited) !== 0) throw new Error(await added.stderr.text());

  const given = { ...(await flagsInto(box, data)), "net-extra-ports": listener.port };
  const flags = Object.entries(given).flatMap(([name, value]) => [
    `--${name}`,
    Array.isArray(value) ? value.join(",") : String(value),
  ]);
  const serve = [...command, "serve", "--port", "0", ...flags, "--accounts-keyless-per-hour", "1000", ...more];
  const child = Bun.spawn(serve, { cwd: folder, env, stdout: "pipe", stderr: "ignore" });
  const output = await readUntil(child.stdout, /running at (http:\S+)[\s\S]*curl -N/);
  const url = /running at (http:\S+)/.exec(output)?.[1] ?? "";
  const operatorToken = /cf_operator_\w{40}/.exec(output)?.[0] ?? "";
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const headers = { "content-type": "application/json" };
    return JSON.parse(
      await (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).text(),
    );
  };
  const manage: Service["manage"] = async (path, method = "GET", body) => {
    const answer = await fetch(`${url}/admin/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return JSON.parse(await answer.text());
  };
  let keys = 0;
  return {
    url,
    operatorToken,
    box,
    listener: `http://127.0.0.1:${listener.port}/`,
    makeDue() {
      const database = new Database(join(data, "casefile.sqlite"));
      database.run("update watches set run_after = '2020-01-01T00:00:00.000Z'");
      database.close();
    },
    async key() {
      keys += 1;
      return String((await post("/v1/keys", { email: `person${keys}@brightpine.test` })).api_key);
    },
    manage,
    async limit(email, monthly_limit) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${operatorToken}` };
      const path = `${url}/admin/keys/${encodeURIComponent(email)}`;
      await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ monthly_limit }) });
    },
    async submit(company_name, case_study_url) {
      const contact_email = "mara@tidewell.test";
      const id = String((await post("/v1/submit", { company_name, case_study_url, contact_email })).submission_id);
      await until(async () => (await manage(`submissions/${id}`)).state === "review");
      return id;
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      await Promise.all([box.close(), listener.stop(true)]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Debian's Chromium, or the one that `CHROMIUM` names. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

async function readUntil(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (pattern.test(text)) return text;
  }
  throw new Error(`the service ended before it printed its address:\n${text}`);
}
