import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Kysely } from "kysely";
import { errorCode, Failure } from "../../core/errors.ts";
import { makeFolder, syncFolder } from "../../core/files.ts";
import { plural } from "../../core/text.ts";
import type { Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";

/** The custom fingerprints that are stored in the database, for all nodes. */
export interface InstalledFingerprints {
  readonly files: number;
  readonly bytes: number;
  /** Of the names and contents of all files, in lower-case hex. */
  readonly sha256: string;
}

export interface FingerprintFile {
  readonly file: string;
  readonly content: Uint8Array;
}

export interface InstalledRepository {
  /** One small row, read by its key. */
  find(): Promise<InstalledFingerprints | undefined>;
  /** A few files at a time, by name. */
  files(): AsyncGenerator<FingerprintFile>;
  /** Replaces all files; an empty list removes them. */
  replace(files: readonly FingerprintFile[]): Promise<InstalledFingerprints>;
}

const SETTING = "fingerprints.installed";
const FOLDER = "installed-fingerprints";
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}\.yaml$/;
const MAX_FILES = 10_000;
const MAX_FILE_BYTES = 262_144;
const MAX_BYTES = 32 * 1_024 ** 2;
const BATCH = 50;
/** Of copies that were written while another process replaced the files. */
const MAX_ATTEMPTS = 5;
/** Copies that no process has opened or marked for so long are removed. */
const ABANDONED_MS = 24 * 3_600_000;
const MARK_MS = 60_000;

export function createInstalledRepository(queries: Kysely<Tables>): InstalledRepository {
  return {
    async find() {
      const row = await queries.selectFrom("settings").select("value").where("name", "=", SETTING).executeTakeFirst();
      return row && JSON.parse(row.value);
    },

    async *files() {
      for (let after = ""; ; ) {
        const rows = await queries
          .selectFrom("custom_fingerprints")
          .select(["file", "content"])
          .where("file", ">", after)
          .orderBy("file")
          .limit(BATCH)
          .execute();
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined || rows.length < BATCH) return;
        after = last.file;
      }
    },

    replace: (files) =>
      inTransaction(queries, SETTING, async (transaction) => {
        const installed = describe(files);
        await transaction.deleteFrom("custom_fingerprints").execute();
        for (let at = 0; at < files.length; at += BATCH)
          await transaction
            .insertInto("custom_fingerprints")
            .values(files.slice(at, at + BATCH).map(({ file, content }) => ({ file, content })))
            .execute();
        await transaction.deleteFrom("settings").where("name", "=", SETTING).execute();
        if (files.length > 0)
          await transaction
            .insertInto("settings")
            .values({ name: SETTING, value: JSON.stringify(installed) })
            .execute();
        return installed;
      }),
  };
}

function describe(files: readonly FingerprintFile[]): InstalledFingerprints {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { file, content } of [...files].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    bytes += content.byteLength;
    hash.update(`${file} ${createHash("sha256").update(content).digest("hex")}\n`);
  }
  return { files: files.length, bytes, sha256: hash.digest("hex") };
}

/**
 * Reads the `.yaml` files of a folder as they are.
 *
 * @throws Failure `fingerprints.invalid` when they cannot be read, there are none, or they are too many or too large
 */
export async function readFolder(folder: string): Promise<readonly FingerprintFile[]> {
  const invalid = (message: string) => new Failure("fingerprints.invalid", message);
  const names = await readdir(folder).catch(() => {
    throw invalid(`Cannot read the folder ${folder}; give a folder of .yaml files.`);
  });
  const wanted = names.filter((name) => name.endsWith(".yaml")).sort();
  if (wanted.length === 0) throw invalid(`${folder} has no .yaml files.`);
  if (wanted.length > MAX_FILES) throw invalid(`${folder} has more than ${MAX_FILES} files.`);
  const files: FingerprintFile[] = [];
  let bytes = 0;
  for (const file of wanted) {
    const path = join(folder, file);
    const found = await stat(path).catch(() => undefined);
    if (!FILE_NAME.test(file) || !found?.isFile() || found.size > MAX_FILE_BYTES)
      throw invalid(
        `Cannot use ${file}: give regular files of 256 KiB at most, named with letters, digits, dashes and dots.`,
      );
    const content = await readFile(path);
    // The size of a file that the system makes up, such as those of /proc, is 0.
    if (content.byteLength > MAX_FILE_BYTES) throw invalid(`${file} has more than 256 KiB.`);
    bytes += content.byteLength;
    if (bytes > MAX_BYTES) throw invalid(`The files of ${folder} have more than 32 MiB together.`);
    files.push({ file, content });
  }
  return files;
}

/**
 * Copies the installed fingerprints into a folder of the data directory, which is named by their hash. A copy that is
 * complete and unchanged is used as it is. Copies that no process uses are removed.
 *
 * @param used the hash of the copy that this process uses
 * @returns the folder; undefined when none are installed
 * @throws Failure `fingerprints.invalid` when what the database has is not what was installed
 */
export async function unpackInstalled(
  repository: InstalledRepository,
  dataDir: string,
  used?: string,
): Promise<string | undefined> {
  for (let attempts = 1; ; attempts++) {
    const installed = await repository.find();
    if (!installed) return undefined;
    const parent = join(dataDir, FOLDER);
    const folder = join(parent, installed.sha256);
    if (await isComplete(folder, installed)) {
      await mark(folder);
      await removeAbandoned(parent, [installed.sha256, used]);
      return folder;
    }
    const part = join(parent, `.${crypto.randomUUID()}`);
    try {
      await makeFolder(part);
      await write(repository, part);
      if (await isComplete(part, installed)) {
        await rm(folder, { recursive: true, force: true });
        // Another process of this data directory may have been quicker.
        await rename(part, folder).catch((error: unknown) => {
          if (!/^(ENOTEMPTY|EEXIST)$/.test(errorCode(error))) throw error;
        });
        await syncFolder(parent);
      } else if (attempts === MAX_ATTEMPTS)
        throw new Failure(
          "fingerprints.invalid",
          "The custom fingerprints in the database do not match their SHA-256; install them again: casefile fingerprints install FOLDER.",
        );
    } finally {
      await rm(part, { recursive: true, force: true });
    }
  }
}

async function write(repository: InstalledRepository, folder: string): Promise<void> {
  let bytes = 0;
  let files = 0;
  for await (const { file, content } of repository.files()) {
    bytes += content.byteLength;
    files += 1;
    // The name becomes a path. A file that is not written makes the hash differ.
    if (!FILE_NAME.test(file) || bytes > MAX_BYTES || files > MAX_FILES) return;
    const handle = await open(join(folder, file), "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await syncFolder(folder);
}

async function isComplete(folder: string, installed: InstalledFingerprints): Promise<boolean> {
  try {
    return describe(await readFolder(folder)).sha256 === installed.sha256;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

async function mark(copy: string): Promise<void> {
  const now = new Date();
  await utimes(copy, now, now);
}

/** Processes that were started before may still read older copies. */
async function removeAbandoned(parent: string, used: readonly (string | undefined)[]): Promise<void> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const found = used.includes(name) ? undefined : await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Marks a copy as used until it is stopped: other processes of the data directory remove what nobody uses. */
export function keepInUse(copy: string, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let marking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    marking = mark(copy).catch(onError);
  }, MARK_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await marking;
    },
  };
}

export interface InstalledWatch {
  /** Why this node does not use what is installed; null when it does. */
  problem(): string | null;
  stop(): Promise<void>;
}

interface WatchOptions {
  readonly repository: InstalledRepository;
  readonly dataDir: string;
  /** The hash of what this process uses. */
  readonly used: string | undefined;
  /** Checks that the catalogue can be built with a folder. @throws Failure */
  readonly check: (folder: string | undefined) => Promise<void>;
  /** One node at a time: whether this one may start again now. */
  readonly claimTurn: () => Promise<boolean>;
  /** Starts the service again, which opens what is installed. */
  readonly restart: (reason: string) => void;
  readonly onError: (what: string, error: unknown) => void;
  readonly pollMs?: number;
  /** After a failure. */
  readonly retryMs?: number;
}

const POLL_MS = 5_000;
const RETRY_MS = 60_000;

/** Fetches fingerprints that were installed on any node, checks them, and lets the service start again with them. */
export function watchInstalled(options: WatchOptions): InstalledWatch {
  const { repository, dataDir, used, pollMs = POLL_MS, retryMs = RETRY_MS } = options;
  let problem: string | null = null;
  /** What failed last, by its hash, and when to try it again. */
  let failed: { readonly sha256: string | undefined; readonly until: number; readonly problem: string } | undefined;
  /** What the catalogue accepts: to check it takes a second of this process, in which it answers nothing. */
  let accepted: { readonly sha256: string | undefined } | undefined;
  let askAgainAt = 0;
  let isAsked = false;
  let running: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    if (isAsked || performance.now() < askAgainAt) return;
    let installed: InstalledFingerprints | undefined;
    try {
      installed = await repository.find();
    } catch (error) {
      askAgainAt = performance.now() + retryMs;
      problem = "Cannot read from the database which custom fingerprints are installed: see the log.";
      options.onError("reading which custom fingerprints are installed", error);
      return;
    }
    const sha256 = installed?.sha256;
    if (sha256 === used) {
      problem = null;
      return;
    }
    if (failed && failed.sha256 === sha256 && performance.now() < failed.until) {
      problem = failed.problem;
      return;
    }
    problem = installed
      ? `Custom fingerprints are being applied: ${plural(installed.files, "file")}.`
      : "Custom fingerprints are being removed.";
    try {
      if (!accepted || accepted.sha256 !== sha256) {
        const folder = await unpackInstalled(repository, dataDir, used);
        await options.check(folder);
        accepted = { sha256: folder === undefined ? undefined : basename(folder) };
      }
      if (accepted.sha256 !== sha256 || !(await options.claimTurn())) return;
      isAsked = true;
      options.restart(
        installed ? `with ${plural(installed.files, "file")} of custom fingerprints` : "without custom fingerprints",
      );
    } catch (error) {
      // What the catalogue refuses stays refused.
      const isRefused = error instanceof Failure && error.code === "catalogue.invalid";
      const reason = error instanceof Failure ? error.message : "see the log.";
      problem = `The custom fingerprints in the database are not in use: ${reason}`;
      failed = { sha256, until: isRefused ? Number.POSITIVE_INFINITY : performance.now() + retryMs, problem };
      options.onError("applying custom fingerprints", error);
    }
  };
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, pollMs);
  timer.unref();
  return {
    problem: () => problem,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
