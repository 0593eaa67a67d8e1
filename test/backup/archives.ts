import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ArchivedFile, type Backup, createArchive } from "../../src/backup/create.ts";
import { type TarFile, writeTar } from "../../src/backup/tar.ts";
import { openStore } from "../../src/store.ts";

export const NOW = new Date("2026-05-04T12:00:00.000Z");
const clock = () => NOW;

/** Creates or opens a data directory and stores a word in it. */
export async function write(dataDir: string, word: string): Promise<void> {
  const store = await openStore({ dataDir, clock });
  await store.settings.set("word", word);
  await store.close();
}

/** The word stored in a data directory, as the program reads it; undefined without one. */
export async function wordIn(dataDir: string): Promise<string | undefined> {
  const store = await openStore({ dataDir, clock });
  try {
    return await store.settings.find("word");
  } finally {
    await store.close();
  }
}

export async function backUp(
  dataDir: string,
  file: string,
  groups: readonly (readonly ArchivedFile[])[] = [],
): Promise<Backup> {
  const store = await openStore({ dataDir, clock });
  try {
    return await createArchive(file, { copy: store.backup, groups, version: "1.2.3", now: NOW });
  } finally {
    await store.close();
  }
}

/** Every file below a folder with the hash of its content. */
export async function everyFile(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const entries = await Promise.all(
    names.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length), Bun.hash(await Bun.file(path).bytes()).toString(36)] as const;
    }),
  );
  return Object.fromEntries(entries.sort());
}

/** What an archive consists of. */
export async function unpacked(file: string): Promise<{ manifest: Record<string, unknown>; database: Buffer }> {
  const archive = new Bun.Archive(await Bun.zstdDecompress(await Bun.file(file).bytes()));
  const files = await archive.files();
  return {
    manifest: JSON.parse((await files.get("manifest.json")?.text()) ?? ""),
    database: Buffer.from((await files.get("casefile.sqlite")?.arrayBuffer()) ?? new ArrayBuffer(0)),
  };
}

export async function packed(files: readonly (readonly [string, string | Buffer])[]): Promise<Buffer> {
  const entries = files.map(([name, content]): TarFile => {
    const bytes = Buffer.from(content);
    return { name, size: bytes.length, content: [bytes] };
  });
  const parts: Uint8Array[] = [];
  for await (const part of writeTar(entries, NOW)) parts.push(part);
  return Bun.zstdCompress(Buffer.concat(parts));
}

/** A manifest that matches a database, with changes applied. */
export function manifestOf(database: Buffer, change: Readonly<Record<string, unknown>> = {}): string {
  const sha256 = new Bun.CryptoHasher("sha256").update(database).digest("hex");
  return JSON.stringify({
    format: "casefile-backup",
    format_version: 1,
    product_version: "1.2.3",
    schema_version: 1,
    created_at: NOW.toISOString(),
    parts: [{ name: "casefile.sqlite", size: database.length, sha256 }],
    ...change,
  });
}

/** The bytes of a database after a statement. */
export async function changedBy(database: Buffer, path: string, sql: string): Promise<Buffer> {
  await Bun.write(path, database);
  const open = new Database(path);
  open.run(sql);
  open.close();
  return Buffer.from(await Bun.file(path).bytes());
}
