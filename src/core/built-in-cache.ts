import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** Where the build keeps what it has made, too: as trustworthy as the packages beside it. */
const CACHE = join(ROOT, "node_modules/.cache/casefile");

export interface Packing {
  /** A word. */
  readonly name: string;
  /** Files and folders below the root that it is made from: the data, and the code that checks it. */
  readonly from: readonly string[];
  /** @throws what is wrong with the data */
  readonly pack: () => string;
}

/**
 * What `pack` made of the same files before. From source the data is packed at each start, which takes longer than
 * everything else that a command does.
 */
export function builtInCache({ name, from, pack }: Packing): string {
  const file = `${name}-${hashOf(from)}.json`;
  try {
    return readFileSync(join(CACHE, file), "utf8");
  } catch {
    const packed = pack();
    keep(name, file, packed);
    return packed;
  }
}

/** The packages' versions count, too: what they check may change with them. */
function hashOf(places: readonly string[]): string {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const name of ["package-lock.json", ...places.flatMap(filesIn)])
    hash.update(`\n${name}\n`).update(readFileSync(join(ROOT, name)));
  return hash.digest("hex").slice(0, 32);
}

const filesIn = (place: string): string[] =>
  /\.\w+$/.test(place)
    ? [place]
    : readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|yaml)$/.test(name))
        .sort()
        .map((name) => join(place, name));

/**
 * In place of what was made of other files; where nothing can be written, the next start packs again. Another process
 * may do the same at the same time: its file and its part stay.
 */
function keep(name: string, file: string, packed: string): void {
  const part = join(CACHE, `${file}.${process.pid}`);
  try {
    mkdirSync(CACHE, { recursive: true });
    const former = readdirSync(CACHE).filter((one) => one.startsWith(`${name}-`) && !one.startsWith(file));
    writeFileSync(part, packed);
    renameSync(part, join(CACHE, file));
    for (const one of former) rmSync(join(CACHE, one), { force: true });
  } catch {
    rmSync(part, { force: true });
  }
}
