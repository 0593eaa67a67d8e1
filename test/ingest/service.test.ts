import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestTask } from "../../src/ingest/ingest-child.ts";
import type { FromChild, ToChild } from "../../src/ingest/messages.ts";
import { createReader, type Reader } from "../../src/ingest/readers.ts";
import { createIngestService, type IngestOptions } from "../../src/ingest/service.ts";
import { openStore, type Store } from "../../src/store.ts";
import { refusalOf } from "../store/examples.ts";
import { pageAt, writeRecord } from "./reading.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-ingest-test-"));
  store = await openStore({ dataDir: ":memory:" });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = { folders: [], minConfidence: 0.5, rules: "" };
const file = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const HOTJAR = "https://static.hotjar.com/c/hotjar-1.js";
const pages = async (...domains: readonly string[]) =>
  Buffer.concat(await Promise.all(domains.map((domain) => writeRecord(pageAt(`https://${domain}/`, HOTJAR)))));

/** The task in this process, which starts at once and can be ended after a number of batches. */
function readerHere(lives: { batches: number }): Reader {
  let take: ReturnType<typeof ingestTask> | undefined;
  const ask = <T>(
    message: ToChild,
    on: (answer: FromChild, done: (value: T) => void, fail: (error: unknown) => void) => void,
  ) =>
    new Promise<T>((done, fail) => {
      take = ingestTask((answer) => on(answer as FromChild, done, fail));
      take({ type: "open", settings });
      take(message);
    });
  return {
    inspect: (path) =>
      ask({ type: "inspect", path }, (answer, done) => answer.type === "inspected" && done(answer.recognised)),
    read: (part, capturedAt, storeBatch) =>
      ask<void>({ type: "read", request: { part, capturedAt, careful: true } }, (answer, done, fail) => {
        if (answer.type === "failed") fail(new Error(answer.message));
        if (answer.type !== "batch") return;
        if (lives.batches === 0) return fail(new Error("killed"));
        lives.batches -= 1;
        storeBatch(answer.batch).then(() => (answer.batch.done ? done() : take?.({ type: "stored" })), fail);
      }),
    close() {},
  };
}

const ingest = (options: Partial<IngestOptions>, lives = { batches: Number.POSITIVE_INFINITY }) =>
  createIngestService({ ingests: store.ingests, settings: () => settings, openReader: () => readerHere(lives) }).ingest(
    {
      paths: [folder],
      processes: 1,
      ...options,
    },
  );

const toolsOf = async (domain: string) => (await store.scans.latest(domain))?.report.detections.map(({ tool }) => tool);

test("each company gets a dated observation with its tools", async () => {
  await file("crawl.warc.gz", await pages("acme.example", "other.test", "acme.example"));
  const summary = await ingest({});
  expect(summary).toMatchObject({
    files: { read: 1, read_before: 0, refused: 0 },
    records: 3,
    companies: 2,
    refused: {},
  });
  expect(await toolsOf("acme.example")).toContain("Hotjar");
  expect(await toolsOf("other.test")).toContain("Hotjar");
  const [scan] = await store.scans.history("acme.example", 5);
  expect(scan).toMatchObject({ origin: "warc", scanned_at: "2026-03-04T05:06:07.000Z" });
});

test("a file that was read is passed over, wherever it is, unless it is asked for again", async () => {
  const content = await pages("acme.example");
  await file("crawl.warc.gz", content);
  await ingest({});
  await mkdir(join(folder, "copy"));
  await file("copy/crawl.warc.gz", content);
  expect((await ingest({})).files).toEqual({ read: 0, read_before: 2, refused: 0, skipped: 0 });
  const again = await ingest({ again: true, paths: [join(folder, "crawl.warc.gz")] });
  expect(again.files).toEqual({ read: 1, read_before: 0, refused: 0, skipped: 0 });
  expect(again).toMatchObject({ recordings: 0, unchanged: 1, companies: 1 });
  expect(await store.scans.history("acme.example", 10)).toHaveLength(1);
});

test("a run that was killed at any point continues where it was, and stores each recording once", async () => {
  const domains = Array.from({ length: 5 }, (_, at) => `c${at}.test`);
  await file("crawl.warc.gz", await pages(...domains));
  const records: number[] = [];
  for (let kill = 0; kill < domains.length; kill++) {
    const lives = { batches: 1 };
    await ingest({}, lives).catch((error) => expect(error.message).toBe("killed"));
    const progress = [...(await store.ingests.progress(await digestOf())).values()];
    records.push(progress[0]?.counts.records ?? 0);
  }
  expect(records).toEqual([1, 2, 3, 4, 5]);
  expect(await ingest({})).toMatchObject({ files: { read: 1 }, records: 0 });
  for (const domain of domains) expect(await store.scans.history(domain, 10)).toHaveLength(1);
});

async function digestOf(): Promise<string> {
  const { digestOfFile, findFiles } = await import("../../src/ingest/files.ts");
  for await (const found of findFiles([folder])) return digestOfFile(found);
  throw new Error("no file");
}

test("folders are read at any depth, and links in them are not followed", async () => {
  await mkdir(join(folder, "a", "b"), { recursive: true });
  await file("a/b/acme.example.html", `<script src="${HOTJAR}"></script>`);
  await file(".hidden", "x");
  await symlink(folder, join(folder, "a", "loop"));
  expect((await ingest({})).files).toEqual({ read: 1, read_before: 0, refused: 0, skipped: 0 });
});

test("files that cannot be read are named with the reason", async () => {
  await file("picture.png", "\x89PNG\r\n\x1a\n\0\0\0");
  await file("crawl.warc.gz", await pages("acme.example"));
  const summary = await ingest({});
  expect(summary.files).toEqual({ read: 1, read_before: 0, refused: 1, skipped: 0 });
  expect(summary.unread).toEqual([{ path: join(folder, "picture.png"), reason: "unrecognised" }]);
});

test("standard input is read like a file", async () => {
  const input = (async function* () {
    yield new TextEncoder().encode("acme.example. MX 10 aspmx.l.google.com.\n");
    yield new TextEncoder().encode("other.test. MX 10 aspmx.l.google.com.\n");
  })();
  expect(await ingest({ paths: [], input })).toMatchObject({ records: 2, companies: 2 });
  expect(await toolsOf("other.test")).toContain("Google Workspace");
});

test("a path without a file is refused", async () => {
  const failure = await refusalOf(ingest({ paths: [join(folder, "none")] }));
  expect(failure.message).toBe(`Cannot read ${join(folder, "none")}: no such file.`);
});

test("a real process reads a file", async () => {
  const path = await file("crawl.warc.gz", await pages("acme.example", "other.test"));
  const service = createIngestService({ ingests: store.ingests, settings: () => settings, openReader: createReader });
  expect(await service.ingest({ paths: [path], processes: 1 })).toMatchObject({ records: 2, companies: 2 });
  expect(await toolsOf("acme.example")).toContain("Hotjar");
});

test("a page without an address is reported in every run, and stored with --url or another name", async () => {
  const page = `<!doctype html><title>x</title><script src="${HOTJAR}"></script>`;
  const path = await file("My Saved Page.html", page);
  for (const run of [1, 2])
    expect([run, await ingest({ paths: [path] })]).toMatchObject([
      run,
      { files: { read: 0, read_before: 0, refused: 0, skipped: 1 }, skipped_files: [path], recordings: 0 },
    ]);
  const named = await ingest({ paths: [path], url: "https://acme.test/about" });
  expect(named).toMatchObject({ files: { read: 1, skipped: 0 }, skipped_files: [], recordings: 1 });
  expect(await toolsOf("acme.test")).toContain("Hotjar");
  expect((await refusalOf(ingest({ paths: [folder], url: "https://acme.test/" }))).code).toBe("snapshot.invalid");
});

test.each([
  ["", "empty"],
  ["\ufeff \r\n", "blank"],
  [Bun.gzipSync(""), "compressed and empty"],
])("an empty file is called empty: %#", async (content) => {
  const path = await file("acme.test.html", content);
  expect(await ingest({})).toMatchObject({ files: { read: 0, refused: 1 }, unread: [{ path, reason: "empty" }] });
});

test("a refused file is reported again in the second run", async () => {
  const path = await file("noise.bin", new Uint8Array([1, 2, 3, 250]));
  for (const run of [1, 2])
    expect([run, await ingest({})]).toMatchObject([
      run,
      { files: { read: 0, read_before: 0, refused: 1 }, unread: [{ path, reason: "unrecognised" }] },
    ]);
});
