import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Counts the source files that run for one request: `npx bun research/request-path.ts [--files]`. A service is started once
 * without a request and once for each request, both under line coverage; a file is counted when a line of it ran more often
 * with the request. `processed` is a submission with all of its background work.
 */

const REQUESTS = ["enrich", "search", "submit", "processed"] as const;
const ROOT = join(import.meta.dir, "..");

const folder = await mkdtemp(join(tmpdir(), "casefile-coverage-"));
try {
  const idle = await coverage("none");
  for (const request of REQUESTS) {
    const counts = await coverage(request);
    const files = [...counts].flatMap(([file, lines]) => {
      const before = idle.get(file);
      return [...lines].some(([line, count]) => count > (before?.get(line) ?? 0)) ? [file] : [];
    });
    const ours = files.filter((file) => file.startsWith("src/")).sort();
    console.log(`${request}: ${ours.length} files`);
    if (process.argv.includes("--files")) for (const file of ours) console.log(`  ${file}`);
  }
} finally {
  await rm(folder, { recursive: true });
}

/** Counts by file and line. */
async function coverage(request: string): Promise<Map<string, Map<number, number>>> {
  const directory = join(folder, request);
  const run = Bun.spawn(
    [
      process.execPath,
      ...["test", "--timeout", "120000", "--coverage", "--coverage-reporter=lcov", `--coverage-dir=${directory}`],
      "./research/request-path/one-request.ts",
    ],
    { cwd: ROOT, env: { ...process.env, REQUEST: request }, stdout: "ignore", stderr: "pipe" },
  );
  const problems = await new Response(run.stderr).text();
  if ((await run.exited) !== 0) throw new Error(`${request} failed: ${problems.slice(-1_000)}`);
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const line of (await Bun.file(join(directory, "lcov.info")).text()).split("\n")) {
    const [, file] = /^SF:(.+)$/.exec(line) ?? [];
    if (file !== undefined) {
      lines = new Map();
      files.set(file, lines);
    }
    const [, number, count] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
    if (number !== undefined) lines.set(Number(number), Number(count));
  }
  return files;
}
