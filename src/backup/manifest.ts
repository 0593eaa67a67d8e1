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
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export const FORMAT = "casefile-backup";
export const FORMAT_VERSION = 1;
export const MANIFEST_FILE = "manifest.json";
/** A manifest of one part has a few hundred bytes. */
export const MOST_MANIFEST_BYTES = 65_536;

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
    parts: parts.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
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
  const { name, size, sha256 }: Readonly<Record<string, unknown>> = { ...value };
  return typeof name === "string" && isCount(size) && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256);
}
