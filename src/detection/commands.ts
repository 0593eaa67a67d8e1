import { type Command, InvalidArgumentError, Option } from "commander";
import type * as answers from "../../client/src/index.ts";
import { CasefileProblem } from "../../client/src/index.ts";
import { type CliHost, inputName, withApp } from "../cli/host.ts";
import { readCount, readOnce } from "../cli/list-options.ts";
import { reasonsText } from "../cli/problems.ts";
import { createLine } from "../cli/progress.ts";
import { fromServer, serverOption } from "../cli/remote.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import { UNIDENTIFIED_DOMAIN } from "./captures/read-capture.ts";
import type { SourceHealth } from "./history.ts";
import { parseMinConfidence } from "./levels.ts";
import type { DetectionService } from "./service.ts";
import { parseSources } from "./sources.ts";
import { type EnrichedDetection, type Enrichment, PHASES, type Phase } from "./types.ts";
import { enrichmentView, INCLUDE_NONE, INCLUDED, type Include, parseInclude } from "./view.ts";

type DetectionHost = CliHost<{ readonly detection: DetectionService }>;

/** Characters of a line of input; a longer one is not a domain. */
const MAX_INPUT_LINE = 2_048;
/** Characters of a line of output, with evidence and sources. */
const MAX_OUTPUT_LINE = 16_000_000;

/** A line of a list. */
interface ListedDomain {
  readonly input: string;
  /** The other columns of its row. */
  readonly cells?: Readonly<Record<string, string>> | undefined;
  /** Why the row cannot be read. */
  readonly fault?: string | undefined;
}

interface ListOptions {
  readonly entries: AsyncIterable<ListedDomain>;
  /** Appended to; domains that have a result in it are skipped. Standard output if undefined. */
  readonly output: string | undefined;
  readonly concurrency: number;
  readonly enrich: (domain: string) => Promise<object>;
}

/**
 * Writes one line of JSON for each domain of a list: the result with the domain as given (`input`) and the other columns of
 * its row, or `code` and `detail` of a permanent refusal. Domains that failed in an earlier run are scanned again.
 *
 * @throws a refusal that would repeat for every domain; or, at the end, one that counts the domains that failed
 */
async function enrichList(host: CliHost, { entries, output, concurrency, enrich }: ListOptions): Promise<void> {
  const earlier = output === undefined ? new Map<string, string>() : await inputsIn(host, output);
  const write = async (line: object) => {
    const text = `${jsonText(line)}\n`;
    if (output === undefined) host.out(text);
    else await host.appendFile(output, text);
  };
  const withEarlierResult = withResult(earlier);
  const skipped = new Set<string>();
  const listed = newEntries(entries, new Set(withEarlierResult), (domain) => {
    if (withEarlierResult.has(domain)) skipped.add(domain);
  });
  const progress = createLine(host);
  let count = 0;
  let failed = 0;
  let stale = 0;
  const reasons = new Map<string, number>();
  let hasColumns = false;
  let stopped = false;

  const work = async () => {
    for await (const { input: domain, cells = {}, fault } of listed) {
      if (stopped || host.signal.aborted) return;
      const row = { input: domain, ...(Object.keys(cells).length > 0 ? { columns: cells } : {}) };
      try {
        if (fault !== undefined) throw new Failure("batch.invalid", fault);
        const result = await enrich(domain);
        if ("stale" in result) stale += 1;
        if (!("stale" in result) || earlier.get(domain) !== STALE) await write({ ...row, ...result });
      } catch (error) {
        if (!isRefusal(error) || AFFECTS_ALL.has(error.code)) throw error;
        failed += 1;
        hasColumns ||= error.code === "domain.invalid" && /[,;\t]/.test(domain);
        reasons.set(error.code, (reasons.get(error.code) ?? 0) + 1);
        if (PERMANENT.has(error.code)) {
          if (earlier.get(domain) !== error.code)
            await write({ ...row, domain: null, code: error.code, detail: messageOf(error) });
        } else {
          progress.end();
          host.err(`${fault === undefined ? `${plain(domain)}: ` : ""}${plain(messageOf(error))}\n`);
        }
      }
      count += 1;
      progress.show(`${count} done${failed > 0 ? `, ${failed} failed` : ""} …`);
    }
  };
  try {
    await Promise.all(
      Array.from({ length: concurrency }, () =>
        work().catch((error) => {
          stopped = true;
          throw error;
        }),
      ),
    );
  } finally {
    progress.end();
  }
  if (host.signal.aborted && output !== undefined) host.err("Interrupted; run the same command again to continue.\n");
  host.signal.throwIfAborted();
  const before = skipped.size > 0 ? `, ${skipped.size} done before` : "";
  const columns = hasColumns ? " Add --format csv to read a list with several columns." : "";
  const old = stale > 0 ? ` ${stale} of them could not be renewed; the next run scans them again.` : "";
  if (failed > 0) {
    // This code gives the exit status 1, whatever the reasons were.
    throw new Failure(
      "dns.unreachable",
      `${count - failed} done${before}, ${failed} failed: ${reasonsText(Object.fromEntries(reasons))}.${columns}${old}`,
    );
  }
  if (output !== undefined || stale > 0) host.err(`${count} done${before}, 0 failed.${old}\n`);
}

type Refusal = Failure | CasefileProblem;

const isRefusal = (error: unknown): error is Refusal => error instanceof Failure || error instanceof CasefileProblem;
const messageOf = (error: Refusal) => (error instanceof Failure ? error.message : error.detail);

/** Refusals that a retry would repeat. */
const PERMANENT = new Set(["domain.invalid", "domain.reserved", "domain.not_found", "domain.opted_out"]);
/** Refusals that would repeat for every other domain. */
const AFFECTS_ALL = new Set([
  "key.invalid",
  "quota.exceeded",
  "server.unreachable",
  "store.unusable",
  "request.invalid",
]);

/** Each domain once, without those in `done`, and the rows that cannot be read. */
async function* newEntries(
  entries: AsyncIterable<ListedDomain>,
  done: Set<string>,
  onSkipped: (domain: string) => void,
): AsyncGenerator<ListedDomain> {
  for await (const entry of entries) {
    if (entry.fault === undefined) {
      if (done.has(entry.input)) {
        onSkipped(entry.input);
        continue;
      }
      done.add(entry.input);
    }
    yield entry;
  }
}

/** A domain in each line. Skips empty lines and comments. */
async function* domainLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<ListedDomain> {
  for await (const line of linesOf(content, MAX_INPUT_LINE)) {
    const input = line.replace(/^\ufeff/, "").trim();
    if (input !== "" && !input.startsWith("#")) yield { input };
  }
}

/** Lines without line ends. A line over the limit is cut one character above it, so that it is refused. */
async function* linesOf(content: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, limit + 1);
    for (const line of lines) yield line.slice(0, limit + 1);
  }
  if (rest !== "") yield rest;
}

const LINE_FEED = 10;

/** In place of the code of a failure: the line is a stored result that could not be renewed. */
const STALE = "stale";

/** The inputs that need no further scan. */
const withResult = (earlier: ReadonlyMap<string, string>): Set<string> =>
  new Set([...earlier].filter(([, code]) => code === "").map(([input]) => input));

/** The inputs in the output of an earlier run with the code of their failure, empty for a result. Ends a line that it left incomplete. */
async function inputsIn(host: CliHost, output: string): Promise<Map<string, string>> {
  const inputs = new Map<string, string>();
  const content = await host.findFile(output);
  if (!content) return inputs;
  let complete = true;
  const observed = (async function* () {
    for await (const chunk of content) {
      complete = chunk.at(-1) === LINE_FEED;
      yield chunk;
    }
  })();
  for await (const line of linesOf(observed, MAX_OUTPUT_LINE)) {
    const { input, code = "" } = inputOf(line);
    if (input !== undefined && inputs.get(input) !== "") inputs.set(input, code);
  }
  if (!complete) await host.appendFile(output, "\n");
  return inputs;
}

/** Empty for an incomplete or unrelated line; its domain is scanned again, as is one whose result was stale. */
function inputOf(line: string): { input?: string; code?: string } {
  try {
    const { input, code, stale } = Object(JSON.parse(line));
    if (typeof input !== "string") return {};
    if (stale === true) return { input, code: STALE };
    return typeof code === "string" ? { input, code } : { input };
  } catch {
    return {};
  }
}

/** The shown parts of a result; a remote service does not return `means`. */
interface ShownEnrichment extends Pick<Enrichment, "domain" | "scanned_at" | "cached" | "sources" | "stale_reason"> {
  readonly third_parties?: readonly ShownThirdParty[] | undefined;
  readonly detections: readonly ShownDetection[];
}
interface ShownThirdParty {
  readonly domain: string;
  readonly hosts: readonly string[];
  readonly seen: readonly { readonly signal: string }[];
}
interface ShownDetection extends Pick<EnrichedDetection, "tool" | "category" | "version" | "confidence"> {
  readonly means?: string;
  readonly evidence: readonly Readonly<Record<"signal" | "value" | "location" | "rule" | "strength", string>>[];
}

/** A result as text: tools by category with their best evidence, then the scanners that failed. */
function enrichmentText(enrichment: ShownEnrichment, include: Include, width: number): string {
  const { detections, domain, sources, stale_reason } = enrichment;
  const failed = sources.filter(({ status }) => status === "timeout" || status === "failed");
  const origin = stale_reason !== undefined ? "stale, " : enrichment.cached ? "cached, " : "";
  const when = `${origin}${minuteOf(enrichment.scanned_at)} UTC`;
  const parts = [
    `${plain(domain)}: ${detections.length} ${detections.length === 1 ? "tool" : "tools"} (${when})`,
    detections.length > 0 ? table(COLUMNS, detections.map(rowOf), width) : "No tools detected.",
  ];
  if (stale_reason !== undefined) parts.push(`Not renewed: ${plain(stale_reason)}`);
  if (include.evidence) parts.push(detections.map(evidenceText).join("\n\n"));
  if (include.third_parties) parts.push(thirdPartiesText(enrichment.third_parties ?? [], width));
  if (include.sources) {
    const isDated = sources.some(({ observed_at }) => observed_at !== undefined);
    const rows = sources.map(({ source, status, duration_ms, detail, observed_at }) => [
      source,
      status,
      ...(isDated ? [observed_at === undefined ? "" : minuteOf(observed_at)] : []),
      `${duration_ms} ms`,
      detail ?? "",
    ]);
    const columns = ["SOURCE", "STATUS", ...(isDated ? ["RECORDED (UTC)"] : []), "TIME", "DETAIL"];
    parts.push(
      table(
        columns.map((title) => ({ title })),
        rows,
        width,
      ),
    );
  } else if (failed.length > 0) {
    const names = failed.map(({ source, status }) => `${source} (${status})`).join(", ");
    parts.push(`Incomplete: ${names}. Add --include sources for details.`);
  }
  return parts.join("\n\n");
}

function thirdPartiesText(parties: readonly ShownThirdParty[], width: number): string {
  if (parties.length === 0) return "No other third parties.";
  const rows = parties.map(({ domain, hosts, seen }) => [
    domain,
    seen.map(({ signal }) => signal).join(", "),
    hosts.join(", "),
  ]);
  return table([{ title: "OTHER THIRD PARTY" }, { title: "SEEN IN" }, { title: "HOSTS", yields: true }], rows, width);
}

const COLUMNS = [
  { title: "CATEGORY" },
  { title: "TOOL" },
  { title: "CONFIDENCE" },
  { title: "EVIDENCE", yields: true },
];

function rowOf({ category, tool, version, confidence, evidence }: ShownDetection): string[] {
  const best = evidence[0];
  const shown = best ? `${best.signal} ${best.value}${best.location ? ` (${best.location})` : ""}` : "";
  return [category, version ? `${tool} ${version}` : tool, `${Math.round(confidence * 100)}%`, shown];
}

function evidenceText({ tool, means, evidence }: ShownDetection): string {
  const lines = evidence.map(
    ({ signal, value, location, rule, strength }) =>
      plain(`  ${signal}  ${value}\n`).replace(/ $/, "\n") + plain(`    ${strength}, rule ${rule}, at ${location}`),
  );
  return [plain(means === undefined ? tool : `${tool} (${means})`), ...lines].join("\n");
}

/** Seconds, or every stored result. */
type MaxAge = number | "any";

/** A minimum confidence as it was written and as a number. */
interface GivenConfidence {
  readonly text: string;
  readonly value: number;
}

interface EnrichFlags {
  readonly from?: string;
  readonly url?: string;
  readonly keep?: boolean;
  readonly replay?: boolean;
  readonly json?: boolean;
  readonly include?: Include;
  readonly maxAge?: MaxAge;
  readonly minConfidence?: GivenConfidence;
  readonly output?: string;
  readonly atOnce?: number;
  readonly server?: string;
  readonly format?: ListFormat;
  readonly rows?: "companies" | "tools";
  readonly retryFailed?: boolean;
  readonly column?: string;
  readonly sources?: readonly string[] | "all";
}

const LIST_FORMATS = ["table", "json", "ndjson", "csv", "parquet"] as const;
type ListFormat = (typeof LIST_FORMATS)[number];

/** A list that is scanned as a batch. */
interface ListRequest {
  /** A file; `-` is standard input. */
  readonly list: string;
  readonly format: ListFormat;
  readonly rows: "companies" | "tools";
  readonly include: Include;
  readonly output?: string | undefined;
  readonly retryFailed?: boolean | undefined;
  readonly column?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly maxAgeSeconds?: number | undefined;
  readonly minConfidence?: number | undefined;
  readonly concurrency: number;
}

/** Lists of domains; the feature of batches provides them. */
interface Lists<Host> {
  /** Scans a list and writes all results in its order. */
  readonly enrichTable: (command: Command, host: Host, request: ListRequest) => Promise<void>;
  /** The rows of a list: one domain per line, CSV or JSON lines. */
  readonly readList: (
    content: AsyncIterable<Uint8Array>,
    options: { readonly name: string; readonly column?: string | undefined },
  ) => AsyncIterable<ListedDomain>;
}

const LIST_FILE = /\.(?:csv|tsv|txt|jsonl|ndjson)$/i;

/** By the ending of an output file. Null is lines of JSON, which are appended. */
const OUTPUT_FORMATS: Readonly<Record<string, ListFormat | null>> = {
  csv: "csv",
  parquet: "parquet",
  json: "json",
  jsonl: null,
  ndjson: null,
};

/** Without the dot; undefined for a name without one, such as `/dev/stdout`. */
const endingOf = (output: string | undefined): string | undefined =>
  /\.([^./\\]+)$/.exec(output ?? "")?.[1]?.toLowerCase();

const formatOf = (output: string | undefined): ListFormat | undefined =>
  OUTPUT_FORMATS[endingOf(output) ?? ""] ?? undefined;

/** Whether the results are appended to the output as lines of JSON, which no other format allows. */
const isAppended = ({ output, format }: EnrichFlags): boolean =>
  format === undefined && OUTPUT_FORMATS[endingOf(output) ?? ""] === null;

/** Undefined for a list whose results are written one by one as lines of JSON. */
function listRequest(list: string, flags: EnrichFlags): ListRequest | undefined {
  if (isAppended(flags)) return undefined;
  const format = flags.format ?? formatOf(flags.output);
  const isTable = format !== undefined || flags.rows !== undefined || flags.retryFailed || list !== "-";
  if (!isTable && flags.column === undefined && flags.sources === undefined) return undefined;
  return {
    list,
    format: format ?? (flags.rows === "tools" ? "table" : "ndjson"),
    rows: flags.rows ?? "companies",
    include: flags.include ?? INCLUDE_NONE,
    output: flags.output,
    retryFailed: flags.retryFailed,
    column: flags.column,
    only: flags.sources === "all" ? undefined : flags.sources,
    ...optionsOf(flags),
    concurrency: flags.atOnce ?? DEFAULT_CONCURRENCY,
  };
}

const DEFAULT_CONCURRENCY = 4;

/** `casefile enrich`: the tools that a company uses, from a scan, a file, or a stored snapshot. */
export function addEnrichCommand<Host extends DetectionHost>(
  program: Command,
  host: Host,
  { enrichTable, readList }: Lists<Host>,
): Command {
  const command = program
    .command("enrich")
    .description("List the tools that a company uses, with evidence.")
    .argument(
      "[domain]",
      "company domain, such as acme.com; or a list: a .csv, .txt or .jsonl file, or - for standard input",
    )
    .option(
      "--from <file>",
      "detect tools in a file, without network access: a snapshot of `casefile capture`, a HAR file, an HTML page, an HTTP response, a DNS zone or record list; - reads standard input",
      readOnce(JOIN),
    )
    .option(
      "--url <address>",
      "with --from: the address of the page or zone, if the file does not state it",
      readOnce(),
    )
    .option("--keep", "with --from: store the result and the snapshot")
    .option(
      "--replay",
      "detect tools in the stored snapshot of the domain with the current fingerprints, without network access",
    )
    .option(
      "--include <parts>",
      "add `evidence`, `sources`, `third_parties`, or several, separated by commas",
      readInclude,
    )
    .option(
      "--max-age <seconds>",
      "maximum age of a cached result; 0 forces a new scan, `any` accepts every stored result",
      readMaxAge,
    )
    .option(
      "--min-confidence <level>",
      "minimum confidence of the tools: `confirmed`, `likely`, `possible`, or a number from 0 to 1; JSON has the levels with --include evidence, tables with --rows tools",
      readMinConfidence,
    )
    .option("--json", "print the same JSON as GET /v1/enrich/{domain}")
    .option(
      "-o, --output <file>",
      "with a list: write to this file, in the format of its ending: .csv, .parquet, .json, .jsonl; lines of JSON (.jsonl) are appended, and domains that it already contains are skipped",
      readOnce(),
    )
    .addOption(
      new Option("--format <format>", "with a list: all results in the order of the list, in this format").choices(
        LIST_FORMATS,
      ),
    )
    .addOption(
      new Option(
        "--rows <rows>",
        "with a list: one row for each company or each tool; tools as a table, .csv or .parquet, or with --format ndjson",
      ).choices(["companies", "tools"]),
    )
    .option("--retry-failed", "with a list: scan only the domains that failed in the last run")
    .option(
      "--column <name>",
      "with a list: column with the domain; default: domain, website, url, else the one with the most domains",
      readOnce(),
    )
    .option(
      "--sources <sources>",
      "with a list: `light` (DNS and the home page), or data sources, separated by commas",
      readSources,
    )
    .option(
      "--at-once <domains>",
      `with a list: number of concurrent scans, 1 to 16; default ${DEFAULT_CONCURRENCY}`,
      readCount(16),
    )
    .addHelpText(
      "after",
      `
Examples:
  casefile enrich acme.com
  casefile enrich acme.com --json --include evidence,sources
  casefile enrich acme.com --min-confidence possible
  casefile enrich acme.com --server http://127.0.0.1:7171
  casefile enrich - --output found.jsonl < domains.txt
  casefile enrich customers.csv --rows tools --output tools.csv
  casefile capture acme.com -o acme.json && casefile enrich --from acme.json
  dig acme.com ANY | casefile enrich --from - --url acme.com`,
    );
  serverOption(command);
  return command.action(async (domain: string | undefined, flags: EnrichFlags) => {
    const error = usageError(domain, flags);
    if (error !== undefined) command.error(`error: ${error}`, { exitCode: 2 });
    const include = flags.include ?? INCLUDE_NONE;
    if (domain !== undefined && isListName(domain)) {
      if (flags.output !== undefined && (await host.isSameFile(domain, flags.output)))
        command.error(`error: --output ${flags.output} is the list itself; choose another file`, { exitCode: 2 });
      const request = listRequest(domain, flags);
      if (request) return enrichTable(command, host, request);
      const { name, content } = await host.openFile(domain);
      // Standard input without a named column has a domain in each line.
      const isPlain = domain === "-" && flags.column === undefined;
      const entries = isPlain ? domainLines(content) : readList(content, { name, column: flags.column });
      return enrichAll(command, host, entries, flags);
    }
    if (flags.server !== undefined) {
      const answer = await enrichOnServer(host, flags.server, domain ?? "", flags);
      host.out(
        flags.json ? `${jsonText(answer)}\n` : `${enrichmentText(shownAnswer(answer), include, host.columns)}\n`,
      );
      return;
    }
    const inMemory = flags.from !== undefined && !flags.keep;
    await withApp(
      host,
      command.opts(),
      async ({ detection }) => {
        const enrichment = await enrichOne(detection, host, domain ?? "", flags);
        const text = flags.json
          ? jsonText(enrichmentView(enrichment, include))
          : enrichmentText(enrichment, include, host.columns);
        host.out(`${text}\n`);
      },
      { inMemory },
    );
  });
}

/** What to do with several files for `--from`. */
const JOIN = "to join recordings of one company, put them into a folder: casefile ingest FOLDER";

/** A path, or an ending of recordings that is no top-level domain. */
const RECORDING_NAME = /^(?:\.{0,2}\/|~\/|[a-z]:\\)(?!.*\.(?:csv|txt|jsonl)$)|\.(?:har|html?|json|warc|warc\.gz)$/i;

function usageError(domain: string | undefined, flags: EnrichFlags): string | undefined {
  const isFile = flags.from !== undefined;
  const isList = isListName(domain ?? "");
  if (RECORDING_NAME.test(domain ?? ""))
    return isFile
      ? `--from reads one file, and ${flags.from} and ${domain} are two; ${JOIN}`
      : `${domain} looks like a file: give it with --from ${domain}`;
  if (domain !== undefined && isFile)
    return isList
      ? `the list ${domain} cannot be combined with --from ${flags.from}; use one of them`
      : `${domain} cannot be combined with --from ${flags.from}; --url names the address of a page or zone that does not state it: --from ${flags.from} --url ${domain}`;
  if (domain === undefined && !isFile)
    return "give a domain, a list of domains (a .csv, .txt or .jsonl file, or -), or --from FILE";
  if (!isFile && (flags.keep || flags.url)) return "--keep and --url require --from";
  if (isFile && flags.replay) return "--replay runs a stored snapshot and needs a domain, not --from";
  if (flags.maxAge !== undefined && (isFile || flags.replay))
    return "--max-age cannot be combined with --from or --replay";
  if (flags.server !== undefined && (isFile || flags.replay || flags.keep))
    return "--from, --keep and --replay use the data directory and cannot be combined with --server";
  const ofList = Object.entries(LIST_FLAGS).find(([name]) => Reflect.get(flags, name) !== undefined);
  if (ofList && !isList) return listFlagError(ofList[1], domain, flags);
  const ending = endingOf(flags.output);
  if (ending !== undefined && !(ending in OUTPUT_FORMATS) && flags.format === undefined)
    return `--output ${flags.output}: .${ending} is no known format; use ${Object.keys(OUTPUT_FORMATS)
      .map((each) => `.${each}`)
      .join(", ")}, or add --format ${LIST_FORMATS.join(", ")}`;
  if (isAppended(flags) && flags.rows === "tools")
    return `--rows tools cannot be appended to ${flags.output}: choose .csv or .parquet, or add --format ndjson to replace the file`;
  if (isAppended(flags) && flags.retryFailed)
    return `--retry-failed is not needed with ${flags.output}: domains without a result in it are scanned again`;
  const request = isList ? listRequest(domain ?? "", flags) : undefined;
  if (flags.sources !== undefined && flags.server !== undefined) return "--sources cannot be combined with --server";
  if (request && flags.server !== undefined)
    return "a table is made from the data directory, not with --server; POST /v1/enrich/batches takes lists";
  if (request && flags.include !== undefined && !isJson(request))
    return "--include requires JSON: add --format json or ndjson, without --rows tools; a table with --rows tools has the best evidence";
  if (request?.format === "json" && request.rows === "tools")
    return "--rows tools cannot be one JSON document: choose .csv or .parquet, or --format table, ndjson, csv, parquet";
  if (request?.format === "parquet" && flags.output === undefined) return "--format parquet requires --output FILE";
  if (isList && flags.replay) return "--replay needs a single domain";
  return undefined;
}

/** A flag for lists, with one domain or a file: says how the same output is made. */
function listFlagError(flag: string, domain: string | undefined, flags: EnrichFlags): string {
  const { output, format, rows, from = "" } = flags;
  const shape = Object.entries({ output, format, rows }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  const isShape = shape.some((each) => each.startsWith(flag));
  if (domain === undefined) {
    const remedy = `; for JSON use --json, for a table keep the result (--from ${from} --keep) and then enrich a list: casefile enrich LIST --max-age any ${shape.join(" ")}`;
    return `${flag} is for a list of domains, and cannot be combined with --from${isShape ? remedy : ""}`;
  }
  const remedy = ` (echo ${domain} | casefile enrich - ${shape.join(" ")}); for JSON use --json`;
  return `${flag} is for a list of domains, and ${domain} is one domain; give a .csv, .tsv, .txt, .jsonl or .ndjson file, or - for standard input${isShape ? remedy : ""}`;
}

/** Each result as in the API, and not a row of columns. */
const isJson = ({ format, rows }: ListRequest): boolean =>
  format === "json" || (format === "ndjson" && rows === "companies");

const LIST_FLAGS = {
  output: "--output",
  atOnce: "--at-once",
  format: "--format",
  rows: "--rows",
  retryFailed: "--retry-failed",
  column: "--column",
  sources: "--sources",
};

const isListName = (domain: string): boolean => domain === "-" || LIST_FILE.test(domain);

function readSources(text: string): readonly string[] | "all" {
  try {
    return parseSources(text) ?? "all";
  } catch (error) {
    throw error instanceof Failure ? new InvalidArgumentError(error.message) : error;
  }
}

async function enrichAll(
  command: Command,
  host: DetectionHost,
  entries: AsyncIterable<ListedDomain>,
  flags: EnrichFlags,
): Promise<void> {
  const { output, atOnce: concurrency = DEFAULT_CONCURRENCY, include = INCLUDE_NONE, server } = flags;
  if (server !== undefined) {
    const query = { ...queryOf(flags, include), signal: host.signal };
    return fromServer(host, server, (casefile) =>
      enrichList(host, { entries, output, concurrency, enrich: (domain) => casefile.enrich(domain, query) }),
    );
  }
  // The limit of concurrent scans must not refuse the list.
  const settings = { scanConcurrency: String(Math.max(8, concurrency)), ...command.opts() };
  await withApp(host, settings, ({ detection }) => {
    const only = flags.sources === "all" ? undefined : flags.sources;
    const options = { ...optionsOf(flags), only, signal: host.signal };
    const enrich = async (domain: string) => enrichmentView(await detection.enrich(domain, options), include);
    return enrichList(host, { entries, output, concurrency, enrich });
  });
}

async function enrichOnServer(
  host: CliHost,
  server: string,
  domain: string,
  flags: EnrichFlags,
): Promise<answers.Enrichment> {
  const line = createLine(host);
  line.show(`${domain}: waiting for ${server} …`);
  // The table shows evidence; JSON is the requested answer.
  const asked = flags.include ?? INCLUDE_NONE;
  const include = flags.json ? asked : { ...asked, evidence: true, sources: true };
  const query = { ...queryOf(flags, include), signal: host.signal };
  try {
    return await fromServer(host, server, (casefile) => casefile.enrich(domain, query));
  } finally {
    line.end();
  }
}

const queryOf = ({ maxAge, minConfidence }: EnrichFlags, include: Include) => ({
  include: includeText(include),
  max_age: maxAge,
  min_confidence: minConfidence?.text,
});
const optionsOf = ({ maxAge, minConfidence }: EnrichFlags) => ({
  maxAgeSeconds: toSeconds(maxAge),
  minConfidence: minConfidence?.value,
});

const includeText = (include: Include): string | undefined =>
  INCLUDED.filter((part) => include[part]).join(",") || undefined;

const shownAnswer = ({
  domain,
  tools,
  sources = [],
  scanned_at = "",
  cached = false,
  stale_reason,
  third_parties,
}: answers.Enrichment): ShownEnrichment => ({
  domain,
  scanned_at,
  cached,
  ...(stale_reason === undefined ? {} : { stale_reason }),
  sources,
  third_parties,
  detections: tools.map(({ tool, category, version = null, confidence = 0, evidence = [] }) => {
    return { tool, category, version, confidence, evidence };
  }),
});

async function enrichOne(
  detection: DetectionService,
  host: CliHost,
  domain: string,
  flags: EnrichFlags,
): Promise<Enrichment> {
  if (flags.from !== undefined) {
    const { name, text, modified } = await host.readFile(flags.from);
    const hints = { name, capturedAt: modified.toISOString(), url: flags.url };
    const snapshot = readRecording(detection, flags.from, text, hints);
    const input = plain(name) || "The input";
    if (flags.keep && snapshot.domain === UNIDENTIFIED_DOMAIN)
      throw new Failure(
        "snapshot.invalid",
        `Cannot keep ${inputName(flags.from)}: it does not state its address; name it with --url, such as --url https://acme.com/.`,
      );
    if (snapshot.domain.endsWith(".invalid"))
      host.err(`casefile: ${input} does not state its address; give it with --url to detect first-party files.\n`);
    if (flags.url !== undefined && !flags.url.includes(snapshot.domain))
      host.err(`casefile: ${input} states its domain, ${snapshot.domain}; --url is ignored.\n`);
    return detection.analyse(snapshot, { keep: flags.keep ?? false, minConfidence: flags.minConfidence?.value });
  }
  if (flags.replay) return detection.replay(domain, { minConfidence: flags.minConfidence?.value });
  const progress = createProgress(host, domain);
  try {
    const steps = await detection.enrichSteps(domain, { ...optionsOf(flags), signal: host.signal });
    for await (const step of steps) {
      if (step.phase === "complete") return step.enrichment;
      progress.step(step.phase, step.detections.length);
    }
    throw new Error("the scan ended without a result");
  } finally {
    progress.end();
  }
}

/** @throws Failure with the name of the file, which the message of {@link DetectionService.read} lacks */
function readRecording(
  detection: DetectionService,
  path: string,
  text: string,
  hints: Parameters<DetectionService["read"]>[1],
): ReturnType<DetectionService["read"]> {
  try {
    return detection.read(text, hints);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const clause = error.message
      .replace(/^The file /, "it ")
      .replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
    // An address that was given decides about the domain before the file does.
    const address = hints.url !== undefined && error.code.startsWith("domain.") ? ` with --url ${hints.url}` : "";
    throw new Failure(error.code, `Cannot read ${inputName(path)}${address}: ${clause}`, error.details);
  }
}

function readInclude(text: string): Include {
  const include = parseInclude(text);
  if (!include)
    throw new InvalidArgumentError("Use evidence, sources, third_parties, or several, separated by commas.");
  return include;
}

function readMinConfidence(text: string): GivenConfidence {
  const value = parseMinConfidence(text);
  if (value === undefined) throw new InvalidArgumentError("Use confirmed, likely, possible, or a number from 0 to 1.");
  return { text, value };
}

function readMaxAge(text: string): MaxAge {
  if (text === "any") return text;
  if (!/^\d{1,8}$/.test(text))
    throw new InvalidArgumentError("Give a whole number of seconds from 0 to 99999999, or any.");
  return Number(text);
}

const toSeconds = (maxAge: MaxAge | undefined) => (maxAge === "any" ? Number.POSITIVE_INFINITY : maxAge);

/** `casefile capture`: everything that a scan fetches, as a file for `casefile enrich --from`. */
export function addCaptureCommand(program: Command, host: DetectionHost): Command {
  const command = program
    .command("capture")
    .description("Scan a company and write all responses to a snapshot file.")
    .argument("<domain>", "company domain, such as acme.com")
    .option("-o, --output <file>", "output file; default: standard output", readOnce())
    .option("--browser", "fail unless the home page is also loaded in the browser at --browser-url")
    .addHelpText(
      "after",
      "\nExamples:\n  casefile capture acme.com -o acme.json\n  casefile capture acme.com --browser --browser-url http://127.0.0.1:9222 -o acme.json",
    );
  return command.action((domain: string, { output, browser }: { output?: string; browser?: boolean }) =>
    withApp(
      host,
      command.opts(),
      async ({ detection }) => {
        // A scan takes seconds, and its result would be lost.
        if (output !== undefined && output !== "-") await host.assertWritable(output);
        const progress = createProgress(host, domain);
        try {
          const snapshot = await detection.capture(domain, {
            signal: host.signal,
            onProgress: ({ phase, detections }) => progress.step(phase, detections.length),
            needsBrowser: browser === true,
          });
          progress.end();
          const text = detection.write(snapshot);
          if (output === undefined || output === "-") return host.out(text);
          await host.writeFile(output, text);
          host.err(
            `${output}: ${snapshot.dns.length} DNS answers, ${snapshot.http.length} HTTP exchanges, ${snapshot.certificates.length} certificates of ${snapshot.domain}\n`,
          );
        } finally {
          progress.end();
        }
      },
      { inMemory: "without-data" },
    ),
  );
}

/** `casefile data-sources`: the status of each data source in recent scans. */
export function addDataSourcesCommand(program: Command, host: DetectionHost): Command {
  const command = program
    .command("data-sources")
    .description("Show the status of each data source in recent scans, and which public services are disabled.")
    .option("--json", "print the same JSON as GET /admin/sources");
  return command.action((flags: { json?: boolean }) =>
    withApp(host, command.opts(), async ({ detection }) => {
      const health = await detection.sourceHealth();
      const rows = table(SOURCE_COLUMNS, health.sources.map(sourceRow), host.columns);
      host.out(flags.json ? `${jsonText(health)}\n` : `${rows}\nScans counted: ${health.scans}\n`);
    }),
  );
}

const SOURCE_COLUMNS = [
  { title: "SOURCE" },
  { title: "OK" },
  { title: "EMPTY" },
  { title: "TIMEOUT" },
  { title: "FAILED" },
  { title: "SKIPPED" },
  { title: "MEDIAN" },
  { title: "OFF" },
  { title: "LAST FAILURE (UTC)", yields: true },
];

function sourceRow({ source, ok, empty, timeout, failed, skipped, median_ms, services, last_fault }: SourceHealth) {
  const off = services.filter(({ state }) => state === "off");
  const fault = last_fault && [minuteOf(last_fault.scanned_at), last_fault.domain, last_fault.detail ?? ""].join(" ");
  return [
    source,
    ...[ok, empty, timeout, failed, skipped].map(String),
    median_ms === null ? "" : `${median_ms} ms`,
    off.length === 0 ? "" : `${off.length} of ${services.length}`,
    fault ?? "",
  ];
}

/** Shows the phase of a scan on one line of the terminal. */
function createProgress(host: CliHost, subject: string) {
  const line = createLine(host);
  line.show(`${subject}: scanning …`);
  return {
    step(phase: Phase, tools: number) {
      line.show(`${subject}: ${phase} (${PHASES.indexOf(phase) + 1} of ${PHASES.length}), ${tools} tools so far …`);
    },
    end: line.end,
  };
}
