import { join } from "node:path";

/** Writes `SHA256SUMS` for the executables of a release and their component list; `sha256sum -c` reads it. */
export async function writeSums(dist: string): Promise<void> {
  const names = (await Array.fromAsync(new Bun.Glob("casefile{-*,.cdx.json}").scan(dist))).sort();
  const lines: string[] = [];
  for (const name of names) {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const part of Bun.file(join(dist, name)).stream()) hash.update(part);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  await Bun.write(join(dist, "SHA256SUMS"), lines.join(""));
}
