import { errorCode, Failure } from "../core/errors.ts";

/** What an archive holds, told before it comes. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly format_version: number;
  /** Of the release that made it. */
  readonly product_version: string;
  /** Number of the database's last migration. */
  readonly schema_version: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  /** In the order in which they follow. */
  readonly parts: readonly BackupPart[];
}

export interface BackupPart {
  /** In the archive. */
  readonly name: string;
  /** Where it belongs in the data directory when that is not its name: `models/minilm/model.onnx`. */
  readonly path?: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export const FORMAT = "casefile-backup";
/** 1 has the database alone, which is still written where there is nothing else; 2 may have models beside it. */
export const FORMAT_VERSION = 2;
export const MANIFEST_FILE = "manifest.json";
/** A part is told in 400 bytes, and a hundred models have a few hundred. */
export const MOST_MANIFEST_BYTES = 262_144;
/** A file of a model of the user's own, as a path of the data directory. */
export const MODEL_PATH = /^models\/[a-z0-9](?:[a-z0-9.-]{0,46}[a-z0-9])?\/[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;

/** @returns a word of what is wrong instead of a manifest; `newer` for one that a later release writes */
export function parseManifest(text: string): BackupManifest | "newer" | "invalid" {
  const value = objectIn(text);
  if (value?.format !== FORMAT || !isCount(value.format_version)) return "invalid";
  if (value.format_version > FORMAT_VERSION) return "newer";
  const { format_version, product_version, schema_version, created_at, parts } = value;
  if (typeof product_version !== "string" || product_version.length > 100) return "invalid";
  if (!isCount(schema_version) || schema_version < 1) return "invalid";
  if (typeof created_at !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(created_at)) return "invalid";
  if (!Array.isArray(parts) || !parts.every(isPart)) return "invalid";
  return {
    format: FORMAT,
    format_version,
    product_version,
    schema_version,
    created_at,
    parts: parts.map(({ name, path, size, sha256 }) => ({
      name,
      ...(path === undefined ? {} : { path }),
      size,
      sha256,
    })),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isPart(value: unknown): value is BackupPart {
  if (typeof value !== "object" || value === null) return false;
  const { name, path = "", size, sha256 }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof name !== "string" || typeof path !== "string") return false;
  return isCount(size) && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256);
}

/** Steps of a long work, for who waits: bytes done and, where it is known, of how many. */
export type OnProgress = (step: "copy" | "pack" | "read" | "check", done: number, total: number | null) => void;

/** What the operator can do about a place that cannot be written; anything else is a bug and rises. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "there is no room left"],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM)/, "this user may not write there"],
  [/^(ENOENT|ENOTDIR|EEXIST|ENAMETOOLONG|ELOOP|SQLITE_CANTOPEN)/, "it is no folder that can be opened"],
  [/^(EIO|SQLITE_IOERR)/, "the disk does not read or write"],
];

/**
 * The refusal that belongs to an error of the disk; the error itself when there is none.
 *
 * @param folder how it is called to who asked, perhaps from another machine
 */
export function unwritable(folder: string, error: unknown): unknown {
  const reason = REASONS.find(([pattern]) => pattern.test(errorCode(error)))?.[1];
  if (error instanceof Failure || reason === undefined) return error;
  const failure = new Failure("store.unusable", `${folder} cannot be used: ${reason}. Nothing was changed.`);
  failure.cause = error;
  return failure;
}

/** @param what is wrong with the archive, as the end of a sentence */
export const damaged = (what: string) =>
  new Failure("backup.invalid", `The archive cannot be restored: ${what}. Take another backup; nothing was changed.`);
