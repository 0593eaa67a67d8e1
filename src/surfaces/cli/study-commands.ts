import { type Command, Option } from "commander";
import type { App, ImportSummary } from "../../app/app.ts";
import { durationOf } from "./amounts.ts";
import type { CliHost } from "./host.ts";
import { indexNow, refuseUnindexed } from "./index-now.ts";
import { createCounter } from "./progress.ts";
import { jsonText } from "./table.ts";
import { withApp } from "./with-app.ts";

type Flags = Readonly<Record<string, unknown>>;

/** `casefile import`, `export` and `reindex`. */
export function addStudies(program: Command, host: CliHost): Command[] {
  const using = (flags: Flags, work: (app: App) => Promise<void>) => withApp(host, flags, work, { starter: true });

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
  return [importing, exporting, reindex];
}

const SHOWN = 20;
function summaryText({ read, added, updated, unchanged, duplicate, bad_lines, seconds }: ImportSummary): string {
  return `${read} read in ${durationOf(seconds)}: ${added} added, ${updated} updated, ${unchanged} unchanged, ${duplicate} duplicates, ${bad_lines} bad`;
}
