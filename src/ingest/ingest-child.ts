import { detect } from "../detection/engine.ts";
import { openCatalogue } from "../detection/fingerprints/open-catalogue.ts";
import { type NewRecording, packSnapshot } from "../detection/repository.ts";
import { SCANNERS } from "../detection/scanners/registry.ts";
import { replayVisit } from "../detection/visit/replay-visit.ts";
import type { Snapshot } from "../net/snapshot.ts";
import type { ChildTask } from "../processes/run-child.ts";
import { createCollector } from "./companies.ts";
import { createCompanies } from "./formats/company.ts";
import type { Batch, FromChild, IngestSettings, ReadRequest, ToChild } from "./messages.ts";
import { countOutcome, noCounts } from "./outcomes.ts";
import { inspectFile, readPart } from "./read-file.ts";

/** Milliseconds for the detection in one recording; each page takes some. */
const DEADLINE_MS = 15_000;
const ALIVE_MS = 1_000;
/** A batch of one record each after a process has ended, for so many records. */
const CAREFUL_RECORDS = 2_100;

/** Reads parts of files, one at a time: recognises the records, detects tools, and sends what is to be stored. */
export const ingestTask: ChildTask = (sendMessage) => {
  const send = (message: FromChild) => sendMessage(message);
  const companyOf = createCompanies();
  let settings: IngestSettings | undefined;
  let catalogue: ReturnType<typeof openCatalogue> | undefined;
  let stored = Promise.withResolvers<void>();
  let lastSign = performance.now();
  const sign = () => {
    if (performance.now() - lastSign < ALIVE_MS) return;
    lastSign = performance.now();
    send({ type: "alive" });
  };

  let collectAbove = COLLECT_ABOVE;
  /** The collector does not count what is outside its heap, such as decompressed records. */
  const collectGarbage = () => {
    if (process.memoryUsage.rss() < collectAbove) return;
    Bun.gc(true);
    collectAbove = Math.max(COLLECT_ABOVE, process.memoryUsage.rss() + COLLECT_EVERY);
  };

  async function recordingOf(snapshot: Snapshot): Promise<NewRecording> {
    if (!catalogue || !settings) throw new Error("the catalogue was not opened");
    const recordedAt = () => Date.parse(snapshot.captured_at);
    const report = await detect(replayVisit(snapshot), SCANNERS, await catalogue, {
      minConfidence: settings.minConfidence,
      deadlineMs: DEADLINE_MS,
      now: recordedAt,
    });
    sign();
    return {
      domain: snapshot.domain,
      origin: snapshot.origin,
      report: { ...report, rules: settings.rules },
      snapshot: await packSnapshot(snapshot),
    };
  }

  async function read({ part, capturedAt, careful }: ReadRequest): Promise<void> {
    const collector = createCollector(capturedAt, Date.now);
    let counts = noCounts();
    let recordings: NewRecording[] = [];
    let position = part.from;
    let records = 0;
    let nextCheck = RECORDS_PER_CHECK;
    const flush = async (done: boolean) => {
      for (const snapshot of collector.drain()) recordings.push(await recordingOf(snapshot));
      const batch: Batch = { position, counts, recordings, done };
      counts = noCounts();
      recordings = [];
      stored = Promise.withResolvers();
      lastSign = performance.now();
      send({ type: "batch", batch });
      if (!done) await stored.promise;
    };
    if (careful) send({ type: "at", position });
    for await (const { end, outcomes } of readPart(part, { companyOf, capturedAt })) {
      for (const outcome of outcomes) {
        countOutcome(counts, outcome);
        records += 1;
        if (outcome.kind !== "recording") continue;
        collector.add(outcome.snapshot);
        const full = collector.full();
        if (full) recordings.push(await recordingOf(full));
      }
      position = end;
      sign();
      const isCareful = careful && records <= CAREFUL_RECORDS;
      const isFull = collector.isFull() || recordings.length >= MAX_RECORDINGS;
      if (isCareful || isFull) await flush(false);
      if (records >= nextCheck) {
        nextCheck = records + RECORDS_PER_CHECK;
        collectGarbage();
      }
      if (isCareful) send({ type: "at", position });
    }
    await flush(true);
  }

  const failed = (error: unknown) =>
    send({ type: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });

  // The parent is this program, and sends nothing else.
  return (message) => {
    const given = message as ToChild;
    if (given.type === "open") {
      settings = given.settings;
      catalogue = openCatalogue(settings.folders, () => {});
      // Each recording reports it.
      catalogue.catch(() => {});
    } else if (given.type === "inspect")
      inspectFile(given.path).then((recognised) => send({ type: "inspected", recognised }), failed);
    else if (given.type === "read") read(given.request).catch(failed);
    else stored.resolve();
  };
};

const RECORDS_PER_CHECK = 16;
/** Bytes of memory above which garbage is collected: half of what the process may use. */
const COLLECT_ABOVE = 320 * 1_048_576;
/** A collection takes 50 ms, so it must have been worth it. */
const COLLECT_EVERY = 96 * 1_048_576;

/** Recordings of a batch: a crawl of one company fills many. */
const MAX_RECORDINGS = 50;
