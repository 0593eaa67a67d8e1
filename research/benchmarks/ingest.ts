import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WARCRecord, WARCSerializer } from "warcio";
import { ingestTask } from "../../src/ingest/ingest-child.ts";
import type { Batch, FromChild } from "../../src/ingest/messages.ts";
import { openStore } from "../../src/store.ts";

const WARM_UP = 100;

/**
 * Reads a WARC.gz file that `warcio` wrote from saved pages (`NAME.html` of a host NAME), detects and stores, all in this
 * process: pages for each second of processor time. Target: 150.
 */
export async function benchIngest(pages: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-bench-ingest-"));
  const store = await openStore({ dataDir: folder });
  try {
    const names = (await readdir(pages)).filter((name) => name.endsWith(".html")).sort();
    const warm = await writeWarc(join(folder, "warm.warc.gz"), pages, names.slice(0, WARM_UP));
    const whole = await writeWarc(join(folder, "crawl.warc.gz"), pages, names);
    const run = (file: Warc) =>
      measure(file, (batch) => store.ingests.store({ digest: file.path, start: 0, ...batch }, batch.recordings));
    await run(warm);
    const { read, seconds, wall } = await run(whole);
    console.log(
      `${read} pages of ${Math.round(whole.bytes / names.length / 1_000)} kB: ${(read / seconds).toFixed(0)} pages for each second of one core (${seconds.toFixed(1)} s of processor time, ${wall.toFixed(1)} s by the clock)`,
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Warc {
  readonly path: string;
  /** Of all pages, uncompressed. */
  readonly bytes: number;
}

async function writeWarc(path: string, folder: string, names: readonly string[]): Promise<Warc> {
  const records: Uint8Array[] = [];
  let bytes = 0;
  for (const name of names) {
    const page = new Uint8Array(await readFile(join(folder, name)));
    bytes += page.length;
    const record = WARCRecord.create(
      {
        url: `https://${name.replace(/\.html$/, "")}/`,
        date: "2026-03-04T05:06:07Z",
        type: "response",
        warcVersion: "WARC/1.1",
        warcHeaders: {},
        statusline: "HTTP/1.1 200 OK",
        httpHeaders: { "Content-Type": "text/html; charset=utf-8" },
      },
      (async function* () {
        yield page;
      })(),
    );
    records.push(await WARCSerializer.serialize(record, { gzip: true }));
  }
  await writeFile(path, Buffer.concat(records));
  return { path, bytes };
}

async function measure({ path }: Warc, store: (batch: Batch) => Promise<void>) {
  const size = Bun.file(path).size;
  const part = { path, name: "crawl.warc.gz", size, start: 0, end: size, from: 0, passFirst: false };
  let read = 0;
  const started = performance.now();
  const before = process.cpuUsage();
  await new Promise<void>((resolve, reject) => {
    const take = ingestTask((message) => {
      const answer = message as FromChild;
      if (answer.type === "failed") reject(new Error(answer.message));
      if (answer.type !== "batch") return;
      read += answer.batch.counts.pages;
      store(answer.batch).then(() => (answer.batch.done ? resolve() : take({ type: "stored" })), reject);
    });
    take({ type: "open", settings: { folders: [], minConfidence: 0.5, rules: "" } });
    take({ type: "read", request: { part, capturedAt: "2026-03-04T05:06:07.000Z", careful: false } });
  });
  const { user, system } = process.cpuUsage(before);
  return { read, seconds: (user + system) / 1e6, wall: (performance.now() - started) / 1_000 };
}
