import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createSemaphore, onAbort } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import { parseRecordedDomain } from "../detection/captures/read-capture.ts";
import { digestOfFile, type FoundFile, findFiles } from "./files.ts";
import type { Recognised } from "./formats/recognise.ts";
import type { IngestSettings } from "./messages.ts";
import { addCounts, type Counts, noCounts, type RefusalReason } from "./outcomes.ts";
import { createReader, type Reader, ReaderLost } from "./readers.ts";
import type { IngestRepository } from "./repository.ts";

export interface IngestOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Standard input, which is read after the paths. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** Processes that read; default: one for each core. */
  readonly processes?: number | undefined;
  /** Read files again that were read before. */
  readonly again?: boolean | undefined;
  /** The address of the page or zone in the only file, if the file does not state it. */
  readonly url?: string | undefined;
  readonly onProgress?: ((summary: IngestSummary) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file that could not be read. */
export interface UnreadFile {
  readonly path: string;
  readonly reason: RefusalReason;
}

export interface IngestSummary {
  readonly files: {
    readonly read: number;
    readonly read_before: number;
    readonly refused: number;
    /** Pages that do not state their address, so that nothing of them was stored. */
    readonly skipped: number;
  };
  /** Those of this run. */
  readonly records: number;
  readonly pages: number;
  /** Dated recordings that were stored. */
  readonly recordings: number;
  /** Recordings that were stored before, and were analysed again. */
  readonly unchanged: number;
  readonly companies: number;
  readonly skipped: Counts["skipped"];
  readonly refused: Counts["refused"];
  /** The first 20 that were refused, now or in an earlier run. */
  readonly unread: readonly UnreadFile[];
  /** Paths of the first 20 that were skipped, now or in an earlier run. */
  readonly skipped_files: readonly string[];
  readonly duration_ms: number;
}

export interface IngestService {
  /**
   * Reads recordings of other tools and stores them as dated observations. Progress is stored with them: a run that was
   * ended continues where it was when it is started again.
   *
   * @throws Failure `snapshot.invalid` for a path without a file, and for `url` with several files; `domain.*` for an
   *   address that is not of a company; the reason of `signal`
   */
  ingest(options: IngestOptions): Promise<IngestSummary>;
}

export interface IngestServiceOptions {
  readonly ingests: IngestRepository;
  readonly settings: () => IngestSettings;
  /** Starts a process that reads; replaced by tests. */
  readonly openReader?: (settings: IngestSettings) => Reader;
}

/** A longer file is read in parts at the same time. The parts of a file never change, because progress names them. */
const PART = 16 * 1_048_576;
const MAX_PARTS = 1_000;
const MAX_UNREAD = 20;

interface Work {
  readonly file: FoundFile;
  readonly digest: string;
  readonly start: number;
  readonly end: number;
  readonly from: number;
}

export function createIngestService({
  ingests,
  settings,
  openReader = createReader,
}: IngestServiceOptions): IngestService {
  async function ingest(options: IngestOptions): Promise<IngestSummary> {
    const { processes = availableParallelism(), again = false, url, onProgress = () => {}, signal } = options;
    if (url !== undefined) await assertOneFile(options, url);
    const startedAt = performance.now();
    let spool: string | undefined;
    const counts = noCounts();
    const files = { read: 0, read_before: 0, refused: 0, skipped: 0 };
    const unread: UnreadFile[] = [];
    const skippedFiles: string[] = [];
    // Hashes of the names: a crawl has millions of companies.
    const companies = new Set<number>();
    let recordings = 0;
    let unchanged = 0;
    const summary = (): IngestSummary => ({
      files: { ...files },
      records: counts.records,
      pages: counts.pages,
      recordings,
      unchanged,
      companies: companies.size,
      skipped: { ...counts.skipped },
      refused: { ...counts.refused },
      unread: [...unread],
      skipped_files: [...skippedFiles],
      duration_ms: Math.round(performance.now() - startedAt),
    });
    const shown = (path: string) => (spool !== undefined && path.startsWith(spool) ? "standard input" : path);
    const refuse = (path: string, reason: RefusalReason) => {
      files.refused += 1;
      if (unread.length < MAX_UNREAD) unread.push({ path: shown(path), reason });
    };
    /** What became of a whole file. @returns false if there is nothing to report */
    const reportFile = (path: string, parts: Iterable<Counts>): boolean => {
      const sum = noCounts();
      for (const each of parts) addCounts(sum, each);
      const [reason] = Object.keys(sum.refused) as RefusalReason[];
      // A file whose only record was refused is one that could not be read.
      if (sum.records === 1 && reason !== undefined) refuse(path, reason);
      else if (sum.skipped.no_address !== undefined) {
        files.skipped += 1;
        if (skippedFiles.length < MAX_UNREAD) skippedFiles.push(shown(path));
      } else return false;
      return true;
    };

    const readers = Array.from({ length: processes }, () => openReader(settings()));
    const idle = [...readers];
    const free = createSemaphore(processes);
    const running = new Set<Promise<void>>();
    let failure: unknown;
    const close = () => {
      for (const reader of readers) reader.close();
    };
    const stopListening = onAbort(signal, close);

    /** Runs work on the next reader that is free. Resolves when it has started. */
    const dispatch = async (work: (reader: Reader) => Promise<void>): Promise<void> => {
      const release = await free.acquire(signal ?? new AbortController().signal);
      const reader = idle.pop();
      if (failure !== undefined || !reader) {
        release();
        throw failure;
      }
      const done = work(reader)
        .catch((error) => {
          failure ??= error;
        })
        .finally(() => {
          idle.push(reader);
          running.delete(done);
          release();
        });
      running.add(done);
    };

    const readPart = async (reader: Reader, { file, digest, start, end, from }: Work, left: Left) => {
      const { path, name, size } = file;
      const part = { path, name, size, start, end, from, url, passFirst: false };
      try {
        await reader.read(part, file.modified.toISOString(), async (batch) => {
          signal?.throwIfAborted();
          const { position, done } = batch;
          const added = await ingests.store({ digest, start, position, done, counts: batch.counts }, batch.recordings);
          addCounts(counts, batch.counts);
          left.counts.push(batch.counts);
          recordings += added;
          unchanged += batch.recordings.length - added;
          for (const { domain } of batch.recordings) companies.add(Number(Bun.hash(domain) & MASK));
          onProgress(summary());
        });
      } catch (error) {
        signal?.throwIfAborted();
        const isGone = (await stat(path).catch(() => undefined)) === undefined;
        if (!isGone && !isFileFault(error) && !(error instanceof ReaderLost)) throw error;
        left.fault = error instanceof ReaderLost ? "reader_stopped" : "unreadable";
      }
      left.parts -= 1;
      if (left.parts > 0) return;
      if (left.fault) refuse(path, left.fault);
      else if (!reportFile(path, left.counts)) files.read += 1;
      onProgress(summary());
    };

    const readFile = async (file: FoundFile): Promise<void> => {
      // The same file at another address is another recording.
      const named = url === undefined ? file : { ...file, name: `${file.name}\n${url}` };
      const digest = await digestOfFile(named).catch(() => undefined);
      if (digest === undefined) return refuse(file.path, "unreadable");
      if (again) await ingests.forget(digest);
      const progress = await ingests.progress(digest);
      const recognised = file.size > PART ? await inspected(file) : undefined;
      const parts = partsOf(file.size, recognised);
      const open = parts.flatMap(([start, end]): Work[] => {
        const before = progress.get(start);
        return before?.done ? [] : [{ file, digest, start, end, from: before?.position ?? start }];
      });
      if (open.length === 0) {
        const before = [...progress.values()].map(({ counts }) => counts);
        if (!reportFile(file.path, before)) files.read_before += 1;
        return;
      }
      const left: Left = { parts: open.length, counts: [], fault: undefined };
      for (const work of open) await dispatch((reader) => readPart(reader, work, left));
    };

    const inspected = (file: FoundFile): Promise<Recognised | undefined> => {
      const answer = Promise.withResolvers<Recognised | undefined>();
      dispatch((reader) => reader.inspect(file.path).then(answer.resolve, () => answer.resolve(undefined))).catch(
        answer.reject,
      );
      return answer.promise;
    };

    try {
      for await (const file of findFiles(options.paths)) await readFile(file);
      if (options.input) {
        spool = await mkdtemp(join(tmpdir(), "casefile-ingest-"));
        const path = join(spool, "standard-input");
        await pipeline(options.input, createWriteStream(path, { mode: 0o600 }));
        for await (const file of findFiles([path])) await readFile(file);
      }
      while (running.size > 0) await Promise.all(running);
      if (failure !== undefined) throw failure;
      signal?.throwIfAborted();
      return summary();
    } finally {
      stopListening();
      close();
      await Promise.allSettled(running);
      if (spool !== undefined) await rm(spool, { recursive: true, force: true });
    }
  }

  return { ingest };
}

/** @throws Failure `snapshot.invalid`, `domain.*` */
async function assertOneFile({ paths, input }: IngestOptions, url: string): Promise<void> {
  parseRecordedDomain(url);
  const [path] = paths;
  const isFile = path === undefined || ((await stat(path).catch(() => undefined))?.isFile() ?? true);
  if (paths.length + (input ? 1 : 0) !== 1 || !isFile)
    throw new Failure(
      "snapshot.invalid",
      "--url is the address of one page or zone: give one file, not several or a folder.",
    );
}

/** Bits of a hash that a number holds exactly. */
const MASK = (1n << 53n) - 1n;

/** The parts of a file that are still read. */
interface Left {
  parts: number;
  readonly counts: Counts[];
  fault: RefusalReason | undefined;
}

/** A file that is a single record, or one compressed stream, has one part. */
function partsOf(size: number, recognised: Recognised | undefined): (readonly [start: number, end: number])[] {
  const isDivisible =
    recognised !== undefined && recognised.format !== "document" && recognised.compression !== "stream";
  if (!isDivisible) return [[0, size]];
  const step = Math.max(PART, Math.ceil(size / MAX_PARTS));
  return Array.from(
    { length: Math.ceil(size / step) },
    (_, at) => [at * step, Math.min(size, (at + 1) * step)] as const,
  );
}

/** The system refused to read the file. */
const isFileFault = (error: unknown): boolean =>
  error instanceof Error && /\b(?:EACCES|EIO|EISDIR|ENOENT|EPERM|ESTALE)\b/.test(error.message);
