import { mkdtemp, rm, stat } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readArguments } from "./arguments.ts";

/**
 * Measures the executable as a user starts it: `npx bun scripts/measure-binary.ts [FILE] [--starts 7] [--save]`. Each first
 * start has a data directory of its own; the later one is the next start of the same directory. Prints a table;
 * `--save` keeps it in `test/evaluation/binary.md`. Memory is the resident set size, which needs Linux.
 */

interface Start {
  readonly readyMs: number;
  /** Bytes. */
  readonly ready: number;
  readonly idle: number;
}

/** After a first start the built-in case studies are indexed at the same time. */
const IDLE_MS = 10_000;
const root = resolve(import.meta.dir, "..");
const usage = "npx bun scripts/measure-binary.ts [FILE] [--starts 7] [--save]";
const { values, positionals, refuse } = readArguments(usage, {
  options: { starts: { type: "string", default: "7" }, save: { type: "boolean", default: false } },
  allowPositionals: true,
});
const binary = resolve(positionals[0] ?? `${root}/dist/casefile`);
const starts = Number(values.starts);
if (!/^[1-9]\d*$/.test(values.starts)) refuse(`Unknown number of starts ${values.starts}: use a whole number from 1.`);
const loadNow = () => (loadavg()[0] ?? 0).toFixed(1);
const before = loadNow();
const first: Start[] = [];
const later: Start[] = [];
let unpacked = 0;

for (let at = 0; at < starts; at++) {
  const folder = await mkdtemp(join(tmpdir(), "casefile-measure-"));
  try {
    first.push(await measure(folder));
    later.push(await measure(folder));
    unpacked = await sizeOf(join(folder, "data/native")).catch(() => 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { size } = await stat(binary);
const { version } = await Bun.file(`${root}/package.json`).json();
const table = `# The executable

Casefile ${version}, Bun ${Bun.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}).
Medians of ${starts} starts, the slowest in brackets; load average ${before} before and ${loadNow()} after; made by \`npm run build && npx bun scripts/measure-binary.ts --save\`.

| | Measured | Target |
| --- | --- | --- |
| File | ${(size / 1e6).toFixed(1)} MB (${(size / 1_048_576).toFixed(1)} MiB) | 200 MB |
| Native parts, unpacked once | ${(unpacked / 1e6).toFixed(0)} MB | |
| First start to \`/readyz\` | ${told(first, "readyMs", "ms")} | 1,500 ms |
| Later start to \`/readyz\` | ${told(later, "readyMs", "ms")} | 500 ms |
| Resident when ready, first start | ${told(first, "ready", "MiB")} | |
| Resident 10 s later, index made meanwhile | ${told(first, "idle", "MiB")} | 350 MiB |
| Resident when ready, later start | ${told(later, "ready", "MiB")} | |
| Resident 10 s later, nothing asked | ${told(later, "idle", "MiB")} | 350 MiB |
`;
console.log(table);
if (values.save) await Bun.write(`${root}/test/evaluation/binary.md`, table);

async function measure(folder: string): Promise<Start> {
  const began = performance.now();
  const child = Bun.spawn([binary, "serve", "--port", "0", "--data-dir", join(folder, "data")], {
    cwd: folder,
    env: { HOME: folder, PATH: "/usr/bin:/bin" },
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    const url = await addressIn(child.stdout);
    const answer = await fetch(`${url}/readyz`);
    await answer.text();
    const readyMs = performance.now() - began;
    if (answer.status !== 200) throw new Error(`/readyz answered ${answer.status}`);
    const ready = await residentOf(child.pid);
    await Bun.sleep(IDLE_MS);
    return { readyMs, ready, idle: await residentOf(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

async function addressIn(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const found = /running at (http:\S+)/.exec(text)?.[1];
    if (found) return found;
  }
  throw new Error(`the service ended before it said where it is:\n${text}`);
}

async function residentOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

async function sizeOf(folder: string): Promise<number> {
  let sum = 0;
  for await (const name of new Bun.Glob("**/*").scan(folder)) sum += Bun.file(join(folder, name)).size;
  return sum;
}

function told(all: readonly Start[], what: keyof Start, unit: "ms" | "MiB"): string {
  const scale = unit === "ms" ? 1 : 1_048_576;
  const sorted = all.map((start) => start[what] / scale).sort((a, b) => a - b);
  const shown = (value = 0) => Math.round(value).toLocaleString("en");
  return `${shown(sorted[Math.floor(sorted.length / 2)])} ${unit} (${shown(sorted.at(-1))})`;
}
