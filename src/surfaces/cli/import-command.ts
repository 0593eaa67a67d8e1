import type { Command } from "commander";
import type { ImportSummary } from "../../app/app.ts";
import { durationOf } from "./amounts.ts";
import type { CliHost } from "./host.ts";
import { indexNow, refuseUnindexed } from "./index-now.ts";
import { createCounter } from "./progress.ts";
import { jsonText, plain } from "./table.ts";
import { withApp } from "./with-app.ts";

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
export function addImport(program: Command, host: CliHost): Command {
  const command = program
    .command("import")
    .description(
      "Take case studies from a file: JSON lines or CSV, packed with gzip or zstd or not; - reads standard input.",
    )
    .argument("<file>")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", NOTES);
  command.action((path: string, flags: { json?: boolean }) =>
    withApp(
      host,
      command.opts(),
      async (app) => {
        const reading = createCounter(host, "read");
        const summary = await app.importStudies(await host.openFile(path), {
          onProgress: (done) => reading.count(done.read),
          signal: host.signal,
        });
        reading.end();
        await indexNow(app, host);
        host.out(flags.json ? `${jsonText(summary)}\n` : `${summaryText(summary)}\n`);
        for (const line of faultLines(summary, flags.json === true)) host.err(`${line}\n`);
        await refuseUnindexed(app);
        if (summary.bad_lines === summary.read) command.error("error: nothing in this file is a case study");
      },
      { starter: true },
    ),
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
