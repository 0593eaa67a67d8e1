import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WARCRecord, WARCSerializer } from "warcio";
import { detect } from "../../src/detection/engine.ts";
import { openCatalogue } from "../../src/detection/fingerprints/open-catalogue.ts";
import { packSnapshot } from "../../src/detection/repository.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import type { Report } from "../../src/detection/types.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";
import { createCompanies } from "../../src/ingest/formats/company.ts";
import { ingestTask } from "../../src/ingest/ingest-child.ts";
import type { Batch, FromChild } from "../../src/ingest/messages.ts";
import { readPart } from "../../src/ingest/read-file.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";
import { openStore } from "../../src/store.ts";

const WARM_UP = 100;
const RUNS = 3;

/**
 * Reads a WARC.gz file that `warcio` wrote from saved pages (`NAME.html` of a host NAME), or another one, detects and stores,
 * all in this process: pages for each second of processor time, the best of three runs, and the share of each stage.
 * Target: 150.
 *
 * @param pages a folder of pages, or a WARC.gz file
 */
export async function benchIngest(pages: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-bench-ingest-"));
  try {
    const given = pages.endsWith(".warc.gz");
    const names = given ? [] : (await readdir(pages)).filter((name) => name.endsWith(".html")).sort();
    const path = given ? pages : join(folder, "crawl.warc.gz");
    if (!given) await writeWarc(path, pages, names);
    let best = { read: 0, seconds: Number.POSITIVE_INFINITY, wall: 0 };
    for (let run = 0; run < RUNS; run++) {
      const measured = await measure(path, join(folder, `run-${run}`));
      if (measured.seconds < best.seconds) best = measured;
    }
    const stages = await measureStages(path, folder);
    const sum = Object.values(stages).reduce((total, ms) => total + ms, 0);
    for (const [stage, ms] of Object.entries(stages))
      console.log(`${stage.padEnd(40)}${ms.toFixed(2)} ms a page  ${((ms / sum) * 100).toFixed(0)}%`);
    const { read, seconds, wall } = best;
    console.log(
      `${read} pages: ${(read / seconds).toFixed(0)} for each second of one core (${((seconds / read) * 1_000).toFixed(2)} ms of processor time a page, ${wall.toFixed(1)} s by the clock)`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeWarc(path: string, folder: string, names: readonly string[]): Promise<void> {
  const records: Uint8Array[] = [];
  for (const name of names) {
    const page = new Uint8Array(await readFile(join(folder, name)));
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
}

const partOf = (path: string) => {
  const size = Bun.file(path).size;
  return { path, name: "crawl.warc.gz", size, start: 0, end: size, from: 0, passFirst: false };
};
const CAPTURED_AT = "2026-03-04T05:06:07.000Z";

/** Milliseconds of processor time a page of each stage by itself, after a first run that warms it up. */
async function measureStages(path: string, folder: string): Promise<Record<string, number>> {
  const catalogue = await openCatalogue([], () => {});
  const companyOf = createCompanies();
  const read = async () => {
    const snapshots: Snapshot[] = [];
    for await (const { outcomes } of readPart(partOf(path), { companyOf, capturedAt: CAPTURED_AT }))
      for (const outcome of outcomes) if (outcome.kind === "recording") snapshots.push(outcome.snapshot);
    return snapshots;
  };
  const stages: Record<string, number> = {};
  const timed = async <Result>(stage: string, pages: number, work: () => Promise<Result>): Promise<Result> => {
    Bun.gc(true);
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    stages[stage] = (user + system) / 1_000 / pages;
    return result;
  };
  const pages = (await read()).length;
  const snapshots = await timed("decompression and records", pages, read);
  const scan = (snapshot: Snapshot): Promise<Report> =>
    detect(replayVisit(snapshot), SCANNERS, catalogue, {
      minConfidence: 0.5,
      deadlineMs: 15_000,
      now: () => Date.parse(snapshot.captured_at),
    });
  for (const snapshot of snapshots.slice(0, WARM_UP)) await scan(snapshot);
  const reports = await timed("detection", pages, async () => {
    const all: Report[] = [];
    for (const snapshot of snapshots) all.push(await scan(snapshot));
    return all;
  });
  const packed = await timed("compression of the recordings", pages, async () => {
    const all: Awaited<ReturnType<typeof packSnapshot>>[] = [];
    for (const snapshot of snapshots) all.push(await packSnapshot(snapshot));
    return all;
  });
  const recordings = reports.flatMap((report, at) => {
    const snapshot = packed[at];
    const { domain = "", origin = "" } = snapshots[at] ?? {};
    return snapshot ? [{ domain, origin, report: { ...report, rules: "" }, snapshot }] : [];
  });
  const store = await openStore({ dataDir: join(folder, "stages") });
  const counts = { records: 0, pages: 0, skipped: {}, refused: {} };
  await timed("storing", pages, async () => {
    for (let at = 0; at < recordings.length; at += 50)
      await store.ingests.store(
        { digest: path, start: 0, position: at, done: false, counts },
        recordings.slice(at, at + 50),
      );
  });
  await store.close();
  return stages;
}

async function measure(path: string, dataDir: string) {
  const store = await openStore({ dataDir });
  const save = (batch: Batch) => store.ingests.store({ digest: path, start: 0, ...batch }, batch.recordings);
  let read = 0;
  const started = performance.now();
  const before = process.cpuUsage();
  await new Promise<void>((resolve, reject) => {
    const take = ingestTask((message) => {
      const answer = message as FromChild;
      if (answer.type === "failed") reject(new Error(answer.message));
      if (answer.type !== "batch") return;
      read += answer.batch.counts.pages;
      save(answer.batch).then(() => (answer.batch.done ? resolve() : take({ type: "stored" })), reject);
    });
    take({ type: "open", settings: { folders: [], minConfidence: 0.5, rules: "" } });
    take({ type: "read", request: { part: partOf(path), capturedAt: CAPTURED_AT, careful: false } });
  });
  const { user, system } = process.cpuUsage(before);
  await store.close();
  return { read, seconds: (user + system) / 1e6, wall: (performance.now() - started) / 1_000 };
}
