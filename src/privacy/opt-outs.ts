import { readFile, stat } from "node:fs/promises";
import type { Kysely } from "kysely";
import { cachedFor } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import { decodeCursor, encodeCursor } from "../db/cursor.ts";
import type { Tables } from "../db/schema.ts";
import { countUp, createSettingsRepository } from "../db/settings.ts";
import { inTransaction } from "../db/transaction.ts";
import { createOptOutMatcher, type OptOuts, parseOptOut } from "../net/opt-outs.ts";

export interface OptOut {
  /** A domain, or a pattern with stars. */
  readonly pattern: string;
  readonly note: string | null;
  /** Null in the file of `scan.opt_outs_file`. */
  readonly created_at: string | null;
  readonly source: "list" | "file";
}

export interface OptOutService extends OptOuts {
  /** By pattern. @throws Failure `cursor.invalid` */
  list(page?: { limit?: number | undefined; cursor?: string | undefined }): Promise<{
    readonly opt_outs: readonly OptOut[];
    readonly total: number;
    readonly next_cursor: string | null;
  }>;
  /** Adding a pattern twice changes its note. @throws Failure `opt_out.invalid` */
  add(pattern: string, note?: string): Promise<OptOut>;
  /** @throws Failure `opt_out.invalid`, `opt_out.not_found` */
  remove(pattern: string): Promise<OptOut>;
}

export interface OptOutRepository {
  /** Changes whenever the list does. */
  version(): Promise<string>;
  all(): Promise<readonly Omit<OptOut, "source">[]>;
  put(pattern: string, note: string | null): Promise<Omit<OptOut, "source">>;
  remove(pattern: string): Promise<Omit<OptOut, "source"> | undefined>;
}

/** Setting that counts the changes of the list. The clocks of nodes differ, so no time shows what is new. */
const REVISION = "opt_outs_revision";

export const createOptOutRepository = (queries: Kysely<Tables>, clock: () => Date): OptOutRepository => ({
  async version() {
    return (await createSettingsRepository(queries).find(REVISION)) ?? "";
  },
  all: () => queries.selectFrom("opt_outs").selectAll().orderBy("pattern").execute(),
  put: (pattern, note) =>
    inTransaction(queries, "opt_outs", async (transaction) => {
      await countUp(transaction, REVISION);
      return await transaction
        .insertInto("opt_outs")
        .values({ pattern, note, created_at: clock().toISOString() })
        .onConflict((conflict) => conflict.column("pattern").doUpdateSet({ note }))
        .returningAll()
        .executeTakeFirstOrThrow();
    }),
  remove: (pattern) =>
    inTransaction(queries, "opt_outs", async (transaction) => {
      await countUp(transaction, REVISION);
      return await transaction.deleteFrom("opt_outs").where("pattern", "=", pattern).returningAll().executeTakeFirst();
    }),
});

/** For this long a process may not know a change that another one made; a change of its own holds at once. */
const KNOWN_MS = 1_000;
const MAX_FILE_BYTES = 16 * 1_048_576;
/** Patterns with stars are tried one after the other for each request. */
const MAX_STARRED = 1_000;
const LIST = "opt-outs";
const PAGE = 20;

interface OptOutOptions {
  readonly repository: OptOutRepository;
  /** One domain or pattern per line; `#` starts a comment. */
  readonly file: string | null;
  /** The file cannot be read any more: the patterns that it had stay in force. */
  readonly onError: (task: string, error: unknown) => void;
}

/** @throws Failure `config.invalid` when the file cannot be read or a line is invalid */
export async function createOptOutService({ repository, file, onError }: OptOutOptions): Promise<OptOutService> {
  let inFile = file === null ? undefined : await readList(file);
  let stored: readonly OptOut[] = [];
  let version: string | undefined;
  let match: (host: string) => string | undefined = () => undefined;

  const refresh = async () => {
    const [state, written] = await Promise.all([repository.version(), file === null ? "" : stampOf(file)]);
    if (file !== null && written !== inFile?.stamp)
      inFile = await readList(file).catch((error) => {
        onError("reading scan.opt_outs_file", error);
        return inFile;
      });
    const now = `${state} ${inFile?.stamp ?? ""}`;
    if (now === version) return;
    stored = (await repository.all()).map((row) => ({ ...row, source: "list" }));
    match = createOptOutMatcher([...stored.map(({ pattern }) => pattern), ...(inFile?.patterns ?? [])]);
    version = now;
  };
  const current = cachedFor(KNOWN_MS, refresh);
  const changed = async () => {
    version = undefined;
    current.clear();
    await current.get();
  };

  return {
    async match(host) {
      await current.get();
      return match(host);
    },

    async list({ limit = PAGE, cursor } = {}) {
      await changed();
      const listed = new Set(stored.map(({ pattern }) => pattern));
      const fromFile = (inFile?.patterns ?? []).filter((pattern) => !listed.has(pattern)).map(fileEntry);
      const all = [...stored, ...fromFile].sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
      const [after = ""] = cursor === undefined ? [] : decodeCursor(LIST, ["string"], cursor);
      const rest = all.filter(({ pattern }) => pattern > String(after));
      const shown = rest.slice(0, limit);
      const last = shown.at(-1);
      return {
        opt_outs: shown,
        total: all.length,
        next_cursor: rest.length > limit && last ? encodeCursor(LIST, [last.pattern]) : null,
      };
    },

    async add(input, note) {
      const pattern = parseOptOut(input);
      if (pattern.includes("*") && stored.filter((each) => each.pattern.includes("*")).length >= MAX_STARRED)
        throw new Failure("opt_out.invalid", `At most ${MAX_STARRED} patterns with a star are allowed; add domains.`);
      const row = await repository.put(pattern, note?.trim() || null);
      await changed();
      return { ...row, source: "list" };
    },

    async remove(input) {
      const pattern = parseOptOut(input);
      const row = await repository.remove(pattern);
      await changed();
      if (row) return { ...row, source: "list" };
      const remedy = inFile?.patterns.includes(pattern)
        ? "it is in the file of scan.opt_outs_file, so remove it there."
        : "list the opt-outs to see them.";
      throw new Failure("opt_out.not_found", `${quoted(pattern)} cannot be removed: ${remedy}`);
    },
  };
}

const fileEntry = (pattern: string): OptOut => ({ pattern, note: null, created_at: null, source: "file" });

/** Changes when the file does. */
async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.mtimeMs} ${found.size}` : "missing";
}

async function readList(path: string): Promise<{ readonly stamp: string; readonly patterns: readonly string[] }> {
  const stamp = await stampOf(path);
  const text = await readFile(path).catch((error) => {
    throw new Failure("config.invalid", `Cannot read scan.opt_outs_file ${path}.`, { cause: error });
  });
  if (text.length > MAX_FILE_BYTES) throw new Failure("config.invalid", "scan.opt_outs_file is larger than 16 MiB.");
  const patterns = text
    .toString("utf8")
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const written = line.split("#", 1)[0]?.trim() ?? "";
      if (written === "") return [];
      try {
        return [parseOptOut(written)];
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw new Failure("config.invalid", `scan.opt_outs_file, line ${index + 1}: ${error.message}`);
      }
    });
  if (patterns.filter((pattern) => pattern.includes("*")).length > MAX_STARRED)
    throw new Failure("config.invalid", `scan.opt_outs_file has more than ${MAX_STARRED} patterns with a star.`);
  return { stamp, patterns: [...new Set(patterns)] };
}
