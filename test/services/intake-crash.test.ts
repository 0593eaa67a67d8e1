import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Submission } from "../../src/casestudies/intake/types.ts";
import { type Box, openBox } from "../box/box.ts";
import { STORIES } from "../box/tidewell/stories.ts";
import { addressOf, tidewell } from "../box/tidewell/tidewell.ts";
import { flagsInto, until } from "./boxed-app.ts";
import { type MailBox, openMailBox } from "./mail-box.ts";

/** Number of site requests before each kill: during the preview, the crawl and the extraction. */
const KILLED_AT = [1, 4, 9, 16, 24, 30];

let box: Box;
let mails: MailBox;
let dataDir: string;
let flags: string[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "casefile-killed-"));
  box = await openBox(tidewell());
  mails = await openMailBox();
  const given = {
    ...(await flagsInto(box, dataDir)),
    "smtp-url": mails.url,
    "smtp-from": "casefile@operator.test",
    // The starter data would be embedded at the same time.
    "starter-enabled": "false",
  };
  flags = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
});
afterAll(async () => {
  await Promise.all([box.close(), mails.close()]);
  await rm(dataDir, { recursive: true });
});

interface Service {
  readonly url: string;
  readonly token: string | undefined;
  kill(): Promise<void>;
}

/** The program itself, as a user starts it. */
async function start(): Promise<Service> {
  const main = join(import.meta.dir, "../../src/main.ts");
  const child = Bun.spawn([process.execPath, main, "serve", "--port", "0", ...flags], { stderr: "ignore" });
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("Try it")) break;
  }
  const url = /running at (http:\/\/\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(`The service did not start: ${text}`);
  return {
    url,
    token: /Operator token, shown until it is first used: (\S+)/.exec(text)?.[1],
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function ask<T>(
  service: Service,
  path: string,
  options: { token?: string; body?: unknown; key?: string } = {},
): Promise<T> {
  const { token, body, key } = options;
  const answer = await fetch(`${service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(key ? { "X-API-Key": key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

test("a submission whose service is killed at any stage ends with the same searchable case studies", async () => {
  let service = await start();
  const { token } = service;
  if (!token) throw new Error("No operator token was shown.");
  const { submission_id: id } = await ask<{ submission_id: string }>(service, "/v1/submit", {
    body: {
      company_name: "Tidewell",
      case_study_url: "https://tidewell.test/customers",
      contact_email: "una@tidewell.test",
    },
  });
  const { api_key: key } = await ask<{ api_key: string }>(service, "/v1/keys", { body: { email: "ada@buyer.test" } });
  const submission = () => ask<Submission>(service, `/admin/submissions/${id}`, { token });
  const requests = () => box.hits.filter(({ kind }) => kind === "http").length;

  let approved = false;
  const approveWhenReady = async () => {
    if (approved || (await submission()).state !== "review") return;
    await ask(service, `/admin/submissions/${id}/approve`, { token, body: {} });
    approved = true;
  };
  const ended = async () => ["available", "failed"].includes((await submission()).state);

  let kills = 0;
  for (const count of KILLED_AT) {
    const before = requests();
    await until(async () => {
      await approveWhenReady();
      return requests() >= before + count || (await ended());
    });
    await service.kill();
    kills += 1;
    service = await start();
  }
  await until(async () => {
    await approveWhenReady();
    return await ended();
  });
  // Kill once more while emails are sent.
  await service.kill();
  service = await start();
  await until(async () => (await waitingMails()) === 0);

  expect(await submission()).toMatchObject({
    state: "available",
    reason: null,
    counts: { found: STORIES.length, structured: STORIES.length, indexed: STORIES.length },
  });
  const listed = await ask<{ total: number; case_studies: { url: string }[] }>(
    service,
    "/v1/casestudies?company=tidewell&limit=100",
    { key },
  );
  expect(listed.total).toBe(STORIES.length);
  expect(listed.case_studies.map(({ url }) => url).sort()).toEqual(STORIES.map(addressOf).sort());
  const found = await ask<{ results: { title: string }[] }>(service, "/v1/casestudies/semantic", {
    key,
    body: { query: "medical staff with more time for patients", limit: 3 },
  });
  expect(found.results.some(({ title }) => title.includes("Saltmarsh Hospitals"))).toBe(true);
  expect(kills).toBe(KILLED_AT.length);

  const subjects = mails.received.map(({ subject }) => subject);
  expect(subjects.length).toBe(new Set(subjects).size);
  await service.kill();
}, 240_000);

/** Waiting and running jobs; an interrupted email is neither, and is not sent again. */
async function waitingMails(): Promise<number> {
  const database = new Database(join(dataDir, "casefile.sqlite"), { readonly: true });
  try {
    return Number(database.query("select count(*) from mails where state in ('waiting', 'sending')").values()[0]?.[0]);
  } finally {
    database.close();
  }
}
