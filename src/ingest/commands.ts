import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { readCount } from "../cli/list-options.ts";
import { createLine } from "../cli/progress.ts";
import { durationOf, jsonText, plain, table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import { REFUSED, SKIPPED } from "./outcomes.ts";
import type { IngestService, IngestSummary } from "./service.ts";

type IngestHost = CliHost<{ readonly ingest: IngestService }>;

interface IngestFlags {
  readonly json?: boolean;
  readonly atOnce?: number;
  readonly again?: boolean;
}

/** `casefile ingest`: stores recordings that other tools made. */
export function addIngestCommand(program: Command, host: IngestHost): Command {
  const command = program
    .command("ingest")
    .description("Read recordings of other tools, without network access, and store what they show of each company.")
    .argument(
      "<files...>",
      "files and folders: WARC, WAT, HAR, Lighthouse and PageSpeed reports, saved pages, HTTP responses, zones, and lines of zdns, massdns, dnsx, httpx and tlsx, also compressed with gzip; - reads standard input",
    )
    .option("--at-once <processes>", "number of processes that read; default: one for each core", readCount(256))
    .option("--again", "read files again that were read before, for example with other fingerprints")
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      `
The format is recognised by the content. A run that was interrupted continues when it is started again.

Examples:
  casefile ingest crawl.warc.gz zones/ page.har
  zdns MX < domains.txt | casefile ingest -
  casefile ingest crawl.warc.gz --json && casefile enrich acme.com --max-age any --include sources`,
    );
  return command.action((files: readonly string[], flags: IngestFlags) =>
    withApp(host, command.opts(), async ({ ingest }) => {
      const line = createLine(host);
      const input = files.includes("-") ? (await host.openFile("-")).content : undefined;
      let summary: IngestSummary;
      try {
        summary = await ingest.ingest({
          paths: files.filter((file) => file !== "-"),
          input,
          processes: flags.atOnce,
          again: flags.again,
          signal: host.signal,
          onProgress: (now) => line.show(progressText(now)),
        });
      } catch (error) {
        line.end();
        if (host.signal.aborted) host.err("Interrupted; run the same command again to continue.\n");
        throw error;
      }
      line.end();
      host.out(flags.json ? `${jsonText(summary)}\n` : `${summaryText(summary, host.columns)}\n`);
      if (summary.files.refused === 0) return;
      const named = summary.unread.map(({ path, reason }) => `${plain(path)} (${REFUSED[reason]})`).join(", ");
      const all = summary.files.read + summary.files.read_before + summary.files.refused;
      throw new Failure("snapshot.invalid", `${summary.files.refused} of ${all} files could not be read: ${named}.`);
    }),
  );
}

const number = (value: number): string => value.toLocaleString("en");

const progressText = ({ files, records, pages, companies, duration_ms }: IngestSummary): string =>
  `${number(files.read)} files, ${number(records)} records, ${number(companies)} companies, ${number(Math.round(pages / (duration_ms / 1_000)))} pages a second …`;

function summaryText(summary: IngestSummary, width: number): string {
  const { files, records, pages, recordings, companies, duration_ms } = summary;
  const before = files.read_before > 0 ? `, ${number(files.read_before)} read before` : "";
  const refused = files.refused > 0 ? `, ${number(files.refused)} not read` : "";
  const rows = [
    ...Object.entries(summary.skipped).map(([reason, count]) => [
      "skipped",
      number(count),
      SKIPPED[reason as keyof typeof SKIPPED],
    ]),
    ...Object.entries(summary.refused).map(([reason, count]) => [
      "refused",
      number(count),
      REFUSED[reason as keyof typeof REFUSED],
    ]),
  ];
  return [
    `${number(files.read)} files read${before}${refused}, in ${durationOf(duration_ms / 1_000)}`,
    `${number(records)} records with ${number(pages)} pages: ${number(recordings)} recordings of ${number(companies)} companies stored`,
    ...(rows.length > 0
      ? [table([{ title: "OUTCOME" }, { title: "RECORDS" }, { title: "REASON", yields: true }], rows, width)]
      : []),
  ].join("\n");
}
