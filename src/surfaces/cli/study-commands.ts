import { type Command, Option } from "commander";
import type { SearchRequest } from "../../../client/src/index.ts";
import type { App, ImportSummary } from "../../app/app.ts";
import type { SearchMode } from "../../vocabulary/case-study.ts";
import { ofTheOne, pointed, resultsView } from "../study-view.ts";
import type { CliHost } from "./host.ts";
import { indexNow, refuseUnindexed } from "./index-now.ts";
import { readCount } from "./list-options.ts";
import { createCounter } from "./progress.ts";
import { fromServer, serverOption } from "./remote.ts";
import { resultsText } from "./study-text.ts";
import { jsonText } from "./table.ts";
import { withApp } from "./with-app.ts";

type Flags = Readonly<Record<string, unknown>>;

/** `casefile search`, `import`, `export` and `reindex`. */
export function addStudies(program: Command, host: CliHost): Command[] {
  const using = (flags: Flags, work: (app: App) => Promise<void>) => withApp(host, flags, work, { starter: true });

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
  serverOption(search);
  search.action((query: string, flags: SearchFlags) => {
    const { limit, mode, industry, company, server } = flags;
    const filter = { ...(industry ? { industry } : {}), ...(company ? { company } : {}) };
    if (server !== undefined) return searchServer(host, server, { query, limit, mode, ...filter }, flags);
    return using(search.opts(), async (app) => {
      const asked = app.searchStudies([{ query, limit, mode, filter }], host.signal);
      const [answer] = await pointed(asked, ofTheOne);
      if (!answer) return;
      for (const alarm of app.modelAlarms()) host.err(`${alarm}\n`);
      host.out(
        flags.json ? `${jsonText(resultsView(answer))}\n` : `${resultsText(answer, host.columns, host.colour)}\n`,
      );
    });
  });

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
      await indexNow(app, host);
      host.out(flags.json ? `${jsonText(summary)}\n` : `${summaryText(summary)}\n`);
      for (const { line, reason } of summary.bad.slice(0, SHOWN)) host.err(`line ${line}: ${reason}\n`);
      await refuseUnindexed(app);
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

interface SearchFlags {
  readonly limit: number;
  readonly industry?: string;
  readonly company?: string;
  readonly mode: SearchMode;
  readonly json?: boolean;
  readonly server?: string;
}

async function searchServer(host: CliHost, server: string, asked: SearchRequest, { json }: SearchFlags): Promise<void> {
  const options = { signal: host.signal };
  const answer = await fromServer(host, server, (casefile) => casefile.searchCaseStudies(asked, options));
  const hits = answer.results.map(({ score, passage: text, highlights, ...study }) => ({
    ...{ study, score },
    passage: { text, highlights: highlights.map(([start = 0, end = 0]) => [start, end] as const) },
  }));
  host.out(
    json ? `${jsonText(answer)}\n` : `${resultsText({ query: answer.query, hits }, host.columns, host.colour)}\n`,
  );
}

const SHOWN = 20;
function summaryText({ read, added, updated, unchanged, duplicate, bad_lines, seconds }: ImportSummary): string {
  return `${read} read in ${seconds.toFixed(1)} s: ${added} added, ${updated} updated, ${unchanged} unchanged, ${duplicate} duplicates, ${bad_lines} bad`;
}
