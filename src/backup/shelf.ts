import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { UNFINISHED } from "./create.ts";

/** Who asked for an archive: only those that a schedule made are removed by it. */
export type BackupKind = "manual" | "scheduled";

export interface ShelvedBackup {
  readonly name: string;
  readonly kind: BackupKind;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

const NAME = /^(manual|scheduled)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.tar\.zst$/;
const ABANDONED_MS = 24 * 3_600_000;

export const archiveName = (kind: BackupKind, now: Date): string =>
  `${kind}-${now.toISOString().replaceAll(/[-:.]/g, "")}.tar.zst`;

/** The archive of this name; undefined for every name that {@link archiveName} does not give. */
export async function findArchive(folder: string, name: string): Promise<ShelvedBackup | undefined> {
  const [, kind, year, month, day, hour, minute, second, rest] = NAME.exec(name) ?? [];
  if (kind !== "manual" && kind !== "scheduled") return undefined;
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return { name, kind, size: found.size, created_at: `${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z` };
}

/** Newest first; files of other names are none. */
export async function listArchives(folder: string): Promise<ShelvedBackup[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(names.map((name) => findArchive(folder, name)));
  return found
    .filter((one) => one !== undefined)
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.name.localeCompare(a.name));
}

/** Removes what a schedule made beyond the newest `keep`, and what archives that were never finished have left. */
export async function retire(folder: string, keep: number, now: Date): Promise<void> {
  const scheduled = (await listArchives(folder)).filter(({ kind }) => kind === "scheduled");
  for (const { name } of scheduled.slice(keep)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder)) {
    const end = UNFINISHED.find((one) => name.endsWith(one) && NAME.test(name.slice(0, -one.length)));
    if (end === undefined) continue;
    const { mtimeMs } = (await lstat(join(folder, name)).catch(() => undefined)) ?? { mtimeMs: now.getTime() };
    if (now.getTime() - mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true });
  }
}
