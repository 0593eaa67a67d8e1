import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** Where the build keeps what it has made, too: as trustworthy as the packages beside it. */
const CACHE = join(ROOT, "node_modules/.cache/casefile");
/** What a packed catalogue is made from: the records, and the code that checks them. */
const MADE_FROM = ["data", "data/fingerprints", "src/catalogue", "src/vocabulary"];
const PREFIX = "catalogue-";

/**
 * What `pack` made of the same files before. From source the catalogue is packed at each start, which takes longer than
 * everything else that a command does.
 */
export function packedBefore(pack: () => string): string {
  const name = `${PREFIX}${hashOfSources()}.json`;
  try {
    return readFileSync(join(CACHE, name), "utf8");
  } catch {
    const packed = pack();
    keep(name, packed);
    return packed;
  }
}

function hashOfSources(): string {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const folder of MADE_FROM) {
    for (const name of readdirSync(join(ROOT, folder)).sort()) {
      if (/\.(ts|yaml)$/.test(name)) hash.update(`\n${name}\n`).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  return hash.digest("hex").slice(0, 32);
}

/** In place of what was made of other files; where nothing can be written, the next start packs again. */
function keep(name: string, packed: string): void {
  const part = join(CACHE, `${name}.${process.pid}`);
  try {
    mkdirSync(CACHE, { recursive: true });
    const former = readdirSync(CACHE).filter((one) => one.startsWith(PREFIX));
    writeFileSync(part, packed);
    renameSync(part, join(CACHE, name));
    for (const one of former) rmSync(join(CACHE, one), { force: true });
  } catch {
    rmSync(part, { force: true });
  }
}
