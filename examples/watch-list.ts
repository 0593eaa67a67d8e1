import { readFile, rename, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/**
 * Keeps the tools of a list of companies as sorted lines, so that a version control system shows what changed.
 *
 *   casefile enrich domains.csv --format ndjson --rows tools | npx bun examples/watch-list.ts stacks.tsv
 *
 * Node 24 runs the file too. It needs no package.
 */

interface ResultRow {
  readonly domain: string | null;
  readonly status: string;
  readonly tool?: string | null;
  readonly category?: string | null;
}

/**
 * @param before the lines so far: domain, category and tool, separated by tabs
 * @param rows the results as NDJSON, one row for each tool
 * @returns the new lines. A domain whose scan failed keeps its lines: no answer is not a change
 */
export function updateStacks(before: string, rows: string): string {
  const results = linesOf(rows).map((line): ResultRow => JSON.parse(line));
  const scanned = new Set(results.filter(({ status }) => status === "done").map(({ domain }) => domain));
  const kept = linesOf(before).filter((line) => !scanned.has(line.split("\t")[0] ?? ""));
  const found = results.flatMap(({ domain, status, tool, category }) =>
    status === "done" && tool ? [[domain, category, tool].join("\t")] : [],
  );
  return [...new Set([...kept, ...found])]
    .sort()
    .map((line) => `${line}\n`)
    .join("");
}

const linesOf = (lines: string): string[] => lines.split(/\r?\n/).filter((line) => line.trim() !== "");

if (import.meta.main) {
  const file = process.argv[2];
  if (file === undefined) {
    console.error("Usage: casefile enrich LIST --format ndjson --rows tools | npx bun examples/watch-list.ts FILE");
    process.exit(2);
  }
  const before = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  await writeFile(`${file}.new`, updateStacks(before, await text(process.stdin)));
  await rename(`${file}.new`, file);
}
