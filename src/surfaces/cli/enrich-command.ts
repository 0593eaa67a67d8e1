import { type Command, InvalidArgumentError } from "commander";
import type * as answers from "../../../client/src/index.ts";
import type { App, Enrichment } from "../../app/app.ts";
import { enrichmentView, type Include, NOTHING_MORE, parseInclude } from "../enrichment-view.ts";
import { enrichList } from "./enrich-list.ts";
import { enrichmentText, type ShownEnrichment } from "./enrichment-text.ts";
import type { CliHost } from "./host.ts";
import { readCount } from "./list-options.ts";
import { createLine, createProgress } from "./progress.ts";
import { fromServer, serverOption } from "./remote.ts";
import { jsonText, plain } from "./table.ts";

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
export function addEnrich(program: Command, host: CliHost): Command {
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

async function enrichAll(command: Command, host: CliHost, flags: Flags): Promise<void> {
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
    const ask = async (domain: string) => enrichmentView(await app.enrich(domain, asked), include);
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

async function run(app: App, host: CliHost, domain: string, flags: Flags): Promise<Enrichment> {
  if (flags.from !== undefined) {
    const { name, text, modified } = await host.readFile(flags.from);
    const capturedAt = modified.toISOString();
    const snapshot = app.read(text, { name, capturedAt, ...(flags.url === undefined ? {} : { url: flags.url }) });
    if (snapshot.domain.endsWith(".invalid")) {
      host.err(
        `casefile: ${plain(name) || "the input"} does not say where it comes from; with --url, files of the company's own are told apart.\n`,
      );
    }
    if (flags.url !== undefined && !flags.url.includes(snapshot.domain)) {
      host.err(`casefile: ${name || "the input"} says itself that it is of ${snapshot.domain}; --url is not needed.\n`);
    }
    return app.analyse(snapshot, { keep: flags.keep ?? false });
  }
  if (flags.replay) return app.replay(domain);
  const progress = createProgress(host, domain);
  try {
    const steps = await app.enrichSteps(domain, {
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
