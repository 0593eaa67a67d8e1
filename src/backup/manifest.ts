import { errorCode, Failure } from "../core/errors.ts";

/** The content of an archive; the first file in it. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly format_version: number;
  /** Of the release that created the archive. */
  readonly product_version: string;
  /** Number of the last migration of the database. */
  readonly schema_version: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  /** In archive order. */
  readonly parts: readonly BackupPart[];
}

export interface BackupPart {
  /** Name in the archive. */
  readonly name: string;
  /** Path in the data directory, if it differs from the name: `models/minilm/model.onnx`. */
  readonly path?: string | undefined;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export const FORMAT = "casefile-backup";
/** Version 1 holds the database alone and is still written when there is nothing else; version 2 may hold models. */
export const FORMAT_VERSION = 2;
export const MANIFEST_FILE = "manifest.json";
/** A part takes up to 400 bytes, and a hundred models have a few hundred parts. */
export const MAX_MANIFEST_BYTES = 262_144;
/** Path of a custom model's file in the data directory. */
export const MODEL_PATH = /^models\/[a-z0-9](?:[a-z0-9.-]{0,46}[a-z0-9])?\/[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;

/** @returns `newer` for the format of a later release, `invalid` for anything else that is not a manifest */
export function parseManifest(text: string): BackupManifest | "newer" | "invalid" {
  const value = parseObject(text);
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
    parts: parts.map(({ name, path, size, sha256 }) => ({ name, path, size, sha256 })),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
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

/** Progress of a long operation: bytes done, and the total where it is known. */
export type OnProgress = (step: "copy" | "pack" | "read" | "check", done: number, total: number | null) => void;

export interface BackupWork {
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Disk errors that the operator can fix; any other error is a bug. */
const DISK_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "the disk is full"],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM)/, "permission denied"],
  [/^(ENOENT|ENOTDIR|EEXIST|ENAMETOOLONG|ELOOP|SQLITE_CANTOPEN)/, "it is not a folder that can be opened"],
  [/^(EIO|SQLITE_IOERR)/, "the disk has read or write errors"],
];

/**
 * Turns a disk error into a failure; returns any other error as it is.
 *
 * @param folder its name in the message, which may be sent to another machine
 */
export function asDiskFailure(folder: string, error: unknown): unknown {
  const reason = DISK_ERRORS.find(([pattern]) => pattern.test(errorCode(error)))?.[1];
  if (error instanceof Failure || reason === undefined) return error;
  return new Failure("store.unusable", `${folder} cannot be used: ${reason}. Nothing was changed.`, { cause: error });
}
