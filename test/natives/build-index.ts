import { dlopen, FFIType } from "bun:ffi";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPassageIndex } from "../../src/casestudies/index/passage-index.ts";
import { DIMENSIONS, studyRows } from "../casestudies/index/passage-examples.ts";

/**
 * Builds and optimises an index, then prints as JSON how much code of LanceDB is resident, in MiB, and how many arenas
 * glibc has: `bun build-index.ts FOLDER`.
 */

const folder = process.argv[2] ?? "";
const index = await openPassageIndex({
  dir: join(folder, "index"),
  dimensions: DIMENSIONS,
  model: "a",
  clock: () => new Date(),
});
await index.upsert(Array.from({ length: 100 }, (_, at) => studyRows(`study-${at}`, at * 10, 10)).flat());
await index.optimise();
const code = /lancedb\S+\.node\n(?:\w+:.*\n)*?Rss: +(\d+) kB/;
const maps = (await readFile("/proc/self/smaps", "utf8")).split(/^(?=[0-9a-f]+-)/m);
const kilobytes = maps.filter((map) => map.includes(" r-xp ")).map((map) => Number(code.exec(map)?.[1] ?? 0));
const codeMb = kilobytes.reduce((sum, one) => sum + one, 0) / 1_024;

const { symbols } = dlopen("libc.so.6", {
  fopen: { args: [FFIType.cstring, FFIType.cstring], returns: FFIType.ptr },
  malloc_info: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  fclose: { args: [FFIType.ptr], returns: FFIType.i32 },
});
const path = join(folder, "arenas.xml");
const file = symbols.fopen(Buffer.from(`${path}\0`), Buffer.from("w\0"));
symbols.malloc_info(0, file);
symbols.fclose(file);
const arenas = (await readFile(path, "utf8")).split("<heap nr=").length - 1;
process.stdout.write(JSON.stringify({ arenas, codeMb }));
await index.close();
