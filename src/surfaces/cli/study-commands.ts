import { type Command, InvalidArgumentError, Option } from "commander";
import type { App, ImportSummary } from "../../app/app.ts";
import type { SearchMode } from "../../vocabulary/case-study.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { ofTheOne, pointed, resultsView } from "../study-view.ts";
import type { CliHost } from "./host.ts";
import { createCounter } from "./progress.ts";
import { resultsText } from "./study-text.ts";
import { jsonText, table } from "./table.ts";

type Flags = Readonly<Record<string, unknown>>;

/** `casefile search`, `import`, `export` and `reindex`. */
export function addStudies(program: Command, host: CliHost): Command[] {
  const using = async (flags: Flags, work: (app: App) => Promise<void>) => {
    const app = await host.open(flags);
    try {
      await work(app);
    } finally {
      await app.close();
    }
  };

  const search = program
    .command("search")
    .description("Search case studies by meaning.")
    .argument("<query>", "what you look for, in your own words")
    .option("--limit <results>", "results, 1 to 50", readCount(50), 5)
    .option("--industry <industry>", "name, slug or synonym of an industry")
    .option("--company <slug>", "of one company")
    .addOption(
      new Option("--mode <mode>", "how to search").choices(["hybrid", "semantic", "keyword"]).default("hybrid"),
    )
    .option("--json", "print the same JSON as POST /v1/casestudies/semantic")
    .addHelpText("after", '\nExample:\n  casefile search "bank that moved off its mainframe" --industry banking');
  search.action(
    (query: string, flags: { limit: number; industry?: string; company?: string; mode: SearchMode; json?: boolean }) =>
      using(search.opts(), async (app) => {
        const { limit, mode, industry, company } = flags;
        const filter = { ...(industry ? { industry } : {}), ...(company ? { company } : {}) };
        const asked = app.searchStudies([{ query, limit, mode, filter }], host.signal);
        const [answer] = await pointed(asked, ofTheOne);
        if (!answer) return;
        host.out(
          flags.json ? `${jsonText(resultsView(answer))}\n` : `${resultsText(answer, host.columns, host.colour)}\n`,
        );
      }),
  );

  const importing = program
    .command("import")
    .description(
      "Take case studies from a file: JSON lines or CSV, packed with gzip or zstd or not; - reads standard input.",
    )
    .argument("<file>")
    .option("--json", "print the summary as JSON");
  importing.action((path: string, flags: { json?: boolean }) =>
    using(importing.opts(), async (app) => {
      const reading = createCounter(host, "read");
      const summary = await app.importStudies(await host.openFile(path), {
        onProgress: (done) => reading.count(done.read),
        signal: host.signal,
      });
      reading.end();
      const indexing = createCounter(host, "indexed");
      await app.indexStudies({ onProgress: (done) => indexing.count(done), signal: host.signal });
      indexing.end();
      host.out(flags.json ? `${jsonText(summary)}\n` : `${summaryText(summary)}\n`);
      for (const { line, reason } of summary.bad.slice(0, SHOWN)) host.err(`line ${line}: ${reason}\n`);
      const { indexError, waiting } = await app.indexState();
      if (indexError !== null && waiting > 0) {
        throw new Failure(
          "store.unusable",
          `${waiting} case studies are kept and wait for the search index. ${indexError}`,
        );
      }
      if (summary.bad_lines > SHOWN && !flags.json)
        host.err(`… and ${summary.bad_lines - SHOWN} more bad lines; --json lists them.\n`);
      if (summary.read > 0 && summary.bad_lines === summary.read)
        importing.error("error: nothing in this file is a case study");
    }),
  );

  const exporting = program
    .command("export")
    .description("Write every case study as text that can be imported again.")
    .option("-o, --output <file>", "where to write; standard output by default")
    .addOption(new Option("--format <format>", "of the text").choices(["jsonl", "csv"]).default("jsonl"));
  exporting.action((flags: { output?: string; format: "jsonl" | "csv" }) =>
    using(exporting.opts(), async (app) => {
      await host.write(flags.output, app.exportStudies(flags.format));
    }),
  );

  const reindex = program.command("reindex").description("Build the search index anew; searches go on meanwhile.");
  reindex.action(() =>
    using(reindex.opts(), async (app) => {
      const progress = createCounter(host, "indexed");
      const done = await app.reindex({ onProgress: (count) => progress.count(count), signal: host.signal });
      progress.end();
      host.out(`${done} case studies are indexed.\n`);
    }),
  );
  return [search, importing, exporting, reindex];
}

/** `casefile companies`: vendors, found and looked at. */
export function addCompanies(program: Command, host: CliHost): Command[] {
  const companies = program
    .command("companies")
    .description("List and search the vendors whose case studies are indexed.")
    .argument("[query]", "name, slug or domain; small typing errors are forgiven")
    .option("--industry <industry>", "name, slug or synonym of an industry")
    .option("--limit <companies>", "1 to 100", readCount(100), 20)
    .option("--json", "print the same JSON as GET /v1/companies");
  companies.action(async (q: string | undefined, flags: { industry?: string; limit: number; json?: boolean }) => {
    const app = await host.open(companies.opts());
    try {
      const filter = { ...(q ? { q } : {}), ...(flags.industry ? { industry: flags.industry } : {}) };
      const page = await app.findCompanies(filter, { limit: flags.limit });
      const rows = page.companies.map((one) => [
        one.slug,
        one.name,
        one.domain ?? "",
        one.industry ?? "",
        String(one.total_case_studies),
      ]);
      const text =
        rows.length === 0
          ? "No company was found."
          : `${table(COLUMNS, rows, host.columns)}\n${rows.length} of ${page.total}`;
      host.out(`${flags.json ? jsonText(page) : text}\n`);
    } finally {
      await app.close();
    }
  });
  return [companies];
}

const SHOWN = 20;
const COLUMNS = [
  { title: "SLUG" },
  { title: "NAME", yields: true },
  { title: "DOMAIN" },
  { title: "INDUSTRY" },
  { title: "CASE STUDIES" },
];

function summaryText({ read, added, updated, unchanged, duplicate, bad_lines, seconds }: ImportSummary): string {
  return `${read} read in ${seconds.toFixed(1)} s: ${added} added, ${updated} updated, ${unchanged} unchanged, ${duplicate} duplicates, ${bad_lines} bad`;
}

const readCount = (most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value < 1 || value > most)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  return value;
};
