import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** The build uses it too. As trustworthy as the packages in `node_modules`. */
const CACHE = join(ROOT, "node_modules/.cache/casefile");

export interface PackedData {
  /** One word, for the name of the file. */
  readonly name: string;
  /** Source files and folders below the root: the data, and the code that checks it. */
  readonly from: readonly string[];
  /** @throws Error when the data is invalid */
  readonly pack: () => string;
}

/**
 * The result of `pack`, cached by the content of the source files. When the program runs from source, packing at every
 * start would take longer than the rest of a command.
 */
export function builtInCache({ name, from, pack }: PackedData): string {
  const file = `${name}-${hashOf(from)}.json`;
  try {
    return readFileSync(join(CACHE, file), "utf8");
  } catch {
    const packed = pack();
    save(name, file, packed);
    return packed;
  }
}

/** Includes the versions of the packages, because the checks may change with them. */
function hashOf(sources: readonly string[]): string {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const source of ["package-lock.json", ...sources]) hash.update(hashOfSource(source));
  return hash.digest("hex").slice(0, 32);
}

/** Several results are made from the same folder of thousands of files. */
const hashes = new Map<string, string>();

function hashOfSource(source: string): string {
  const known = hashes.get(source);
  if (known !== undefined) return known;
  const hash = new Bun.CryptoHasher("sha256");
  for (const name of filesIn(source)) hash.update(`\n${name}\n`).update(readFileSync(join(ROOT, name)));
  const made = hash.digest("hex");
  hashes.set(source, made);
  return made;
}

const filesIn = (source: string): string[] =>
  /\.\w+$/.test(source)
    ? [source]
    : readdirSync(join(ROOT, source), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|yaml)$/.test(name))
        .sort()
        .map((name) => join(source, name));

/**
 * Replaces the cached results of other source files. Nothing is cached when the folder is not writable. Another process
 * may save the same file at the same time.
 */
function save(name: string, file: string, packed: string): void {
  const part = join(CACHE, `${file}.${process.pid}`);
  try {
    mkdirSync(CACHE, { recursive: true });
    const outdated = readdirSync(CACHE).filter((other) => other.startsWith(`${name}-`) && !other.startsWith(file));
    writeFileSync(part, packed);
    renameSync(part, join(CACHE, file));
    for (const other of outdated) rmSync(join(CACHE, other), { force: true });
  } catch {
    rmSync(part, { force: true });
  }
}
