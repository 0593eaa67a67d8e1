import { type Command, Option } from "commander";
import type { SearchRequest } from "../../client/src/index.ts";
import { CasefileProblem } from "../../client/src/index.ts";
import type { CliHost } from "../cli/host.ts";
import { readCount } from "../cli/list-options.ts";
import { createCounter } from "../cli/progress.ts";
import { fromServer, serverOption } from "../cli/remote.ts";
import { durationOf, jsonText, plain } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import type { ImportSummary } from "./import/import-file.ts";
import { indexNow, refuseUnindexed, withStarter } from "./index-now.ts";
import type { StudyAnswer } from "./service.ts";
import type { MatchedPassage, SearchMode, StudyHit } from "./types.ts";
import { type FilterNames, nearSlugs, ofTheOne, otherIndustries, pointed, resultsView } from "./view.ts";

const MOST_NEAR = 3;
const MOST_INDUSTRIES = 50;
const MOST_SHOWN = 100;

/** Says of each filter that names nothing what there is in its place. For a search that found nothing. */
async function filterFaults(
  { company, industry }: { readonly company?: string | undefined; readonly industry?: string | undefined },
  names: FilterNames,
): Promise<string[]> {
  const faults: string[] = [];
  if (company !== undefined) {
    const shown = plain(company.slice(0, MOST_SHOWN));
    const near = await nearSlugs(names, company, { q: shown, limit: MOST_NEAR });
    const instead = near?.length ? `did you mean ${near.join(", ")}?` : "all of them: casefile companies";
    if (near) faults.push(`No company has the slug ${shown}; ${instead}`);
  }
  if (industry !== undefined) {
    const others = (await otherIndustries(names, industry)) ?? [];
    const there = others.slice(0, MOST_INDUSTRIES).map((one) => plain(one.slug ?? one.industry));
    const shown = plain(industry.slice(0, MOST_SHOWN));
    if (there.length > 0)
      faults.push(`No case study is of an industry called ${shown}; there are: ${there.join(", ")}`);
  }
  return faults;
}

const BOLD = ["\u001b[1m", "\u001b[22m"] as const;
const DIM = ["\u001b[2m", "\u001b[22m"] as const;

const NOTHING = "No case study was found; try other words, or fewer filters.";

/** A person's view of results: who, for whom, what came of it, the sentences that match, and the id by which it is shown. */
function resultsText({ hits }: Pick<StudyAnswer, "hits">, width: number, colour: boolean): string {
  if (hits.length === 0) return NOTHING;
  return hits.map((hit, index) => hitText(hit, index + 1, width, colour)).join("\n\n");
}

function hitText({ study, score, passage }: StudyHit, rank: number, width: number, colour: boolean): string {
  const about = [
    study.company.name,
    study.client.name && `for ${study.client.name}`,
    study.industry,
    study.published_at,
  ]
    .filter(Boolean)
    .join(", ");
  // The passage may be an outcome's own sentence.
  const outcomes = study.outcomes.filter(({ text }) => text !== passage.text).slice(0, 3);
  const id = `id ${plain(study.id)}`;
  const lines = [
    `${rank}. ${plain(study.title)}  (${score.toFixed(2)})`,
    `   ${plain(about)}`,
    ...wrapped(marked(passage, colour), width - 3),
    ...outcomes.flatMap(({ text }) => wrapped(`• ${plain(text)}`, width - 3)),
    `   ${plain(study.url)}  ${colour ? DIM[0] + id + DIM[1] : id}`,
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

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ +/)) {
    if (line !== "" && Bun.stringWidth(`${line} ${word}`) > Math.max(20, width)) {
      lines.push(`   ${line}`);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, `   ${line}`];
}

interface SearchFlags {
  readonly limit: number;
  readonly industry?: string;
  readonly company?: string;
  readonly mode: SearchMode;
  readonly json?: boolean;
  readonly server?: string;
}

/** `casefile search`. Its words are one query, with quotes or without. */
export function addSearch(program: Command, host: CliHost<Services>): Command {
  const search = program
    .command("search")
    .description("Search case studies by meaning.")
    .argument("<query...>", "what you look for, in your own words")
    .option("--limit <results>", "results, 1 to 50", readCount(50), 5)
    .option("--industry <industry>", "name, slug or synonym of an industry")
    .option("--company <slug>", "of one company")
    .addOption(
      new Option("--mode <mode>", "how to search").choices(["hybrid", "semantic", "keyword"]).default("hybrid"),
    )
    .option("--json", "print the same JSON as POST /v1/casestudies/semantic")
    .addHelpText("after", '\nExample:\n  casefile search "bank that moved off its mainframe" --industry banking');
  serverOption(search);
  search.action((words: readonly string[], flags: SearchFlags) => {
    const query = words.join(" ");
    const { limit, mode, industry, company, server } = flags;
    const filter = { ...(industry ? { industry } : {}), ...(company ? { company } : {}) };
    if (server !== undefined) return searchServer(host, server, { query, limit, mode, ...filter }, flags);
    const work = async (app: Services) => {
      const asked = app.caseStudies.searchStudies([{ query, limit, mode, filter }], host.signal);
      const [answer] = await pointed(asked, ofTheOne);
      if (!answer) return;
      for (const alarm of app.models.alarms()) host.err(`${alarm}\n`);
      if (flags.json) return host.out(`${jsonText(resultsView(answer))}\n`);
      const faults = answer.hits.length > 0 ? [] : await filterFaults(filter, app.caseStudies);
      host.out(`${faults.join("\n") || resultsText(answer, host.columns, host.colour)}\n`);
    };
    return withStarter(host, search.opts(), work);
  });
  return search;
}

async function searchServer(host: CliHost, server: string, asked: SearchRequest, { json }: SearchFlags): Promise<void> {
  const { signal } = host;
  const answer = await fromServer(host, server, (casefile) => casefile.searchCaseStudies(asked, { signal }));
  if (json) return host.out(`${jsonText(answer)}\n`);
  const hits = answer.results.map(({ score, passage: text, highlights, ...study }) => ({
    ...{ study, score },
    passage: { text, highlights: highlights.map(([start = 0, end = 0]) => [start, end] as const) },
  }));
  if (hits.length > 0) return host.out(`${resultsText({ hits }, host.columns, host.colour)}\n`);
  const casefile = host.connect(server);
  const names: FilterNames = {
    findCompanies: ({ q }, { limit }) => casefile.findCompanies({ q, limit, signal }),
    listStudies: ({ industry }, { limit }) => casefile.listCaseStudies({ industry, limit, signal }),
    listIndustries: async () => (await casefile.listIndustries({ signal })).industries,
  };
  // The search was answered: that the month's requests end here is no fault of it.
  const faults = await filterFaults(asked, names).catch((error) => {
    if (error instanceof CasefileProblem) return [];
    throw error;
  });
  host.out(`${faults.join("\n") || NOTHING}\n`);
}

type Flags = Readonly<Record<string, unknown>>;

/** `casefile export` and `reindex`. */
export function addStudies(program: Command, host: CliHost<Services>): Command[] {
  const using = (flags: Flags, work: (app: Services) => Promise<void>) => withStarter(host, flags, work);

  const exporting = program
    .command("export")
    .description("Write every case study as text that can be imported again.")
    .option("-o, --output <file>", "where to write; standard output by default")
    .addOption(new Option("--format <format>", "of the text").choices(["jsonl", "csv"]).default("jsonl"));
  exporting.action((flags: { output?: string; format: "jsonl" | "csv" }) =>
    using(exporting.opts(), async (app) => {
      await host.write(flags.output, app.caseStudies.exportStudies(flags.format));
    }),
  );

  const reindex = program.command("reindex").description("Build the search index anew; searches go on meanwhile.");
  reindex.action(() =>
    using(reindex.opts(), async (app) => {
      const progress = createCounter(host, "indexed");
      const done = await app.caseStudies.reindex({ onProgress: (count) => progress.count(count), signal: host.signal });
      progress.end();
      host.out(`${done} case studies are indexed.\n`);
    }),
  );
  return [exporting, reindex];
}

const NOTES = `
A line of JSON, or a row below the names of its columns, is a case study. Names compare as words: "Client Name" is
client_name.
  needed     title, url, company_name
  the story  client_name, client_domain, industry, country, summary, challenge, solution, outcomes, products, tools,
             quote_text, quote_person, quote_role, published_at, language, body (Markdown), licence
  the rest   id, origin, company_slug, company_domain, company_industry, company_logo_url
Dates are 2024-03-05 or 5 March 2024; a month alone is none. Countries are DE or Germany.
Outcomes are texts apart by semicolons ("Costs fell by 40 %; no more queues"), or JSON:
  [{"text": "Costs fell by 40 %", "metric": "cost", "value": 40, "unit": "%", "direction": "decrease"}]
What is not understood is left out of its record and told with its line.`;

/** Bad lines, or fields, that a person is shown. */
const SHOWN = 20;

/** `casefile import`. */
export function addImport(program: Command, host: CliHost<Services>): Command {
  const command = program
    .command("import")
    .description(
      "Take case studies from a file: JSON lines or CSV, packed with gzip or zstd or not; - reads standard input.",
    )
    .argument("<file>")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", NOTES);
  command.action((path: string, flags: { json?: boolean }) =>
    withStarter(host, command.opts(), async (app) => {
      const reading = createCounter(host, "read");
      const summary = await app.caseStudies.importStudies(await host.openFile(path), {
        onProgress: (done) => reading.count(done.read),
        signal: host.signal,
      });
      reading.end();
      await indexNow(app, host);
      host.out(flags.json ? `${jsonText(summary)}\n` : `${summaryText(summary)}\n`);
      for (const line of faultLines(summary, flags.json === true)) host.err(`${line}\n`);
      await refuseUnindexed(app);
      if (summary.bad_lines === summary.read) command.error("error: nothing in this file is a case study");
    }),
  );
  return command;
}

function summaryText(summary: ImportSummary): string {
  const { read, added, updated, unchanged, duplicate, bad_lines, left_out_fields, seconds } = summary;
  const fields = left_out_fields === 1 ? "1 field" : `${left_out_fields} fields`;
  return `${read} read in ${durationOf(seconds)}: ${added} added, ${updated} updated, ${unchanged} unchanged, ${duplicate} duplicates, ${bad_lines} bad${left_out_fields > 0 ? `; ${fields} left out` : ""}`;
}

/** What was not kept, and why. The summary in JSON has what is more than is shown, and then nobody need be told. */
function faultLines({ read, bad, bad_lines, left_out }: ImportSummary, isListed: boolean): string[] {
  if (read === 0) return ["No record is in it. Give JSON lines, or CSV with rows below the names of its columns."];
  const more = (count: number, what: string) =>
    count > 0 && !isListed ? [`… and ${count} more ${what}; --json lists them.`] : [];
  return [
    ...bad.slice(0, SHOWN).map(({ line, reason }) => `line ${line}: ${reason}`),
    ...more(bad_lines - SHOWN, "bad lines"),
    ...left_out.slice(0, SHOWN).map(({ field, reason, count, lines }) => {
      const where = linesText(lines.slice(0, MAX_LINES), count);
      return plain(`${where}: \`${field}\` was left out. ${reason}`);
    }),
    ...more(left_out.length - SHOWN, "kinds of fields that were left out"),
  ];
}

const MAX_LINES = 5;

/** `line 8`, `lines 8 and 9`, `lines 8, 9, 10, 11, 12 and 300 more`. */
function linesText(lines: readonly number[], count: number): string {
  const shown = count > lines.length ? [...lines, `${count - lines.length} more`] : lines;
  const last = shown.at(-1);
  return shown.length === 1 ? `line ${last}` : `lines ${shown.slice(0, -1).join(", ")} and ${last}`;
}
