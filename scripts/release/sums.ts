import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseFile } from "./formula.ts";

const SUMS = "SHA256SUMS";

/** Names and sums of the files of a folder, in the order of their names, without the list of sums and its signature. */
export async function sumsOf(folder: string): Promise<ReleaseFile[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(SUMS)).sort();
  const files: ReleaseFile[] = [];
  for (const name of names) {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const part of Bun.file(join(folder, name)).stream()) hash.update(part);
    files.push({ name, sha256: hash.digest("hex") });
  }
  return files;
}

/** Writes `SHA256SUMS` for the files of a release; `sha256sum -c` reads it. @returns its path */
export async function writeSums(folder: string): Promise<string> {
  const path = join(folder, SUMS);
  await Bun.write(path, (await sumsOf(folder)).map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""));
  return path;
}
