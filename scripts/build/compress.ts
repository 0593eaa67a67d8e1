import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import type { NativeFile } from "../../src/natives/files.ts";
import { isThisMachine, type Target } from "./targets.ts";

/**
 * Measured on LanceDB's add-on, 168 MB stripped, one core, with repeats searched 32 MiB back: level 12 gives 47.6 MB in 8 s,
 * 14 the same in 33 s, 16 gives 45.7 MB in 58 s. (Without the long search: 12 gives 53.4 MB, 19 gives 45.9 MB in 190
 * s.) 64 MiB save another 0.4 MB, and level 18 another 2.5 MB in about twice the time of 16, since the executable is to stay
 * below 200 MB. It is unpacked in half a second with as much memory as the search goes back, once for each release.
 */
const LEVEL = 18;
const WINDOW_LOG = 26;
const compress = promisify(zstdCompress);
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: LEVEL,
  [constants.ZSTD_c_windowLog]: WINDOW_LOG,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
};

/** Compresses one native file, without its symbols where they can be taken off. Kept by content in `cache`. */
export async function compressed(source: string, name: string, target: Target, cache: string): Promise<NativeFile> {
  const stripper = await findStripper(target);
  const original = hashOf(await Bun.file(source).bytes());
  const key = `${original.slice(0, 16)}-${stripper ?? "whole"}-${LEVEL}-${WINDOW_LOG}-${name}`;
  const path = join(cache, `${key}.zst`);
  const notes = Bun.file(join(cache, `${key}.json`));
  if ((await notes.exists()) && (await Bun.file(path).exists())) return { name, path, ...(await notes.json()) };

  await mkdir(cache, { recursive: true });
  const content = (await stripped(source, stripper, target, cache)) ?? (await Bun.file(source).bytes());
  await Bun.write(`${path}.${process.pid}`, await compress(content, { params: PARAMS }));
  await rename(`${path}.${process.pid}`, path);
  const facts = { sha256: hashOf(content), bytes: content.length };
  await Bun.write(notes, JSON.stringify(facts));
  console.log(`  ${name}: ${content.length} bytes, ${Bun.file(path).size} compressed`);
  return { name, path, ...facts };
}

const hashOf = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");

/** A `strip` tool for the target. macOS and Windows binaries are signed or contain no symbols, so they are not stripped. */
async function findStripper({ platform, arch }: Target): Promise<string | undefined> {
  if (platform !== "linux") return undefined;
  const own = platform === process.platform && arch === process.arch;
  const gnu = arch === "arm64" ? "aarch64-linux-gnu-strip" : "x86_64-linux-gnu-strip";
  return [...(own ? ["strip"] : []), gnu, "llvm-strip"].find((tool) => Bun.which(tool) !== null);
}

/** @returns undefined when no tool is available or the stripped file does not load */
async function stripped(
  source: string,
  stripper: string | undefined,
  target: Target,
  cache: string,
): Promise<Uint8Array | undefined> {
  if (stripper === undefined) return undefined;
  const path = join(cache, `stripped.${crypto.randomUUID()}.node`);
  try {
    const made = Bun.spawnSync([stripper, "--strip-unneeded", "-o", path, source]);
    if (made.exitCode !== 0) return undefined;
    if (isThisMachine(target) && source.endsWith("lancedb.linux-x64-gnu.node") && !loads(path)) return undefined;
    return await Bun.file(path).bytes();
  } finally {
    await rm(path, { force: true });
  }
}

const loads = (path: string) =>
  Bun.spawnSync([process.execPath, "-e", "process.dlopen({ exports: {} }, process.argv.at(-1))", path]).exitCode === 0;
