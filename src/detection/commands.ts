import { type Command, InvalidArgumentError } from "commander";
import type * as answers from "../../client/src/index.ts";
import { CasefileProblem } from "../../client/src/index.ts";
import { type CliHost, withApp } from "../cli/host.ts";
import { readCount } from "../cli/list-options.ts";
import { createLine } from "../cli/progress.ts";
import { fromServer, serverOption } from "../cli/remote.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import type { SourceHealth } from "./history.ts";
import type { EnrichedDetection, Enrichment } from "./service.ts";
import { PHASES, type Phase } from "./types.ts";
import { enrichmentView, type Include, NOTHING_MORE, parseInclude } from "./view.ts";

/** A longer line is no domain, however it was pasted. */
const MOST_CHARACTERS = 2_048;
/** Of a line of the output, with evidence and sources. */
const MOST_WRITTEN = 16_000_000;

interface ListWork {
  /** Appended to; what is in it already is not asked for again. Standard output when there is none. */
  readonly output: string | undefined;
  readonly atOnce: number;
  /** The answer for one domain. */
  readonly ask: (domain: string) => Promise<object>;
}

/**
 * Reads domains from standard input, one a line, and writes one line of JSON for each: the answer with the domain as it
 * was given (`input`), or `code` and `detail` of what is refused for good.
 *
 * @throws the refusal after which no further domain can go well; or, at the end, one that counts those that failed and
 * are not in the output
 */
async function enrichList(host: CliHost, { output, atOnce, ask }: ListWork): Promise<void> {
  const known = output === undefined ? new Set<string>() : await writtenIn(host, output);
  const write = async (line: object) => {
    const text = `${jsonText(line)}\n`;
    if (output === undefined) host.out(text);
    else await host.appendFile(output, text);
  };
  const inputs = (await host.openFile("-")).content;
  const domains = domainsOf(inputs, known);
  const progress = createLine(host);
  const count = { done: 0, failed: 0 };
  let last: Refusal | undefined;
  let stopped = false;

  const work = async () => {
    for await (const domain of domains) {
      if (stopped || host.signal.aborted) return;
      try {
        await write({ input: domain, ...(await ask(domain)) });
      } catch (error) {
        if (!isRefusal(error) || isForAll(error)) throw error;
        if (isForGood(error)) await write({ input: domain, domain: null, code: error.code, detail: adviceOf(error) });
        else {
          count.failed += 1;
          last = error;
          progress.end();
          host.err(`${plain(domain)}: ${plain(adviceOf(error))}\n`);
        }
      }
      count.done += 1;
      progress.show(`${count.done} done${count.failed > 0 ? `, ${count.failed} failed` : ""} …`);
    }
  };
  try {
    await Promise.all(
      Array.from({ length: atOnce }, () =>
        work().catch((error) => {
          stopped = true;
          throw error;
        }),
      ),
    );
  } finally {
    progress.end();
  }
  if (host.signal.aborted && output !== undefined) host.err("Interrupted; the same command goes on where it was.\n");
  host.signal.throwIfAborted();
  if (last)
    throw withQuota(
      last,
      `${count.failed} of ${count.done} domains failed and are not in the output; run it again for them.`,
    );
}

type Refusal = Failure | CasefileProblem;

const isRefusal = (error: unknown): error is Refusal => error instanceof Failure || error instanceof CasefileProblem;
const adviceOf = (error: Refusal) => (error instanceof Failure ? error.advice : error.detail);
/** Another time it would be refused again. */
const isForGood = ({ code }: Refusal) => ["domain.invalid", "domain.reserved", "domain.not_found"].includes(code);
/** Whatever is asked next would be refused too. */
const isForAll = ({ code }: Refusal) =>
  ["key.invalid", "quota.exceeded", "server.unreachable", "store.unusable", "request.invalid"].includes(code);

const withQuota = (error: Refusal, text: string): Refusal =>
  error instanceof Failure ? new Failure(error.code, text) : new CasefileProblem(error.status, error.code, text);

/** Each domain once, without those that are known. Empty lines and comments are none. */
async function* domainsOf(content: AsyncIterable<Uint8Array>, known: Set<string>): AsyncGenerator<string> {
  for await (const line of linesOf(content, MOST_CHARACTERS)) {
    const domain = line.replace(/^\ufeff/, "").trim();
    if (domain === "" || domain.startsWith("#") || known.has(domain)) continue;
    known.add(domain);
    yield domain;
  }
}

/** Lines without their ends; what of a line is beyond the bound is left out, so that the domain in it is refused. */
async function* linesOf(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, most + 1);
    for (const line of lines) yield line.slice(0, most + 1);
  }
  if (rest !== "") yield rest;
}

/** What a former run wrote; the line that it may have left half is ended. */
async function writtenIn(host: CliHost, output: string): Promise<Set<string>> {
  const known = new Set<string>();
  const content = await host.findFile(output);
  if (!content) return known;
  let whole = true;
  const watched = (async function* () {
    for await (const chunk of content) {
      whole = chunk.at(-1) === LINE_END;
      yield chunk;
    }
  })();
  for await (const line of linesOf(watched, MOST_WRITTEN)) {
    const input = inputOf(line);
    if (input !== undefined) known.add(input);
  }
  if (!whole) await host.appendFile(output, "\n");
  return known;
}

const LINE_END = 10;

/** Undefined for a line that a run left half, or that is none of ours: its domain is asked for again. */
function inputOf(line: string): string | undefined {
  try {
    const input: unknown = Reflect.get(Object(JSON.parse(line)), "input");
    return typeof input === "string" ? input : undefined;
  } catch {
    return undefined;
  }
}

/** As much of a result as is shown; what a tool's proof means is not told by a service elsewhere. */
interface ShownEnrichment extends Pick<Enrichment, "domain" | "scanned_at" | "cached" | "sources"> {
  readonly detections: readonly ShownDetection[];
}
interface ShownDetection extends Pick<EnrichedDetection, "tool" | "category" | "version" | "confidence"> {
  readonly means?: string;
  readonly evidence: readonly Readonly<Record<"signal" | "value" | "location" | "rule" | "strength", string>>[];
}

/** A person's view of a result: tools by category with their best proof, then what could not be checked. */
function enrichmentText(enrichment: ShownEnrichment, include: Include, width: number): string {
  const { detections, domain, sources } = enrichment;
  const missed = sources.filter(({ status }) => status === "timeout" || status === "failed");
  const when = `${enrichment.cached ? "stored result of " : ""}${enrichment.scanned_at.slice(0, 16).replace("T", " ")} UTC`;
  const parts = [
    `${plain(domain)}: ${detections.length} ${detections.length === 1 ? "tool" : "tools"} (${when})`,
    detections.length > 0 ? table(COLUMNS, detections.map(row), width) : "No tool was told from what could be seen.",
  ];
  if (include.evidence) parts.push(detections.map(evidenceText).join("\n\n"));
  if (include.sources) {
    const rows = sources.map(({ source, status, duration_ms, detail }) => [
      source,
      status,
      `${duration_ms} ms`,
      detail ?? "",
    ]);
    parts.push(table([{ title: "SOURCE" }, { title: "STATUS" }, { title: "TIME" }, { title: "DETAIL" }], rows, width));
  } else if (missed.length > 0) {
    parts.push(
      `Not fully checked: ${missed.map(({ source, status }) => `${source} (${status})`).join(", ")}. Add --include sources for the reasons.`,
    );
  }
  return parts.join("\n\n");
}

const COLUMNS = [{ title: "CATEGORY" }, { title: "TOOL" }, { title: "SURE" }, { title: "BEST PROOF", yields: true }];

function row({ category, tool, version, confidence, evidence }: ShownDetection): string[] {
  const best = evidence[0];
  const proof = best ? `${best.signal} ${best.value}${best.location ? ` (${best.location})` : ""}` : "";
  return [category, version ? `${tool} ${version}` : tool, `${Math.round(confidence * 100)}%`, proof];
}

function evidenceText({ tool, means, evidence }: ShownDetection): string {
  const lines = evidence.map(
    ({ signal, value, location, rule, strength }) =>
      plain(`  ${signal}  ${value}\n`).replace(/ $/, "\n") + plain(`    ${strength}, rule ${rule}, at ${location}`),
  );
  return [means === undefined ? tool : `${tool} (${means})`, ...lines].join("\n");
}

interface Flags {
  readonly from?: string;
  readonly url?: string;
  readonly keep?: boolean;
  readonly replay?: boolean;
  readonly json?: boolean;
  readonly include?: Include;
  readonly maxAge?: number;
  readonly output?: string;
  readonly atOnce?: number;
  readonly server?: string;
}

/** `casefile enrich`: the tools that a company uses, from a visit, a file, or a stored visit. */
export function addEnrich(program: Command, host: CliHost<Services>): Command {
  const command = program
    .command("enrich")
    .description("Tell which tools a company uses, with the evidence.")
    .argument("[domain]", "company domain, such as acme.com; - reads domains from standard input, one a line")
    .option(
      "--from <file>",
      "detect on a file instead, with no network: a snapshot of `casefile capture`, a HAR file, a saved page, an HTTP response, a DNS zone or record list; - reads standard input",
    )
    .option("--url <address>", "with --from: where the page or zone comes from, when the file does not say")
    .option("--keep", "with --from: store the result and the snapshot, so that the service answers from them")
    .option("--replay", "run the stored snapshot of the domain again with the present catalogue, with no network")
    .option("--include <parts>", "add `evidence`, `sources`, or both with a comma", readInclude)
    .option("--max-age <seconds>", "oldest stored result to accept; 0 scans anew", readSeconds)
    .option("--json", "print the same JSON as GET /v1/enrich/{domain}")
    .option("-o, --output <file>", "with -: append the lines of JSON there, and skip what it has already")
    .option("--at-once <domains>", `with -: so many at a time, 1 to 16; by default ${AT_ONCE}`, readCount(16))
    .addHelpText(
      "after",
      `
Examples:
  casefile enrich acme.com
  casefile enrich acme.com --json --include evidence,sources
  casefile enrich acme.com --server http://127.0.0.1:7171
  casefile enrich - --output found.jsonl < domains.txt
  casefile capture acme.com -o acme.json && casefile enrich --from acme.json
  dig acme.com ANY | casefile enrich --from - --url acme.com`,
    );
  serverOption(command);
  return command.action(async (domain: string | undefined, flags: Flags) => {
    if ((domain === undefined) === (flags.from === undefined))
      command.error("error: give either a domain or --from FILE", { exitCode: 2 });
    if (flags.from === undefined && (flags.keep || flags.url))
      command.error("error: --keep and --url belong to --from", { exitCode: 2 });
    if (flags.from !== undefined && flags.replay)
      command.error("error: --replay runs a stored snapshot and takes a domain, not --from", { exitCode: 2 });
    if (flags.maxAge !== undefined && (flags.from !== undefined || flags.replay))
      command.error("error: --max-age belongs to a visit, not to --from or --replay", { exitCode: 2 });
    if (flags.server !== undefined && (flags.from !== undefined || flags.replay || flags.keep))
      command.error("error: --from, --keep and --replay work on the data directory, not with --server", {
        exitCode: 2,
      });
    if (domain !== "-" && (flags.output !== undefined || flags.atOnce !== undefined))
      command.error("error: --output and --at-once belong to a list of domains, `casefile enrich -`", { exitCode: 2 });
    if (domain === "-" && flags.replay) command.error("error: --replay takes one domain", { exitCode: 2 });
    const include = flags.include ?? NOTHING_MORE;
    if (domain === "-") return enrichAll(command, host, flags);
    if (flags.server !== undefined) {
      const told = await askServer(host, flags.server, domain ?? "", flags);
      host.out(flags.json ? `${jsonText(told)}\n` : `${enrichmentText(shownOf(told), include, host.columns)}\n`);
      return;
    }
    const app = await host.open(command.opts(), { inMemory: flags.from !== undefined && !flags.keep });
    try {
      const enrichment = await run(app, host, domain ?? "", flags);
      host.out(
        flags.json
          ? `${jsonText(enrichmentView(enrichment, include))}\n`
          : `${enrichmentText(enrichment, include, host.columns)}\n`,
      );
    } finally {
      await app.close();
    }
  });
}

const AT_ONCE = 4;

async function enrichAll(command: Command, host: CliHost<Services>, flags: Flags): Promise<void> {
  const { output, atOnce = AT_ONCE, include = NOTHING_MORE, server, maxAge } = flags;
  if (server !== undefined) {
    const asked = { include: wordsOf(include), max_age: maxAge, signal: host.signal };
    return fromServer(host, server, (casefile) =>
      enrichList(host, { output, atOnce, ask: (domain) => casefile.enrich(domain, asked) }),
    );
  }
  // The list is the one that asks: what it asks for at once is not refused.
  const app = await host.open({ scanMaxConcurrent: String(Math.max(8, atOnce)), ...command.opts() });
  try {
    const asked = { signal: host.signal, ...(maxAge === undefined ? {} : { maxAgeSeconds: maxAge }) };
    const ask = async (domain: string) => enrichmentView(await app.detection.enrich(domain, asked), include);
    await enrichList(host, { output, atOnce, ask });
  } finally {
    await app.close();
  }
}

async function askServer(host: CliHost, server: string, domain: string, flags: Flags): Promise<answers.Enrichment> {
  const line = createLine(host);
  line.show(`${domain}: asking ${server} …`);
  // A table needs the proof; JSON is what was asked for.
  const include = flags.json ? (flags.include ?? NOTHING_MORE) : { evidence: true, sources: true };
  const query = { include: wordsOf(include), max_age: flags.maxAge, signal: host.signal };
  try {
    return await fromServer(host, server, (casefile) => casefile.enrich(domain, query));
  } finally {
    line.end();
  }
}

const wordsOf = ({ evidence, sources }: Include): string | undefined =>
  [evidence && "evidence", sources && "sources"].filter(Boolean).join(",") || undefined;

const shownOf = ({
  domain,
  tools,
  sources = [],
  scanned_at = "",
  cached = false,
}: answers.Enrichment): ShownEnrichment => ({
  domain,
  scanned_at,
  cached,
  sources,
  detections: tools.map(({ tool, category, version = null, confidence = 0, evidence = [] }) => ({
    ...{ tool, category, version, confidence, evidence },
  })),
});

async function run(app: Services, host: CliHost, domain: string, flags: Flags): Promise<Enrichment> {
  if (flags.from !== undefined) {
    const { name, text, modified } = await host.readFile(flags.from);
    const capturedAt = modified.toISOString();
    const snapshot = app.detection.read(text, {
      name,
      capturedAt,
      ...(flags.url === undefined ? {} : { url: flags.url }),
    });
    if (snapshot.domain.endsWith(".invalid")) {
      host.err(
        `casefile: ${plain(name) || "the input"} does not say where it comes from; with --url, files of the company's own are told apart.\n`,
      );
    }
    if (flags.url !== undefined && !flags.url.includes(snapshot.domain)) {
      host.err(`casefile: ${name || "the input"} says itself that it is of ${snapshot.domain}; --url is not needed.\n`);
    }
    return app.detection.analyse(snapshot, { keep: flags.keep ?? false });
  }
  if (flags.replay) return app.detection.replay(domain);
  const progress = createProgress(host, domain);
  try {
    const steps = await app.detection.enrichSteps(domain, {
      signal: host.signal,
      ...(flags.maxAge === undefined ? {} : { maxAgeSeconds: flags.maxAge }),
    });
    for await (const step of steps) {
      if (step.phase === "complete") return step.enrichment;
      progress.step(step.phase, step.detections.length);
    }
    throw new Error("the scan ended without a result");
  } finally {
    progress.end();
  }
}

function readInclude(text: string): Include {
  const include = parseInclude(text);
  if (!include) throw new InvalidArgumentError("Allowed are `evidence` and `sources`, with a comma between them.");
  return include;
}

function readSeconds(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new InvalidArgumentError("Give whole seconds, 0 or more.");
  return Number(text);
}

/** `casefile capture`: everything that a visit sees, as one file that detection can run on later, elsewhere. */
export function addCapture(program: Command, host: CliHost<Services>): Command {
  const command = program
    .command("capture")
    .description("Visit a company and write all that was seen as one snapshot file.")
    .argument("<domain>", "company domain, such as acme.com")
    .option("-o, --output <file>", "where to write; standard output by default")
    .addHelpText("after", "\nExample:\n  casefile capture acme.com -o acme.json");
  return command.action(async (domain: string, flags: { output?: string }) => {
    const app = await host.open(command.opts(), { inMemory: true });
    const progress = createProgress(host, domain);
    try {
      const snapshot = await app.detection.capture(domain, {
        signal: host.signal,
        onProgress: ({ phase, detections }) => progress.step(phase, detections.length),
      });
      const text = app.detection.write(snapshot);
      progress.end();
      if (flags.output === undefined || flags.output === "-") return host.out(text);
      await host.writeFile(flags.output, text);
      host.err(
        `${flags.output}: ${snapshot.dns.length} DNS answers, ${snapshot.http.length} HTTP exchanges, ${snapshot.certificates.length} certificates of ${snapshot.domain}\n`,
      );
    } finally {
      progress.end();
      await app.close();
    }
  });
}

/** `casefile sources`: how each way of looking fared in the latest scans, and what it asks outside. */
export function addDataSources(program: Command, host: CliHost<Services>): Command {
  const sources = program
    .command("sources")
    .description("Tell how each way of looking fared in the latest scans, and which outside services are off.")
    .option("--json", "print the same JSON as GET /admin/sources");
  sources.action((flags: { json?: boolean }) =>
    withApp(host, sources.opts(), async (app) => {
      const health = await app.detection.sourceHealth();
      const text = [
        table(SOURCES, health.sources.map(rowOf), host.columns),
        `${health.scans} scans were looked at.`,
      ].join("\n");
      host.out(`${flags.json ? jsonText(health) : text}\n`);
    }),
  );
  return sources;
}

const SOURCES = [
  { title: "SOURCE" },
  { title: "OK" },
  { title: "EMPTY" },
  { title: "TIMEOUT" },
  { title: "FAILED" },
  { title: "SKIPPED" },
  { title: "MEDIAN" },
  { title: "OFF" },
  { title: "LAST FAULT (UTC)", yields: true },
];

function rowOf({ source, ok, empty, timeout, failed, skipped, median_ms, services, last_fault }: SourceHealth) {
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
