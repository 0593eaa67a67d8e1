import { appendFile, readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { CasefileProblem, type Client, createClient } from "../client/src/index.ts";

/**
 * Adds the tools of each company to a list of domains, a few at a time. Domains that have a result in the output
 * are skipped, so an interrupted run can be continued.
 *
 *   CASEFILE_API_KEY=… npx bun examples/enrich-csv.ts FILE.csv [--output FILE] [--server URL] [--at-once 4]
 *
 * Domains are read from the column `domain`, `website` or `url`, else from the first with a domain.
 */

const HEAD = "domain,tools_detected,tools,problem";

export interface Files {
  /** CSV with domains. */
  readonly input: string;
  /** The output so far. */
  readonly before: string;
  append(text: string): Promise<void>;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/**
 * @returns counts; the next run tries the `failed` domains again
 * @throws CasefileProblem when all further requests would fail: invalid key, or quota used up
 */
export async function enrichCsv(
  casefile: Client,
  { input, before, append }: Files,
  { atOnce = 4, onProgress = () => {} }: { atOnce?: number; onProgress?: (progress: Progress) => void } = {},
): Promise<Progress> {
  const known = new Set(domainsOf(before, "result"));
  const listed = new Set(domainsOf(before));
  const waiting = [...new Set(domainsOf(input))].filter((domain) => !known.has(domain));
  const total = waiting.length;
  const gone = new AbortController();
  let done = 0;
  let failed = 0;
  // A run that was killed may have left half a line.
  if (before === "") await append(`${HEAD}\n`);
  else if (!before.endsWith("\n")) await append("\n");

  onProgress({ done, total, failed });
  const work = async () => {
    for (let domain = waiting.shift(); domain !== undefined; domain = waiting.shift()) {
      const row = await rowOf(casefile, domain, gone.signal);
      if (row !== undefined && !(row[3] !== "" && listed.has(domain))) await append(`${row.map(quoted).join(",")}\n`);
      done += 1;
      if (row === undefined || row[3] !== "") failed += 1;
      onProgress({ done, total, failed });
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    waiting.length = 0;
    gone.abort(new Error("the run ended"));
  }
  return { done, total, failed };
}

/** Undefined for a failure that a later run may not have. */
async function rowOf(casefile: Client, domain: string, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    const { tools_detected, tools } = await casefile.enrich(domain, { signal });
    return [domain, String(tools_detected), tools.map(({ tool }) => tool).join("; "), ""];
  } catch (error) {
    if (!(error instanceof CasefileProblem)) throw error;
    if (error.status === 401 || error.code === "quota.exceeded") throw error;
    return error.status === 404 || error.status === 422 ? [domain, "", "", error.code] : undefined;
  }
}

/** Names of the column with the domain, in order of preference. */
const COLUMNS = ["domain", "companydomain", "website", "companywebsite", "url", "homepage", "host", "site"];
const DOMAIN = /^(?:https?:\/\/)?[^\s/,;@"]+\.[a-z][a-z0-9-]+(?:[/:?#].*)?$/i;

/** The domains of a CSV text; with "result", those without a problem. */
function domainsOf(text: string, only?: "result"): string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  const count = (mark: string) => first.split(mark).length;
  const delimiter = [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const rows = lines.map((line) => cellsOf(line, delimiter));
  const head = rows[0] ?? [];
  const hasHead = !head.some((cell) => DOMAIN.test(cell));
  const names = hasHead ? head.map((cell) => cell.toLowerCase().replace(/[\s_-]/g, "")) : [];
  const usual = COLUMNS.map((name) => names.indexOf(name)).find((at) => at >= 0);
  const withDomain = rows.find((cells) => cells.some((cell) => DOMAIN.test(cell))) ?? [];
  const column =
    usual ??
    Math.max(
      0,
      withDomain.findIndex((cell) => DOMAIN.test(cell)),
    );
  const problem = only === undefined ? -1 : names.indexOf("problem");
  const kept = (hasHead ? rows.slice(1) : rows).filter((cells) => problem < 0 || cells[problem] === "");
  return kept.map((cells) => hostOf(cells[column] ?? "")).filter((domain) => domain !== "");
}

/** `acme.com` of `https://acme.com/about`. */
const hostOf = (cell: string): string =>
  DOMAIN.test(cell) ? cell.replace(/^https?:\/\//i, "").replace(/[/:?#].*$/, "") : cell;

/** A domain contains no line break, so a row is a line. */
function cellsOf(line: string, delimiter: string): string[] {
  const cell = new RegExp(`(?:^|${delimiter})(?:"((?:[^"]|"")*)"|([^${delimiter}]*))`, "g");
  return [...line.matchAll(cell)].map(([, inner, bare]) => (inner?.replaceAll('""', '"') ?? bare ?? "").trim());
}

/** A spreadsheet would run a cell that begins like a formula. */
const quoted = (cell: string) => {
  const safe = /^[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Undefined for invalid arguments. */
function lineOf(args: string[]) {
  try {
    const options = {
      server: { type: "string", default: "http://127.0.0.1:7171" },
      output: { type: "string" },
      "at-once": { type: "string", default: "4" },
    } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [file, ...more] = positionals;
    return file === undefined || more.length > 0 ? undefined : { values, file };
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const line = lineOf(process.argv.slice(2));
  if (line === undefined) {
    console.error(
      "Usage: npx bun examples/enrich-csv.ts FILE.csv [--output FILE] [--server URL] [--at-once 4]\nDomains are read from the column `domain`, `website` or `url`, else from the first with a domain.",
    );
    process.exit(2);
  }
  const { values, file } = line;
  const input = await readFile(file, "utf8").catch(() => undefined);
  if (input === undefined) {
    console.error(`Cannot read ${file}.`);
    process.exit(2);
  }
  const output = values.output ?? `${file.replace(/\.csv$/, "")}.enriched.csv`;
  const casefile = createClient({ baseUrl: values.server, apiKey: process.env.CASEFILE_API_KEY });
  const files = {
    input,
    before: await readFile(output, "utf8").catch(() => ""),
    append: (text: string) => appendFile(output, text),
  };
  try {
    const { done, failed } = await enrichCsv(casefile, files, {
      atOnce: Math.max(1, Number(values["at-once"]) || 1),
      onProgress: (now) => process.stderr.write(`\r${now.done} of ${now.total}, ${now.failed} failed`),
    });
    console.error(
      `\n${output}: ${done - failed} added${failed > 0 ? `; run again for the ${failed} that failed` : ""}`,
    );
    if (failed > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof CasefileProblem)) throw error;
    console.error(`\n${error.detail} Results so far are in ${output}.`);
    process.exitCode = 1;
  }
}
