import { type Command, Option } from "commander";
import type { Client } from "../../client/src/index.ts";
import type { CliHost } from "../cli/host.ts";
import { readCount } from "../cli/list-options.ts";
import { createCounter } from "../cli/progress.ts";
import { fromServer, serverOption } from "../cli/remote.ts";
import { durationOf, jsonText, plain, wrapped } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import { plural } from "../core/text.ts";
import type { CompanyService } from "./companies/service.ts";
import type { ImportSummary } from "./import/import-file.ts";
import type { IndexService } from "./index/service.ts";
import { indexNow, requireIndexed, withStarter } from "./index-now.ts";
import { outcomeText } from "./outcome-text.ts";
import type { CaseStudyService } from "./service.ts";
import type { StarterService } from "./starter/service.ts";
import { completeOutcome, type MatchedPassage, type SearchMode, type StudyHit, type StudyResults } from "./types.ts";
import { noticesOf, resultsView, withoutIndex, withPointers } from "./view.ts";

interface UsedServices {
  readonly caseStudies: CaseStudyService;
  readonly companies: CompanyService;
  readonly index: IndexService;
  readonly starter: StarterService;
  readonly models: { alarms(): readonly string[] };
}

const BOLD = ["\u001b[1m", "\u001b[22m"] as const;
const DIM = ["\u001b[2m", "\u001b[22m"] as const;

const NOTHING = "No case studies found. Try other words or fewer filters.";

/** Results for a terminal: title, vendor, client, matching sentences, outcomes, address and id. */
function resultsText({ hits }: Pick<StudyResults, "hits">, width: number, colour: boolean): string {
  if (hits.length === 0) return NOTHING;
  return hits.map((hit, index) => hitText(hit, index + 1, width, colour)).join("\n\n");
}

function hitText(
  { study, relevance, passage, also_in }: StudyHit,
  rank: number,
  width: number,
  colour: boolean,
): string {
  const about = [
    study.company.name,
    study.client.name && `for ${study.client.name}`,
    study.industry,
    study.published_at,
  ]
    .filter(Boolean)
    .join(", ");
  // The passage may be the sentence of an outcome.
  const outcomes = study.outcomes.filter(({ text }) => text !== passage.text).slice(0, 3);
  const id = `id ${plain(study.id)}`;
  const lines = [
    `${rank}. ${plain(study.title)}${relevance ? `  (${relevance.level})` : ""}`,
    `   ${plain(about)}`,
    ...wrapped(marked(passage, colour), width - 3),
    ...outcomes.flatMap((outcome) => wrapped(`• ${plain(outcomeText(outcome))}`, width - 3)),
    `   ${plain(study.url)}${also_in.length === 0 ? "" : `  (and ${also_in.length} more)`}  ${colour ? DIM[0] + id + DIM[1] : id}`,
  ];
  return lines.join("\n");
}

function marked({ text, highlights }: MatchedPassage, colour: boolean): string {
  if (!colour) return plain(text);
  let at = 0;
  let out = "";
  for (const [start, end] of highlights) {
    out += `${plain(text.slice(at, start))}${BOLD[0]}${plain(text.slice(start, end))}${BOLD[1]}`;
    at = end;
  }
  return out + plain(text.slice(at));
}

interface SearchFlags {
  readonly limit: number;
  readonly industry?: string;
  readonly company?: string;
  readonly country?: string;
  readonly tool?: string;
  readonly mode: SearchMode;
  readonly json?: boolean;
  readonly server?: string;
}

/** The filter of a command's options; an empty text is none, as in a script whose variable is empty. */
export const filterOf = ({
  industry,
  company,
  country,
  tool,
}: Pick<SearchFlags, "industry" | "company" | "country" | "tool">) => ({
  industry: industry || undefined,
  company: company || undefined,
  country: country || undefined,
  tool: tool || undefined,
});

/** `casefile search`. All words form one query, quoted or not. */
export function addSearch(program: Command, host: CliHost<UsedServices>): Command {
  const search = program
    .command("search")
    .description("Search case studies by meaning.")
    .argument("<query...>", "what to find, in natural language")
    .option("--limit <results>", "number of results, 1 to 50", readCount(50), 5)
    .option("--industry <industry>", "only this industry: name, slug or synonym")
    .option("--company <slug>", "only case studies of this company")
    .option("--country <country>", "only clients of this country: two letters, such as DE, or an English name")
    .option("--tool <tool>", "only case studies that name this tool, in any case")
    .addOption(
      new Option("--mode <mode>", "keyword (by words), semantic (by meaning) or hybrid (both)")
        .choices(["hybrid", "semantic", "keyword"])
        .default("hybrid"),
    )
    .option("--json", "print the same JSON as POST /v1/casestudies/semantic")
    .addHelpText("after", '\nExample:\n  casefile search "bank that moved from a mainframe to the cloud" --limit 3');
  serverOption(search);
  search.action((words: readonly string[], flags: SearchFlags) => {
    const query = words.join(" ");
    const { limit, mode, server } = flags;
    const filter = filterOf(flags);
    if (server !== undefined) return searchServer(host, server, { query, limit, mode, ...filter }, flags);
    const work = async (services: UsedServices) => {
      const searching = services.caseStudies.search([{ query, limit, mode, filter }], host.signal);
      const [results] = await withPointers(searching, withoutIndex);
      if (!results) return;
      for (const alarm of services.models.alarms()) host.err(`${alarm}\n`);
      for (const notice of noticesOf(results)) host.err(`${notice}\n`);
      if (flags.json) return host.out(`${jsonText(resultsView(results))}\n`);
      host.out(`${resultsText(results, host.columns, host.colour)}\n`);
    };
    return withStarter(host, search.opts(), work);
  });
  return search;
}

async function searchServer(
  host: CliHost,
  server: string,
  request: Parameters<Client["searchCaseStudies"]>[0],
  { json }: SearchFlags,
): Promise<void> {
  const { signal } = host;
  const response = await fromServer(host, server, (casefile) => casefile.searchCaseStudies(request, { signal }));
  const { no_good_match: noGoodMatch = false, degraded, index } = response;
  for (const notice of noticesOf({ noGoodMatch, degraded: degraded?.reason ?? null, pending: index?.pending ?? 0 }))
    host.err(`${plain(notice)}\n`);
  if (json) return host.out(`${jsonText(response)}\n`);
  const hits = response.results.map(
    ({ score, relevance, probability, passage: text, highlights, also_in = [], ...study }) => ({
      study: { ...study, outcomes: study.outcomes.map(completeOutcome) },
      score,
      relevance: relevance && { level: relevance, probability: probability ?? 0 },
      passage: { text, highlights: highlights.map(([start = 0, end = 0]) => [start, end] as const) },
      also_in,
    }),
  );
  host.out(`${resultsText({ hits }, host.columns, host.colour)}\n`);
}

/** `casefile export`. */
export function addExport(program: Command, host: CliHost<UsedServices>): Command {
  const exporting = program
    .command("export")
    .description("Export all case studies; `casefile import` reads the output.")
    .option("-o, --output <file>", "output file; default: standard output")
    .addOption(new Option("--format <format>", "output format").choices(["jsonl", "csv"]).default("jsonl"));
  return exporting.action((flags: { output?: string; format: "jsonl" | "csv" }) =>
    withStarter(host, exporting.opts(), async ({ caseStudies }) => {
      let written = 0;
      const count = (done: number) => {
        written = done;
      };
      await host.write(flags.output, caseStudies.exportAll(flags.format, count));
      host.err(`${plural(written, "case study", "case studies")} exported.\n`);
    }),
  );
}

/** `casefile reindex`. */
export function addReindex(program: Command, host: CliHost<UsedServices>): Command {
  const reindex = program.command("reindex").description("Rebuild the search index; searches keep working meanwhile.");
  return reindex.action(() =>
    withStarter(host, reindex.opts(), async ({ index }) => {
      const progress = createCounter(host, "indexed");
      const done = await index.rebuild({ onProgress: (count) => progress.count(count), signal: host.signal });
      progress.end();
      host.out(`${done} case studies indexed.\n`);
    }),
  );
}

const NOTES = `
Each JSON line, or each CSV row below the column names, is a case study. Case and separators of names are ignored:
"Client Name" is client_name.
  required   title, url, company_name
  story      client_name, client_domain, industry, country, summary, challenge, solution, outcomes, products, tools,
             quote_text, quote_person, quote_role, published_at, language, body (Markdown), licence
  other      id, origin, company_slug, company_domain, company_industry, company_logo_url
Dates: 2024-03-05 or 5 March 2024, not a month alone. Countries: DE or Germany.
Outcomes: texts separated by semicolons ("Costs fell by 40%; no more queues"), or JSON:
  [{"text": "Costs fell by 40%", "metric": "cost", "value": 40, "unit": "%", "direction": "decrease"}]
Values that cannot be parsed are ignored and reported with their line. A case study of the same URL keeps the fields
that the file lacks or leaves empty, unless --replace is given.`;

/** Invalid lines, or ignored fields, that are printed. */
const SHOWN = 20;

/** `casefile import`. */
export function addImport(program: Command, host: CliHost<UsedServices>): Command {
  const command = program
    .command("import")
    .description("Import case studies from JSON lines or CSV, optionally compressed with gzip or zstd.")
    .argument("<file>", "file to import; - reads standard input")
    .option("--replace", "remove the fields of stored case studies that the file lacks; by default they are kept")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", NOTES);
  command.action((path: string, flags: { json?: boolean; replace?: boolean }) =>
    withStarter(host, command.opts(), async (services) => {
      const reading = createCounter(host, "read");
      const summary = await services.caseStudies.importFile(await host.openFile(path), {
        replace: flags.replace ?? false,
        onProgress: (done) => reading.count(done.read),
        signal: host.signal,
      });
      reading.end();
      await indexNow(services, host);
      host.out(flags.json ? `${jsonText(summary)}\n` : `${summaryText(summary)}\n`);
      for (const line of faultLines(summary, flags.json === true)) host.err(`${line}\n`);
      await requireIndexed(services);
      if (summary.bad_lines === summary.read)
        throw new Failure("snapshot.invalid", "The file has no valid case studies.");
    }),
  );
  return command;
}

function summaryText(summary: ImportSummary): string {
  const { read, added, updated, unchanged, duplicate, bad_lines, seconds } = summary;
  const { left_out_fields, kept_fields, replaced_fields, removed_fields } = summary;
  const fields = [
    [left_out_fields, "ignored"],
    [kept_fields, "kept that the file lacks"],
    [replaced_fields, "replaced"],
    [removed_fields, "removed"],
  ]
    .filter(([count]) => Number(count) > 0)
    .map(([count, what]) => `; ${plural(Number(count), "field")} ${what}`)
    .join("");
  return `${read} read in ${durationOf(seconds)}: ${added} added, ${updated} updated, ${unchanged} unchanged, ${duplicate} duplicates, ${bad_lines} invalid${fields}`;
}

/** Invalid lines and ignored fields with their reasons. Only a summary in JSON lists all of them. */
function faultLines(
  { read, bad, bad_lines, left_out, unknown_industries }: ImportSummary,
  isListed: boolean,
): string[] {
  if (read === 0) return ["The file has no records. Give JSON lines, or CSV with rows below the column names."];
  const industries = Object.entries(unknown_industries);
  const more = (count: number, what: string) =>
    count > 0 && !isListed ? [`… and ${count} more ${what}; --json lists them.`] : [];
  return [
    ...bad.slice(0, SHOWN).map(({ line, reason }) => `line ${line}: ${reason}`),
    ...more(bad_lines - SHOWN, "invalid lines"),
    ...left_out.slice(0, SHOWN).map(({ field, reason, count, lines }) => {
      const where = linesText(lines.slice(0, MAX_LINES), count);
      return plain(`${where}: \`${field}\` was ignored. ${reason}`);
    }),
    ...more(left_out.length - SHOWN, "kinds of ignored fields"),
    ...industries
      .slice(0, SHOWN)
      .map(([industry, count]) =>
        plain(
          `${plural(count, "record")}: the industry "${industry.slice(0, 60)}" is not in the taxonomy; it is kept as written.`,
        ),
      ),
    ...more(industries.length - SHOWN, "unknown industries"),
  ];
}

const MAX_LINES = 5;

/** `line 8`, `lines 8 and 9`, `lines 8, 9, 10, 11, 12 and 300 more`. */
function linesText(lines: readonly number[], count: number): string {
  const shown = count > lines.length ? [...lines, `${count - lines.length} more`] : lines;
  const last = shown.at(-1);
  return shown.length === 1 ? `line ${last}` : `lines ${shown.slice(0, -1).join(", ")} and ${last}`;
}
