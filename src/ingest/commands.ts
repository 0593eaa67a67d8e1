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
  readonly url?: string;
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
    .option("--url <address>", "with one file: the address of the page or zone, if the file does not state it")
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      `
The format is recognised by the content. A saved page that does not state its address needs a name such as acme.com.html, or --url.
The exit status is 1 when a file was refused or skipped. A run that was interrupted continues when it is started again.

Examples:
  casefile ingest crawl.warc.gz zones/ page.har
  casefile ingest "My Saved Page.html" --url https://acme.com/
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
          url: flags.url,
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
      const faults = faultsOf(summary);
      // This code gives the exit status 1.
      if (faults !== "") throw new Failure("snapshot.not_found", faults);
    }),
  );
}

/** Names the files of which nothing was stored, with the remedy; empty if there are none. */
function faultsOf({ files, unread, skipped_files }: IngestSummary): string {
  const all = files.read + files.read_before + files.refused + files.skipped;
  const named = (paths: readonly string[], total: number) =>
    `${paths.join(", ")}${total > paths.length ? ` and ${total - paths.length} more` : ""}`;
  const refused = unread.map(({ path, reason }) => `${plain(path)} (${REFUSED[reason]})`);
  const skipped = skipped_files.map(plain);
  return [
    ...(files.refused > 0
      ? [`${files.refused} of ${filesText(all)} could not be read: ${named(refused, files.refused)}.`]
      : []),
    ...(files.skipped > 0
      ? [
          `${files.skipped} of ${filesText(all)} ${files.skipped === 1 ? "was" : "were"} skipped: ${named(skipped, files.skipped)}. A saved page that does not state its address is not stored: rename it to its host, such as acme.com.html, or give --url.`,
        ]
      : []),
  ].join(" ");
}

const counted = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
const filesText = (count: number) => counted(count, "file");

const number = (value: number): string => value.toLocaleString("en");

const progressText = ({ files, records, pages, companies, duration_ms }: IngestSummary): string =>
  `${number(files.read)} files, ${number(records)} records, ${number(companies)} companies, ${number(Math.round(pages / (duration_ms / 1_000)))} pages a second …`;

function summaryText(summary: IngestSummary, width: number): string {
  const { files, records, pages, recordings, unchanged, companies, duration_ms } = summary;
  const same = unchanged > 0 ? `; ${number(unchanged)} stored before, analysed again` : "";
  const before = files.read_before > 0 ? `, ${number(files.read_before)} read before` : "";
  const refused = files.refused > 0 ? `, ${number(files.refused)} not read` : "";
  const skipped = files.skipped > 0 ? `, ${number(files.skipped)} skipped` : "";
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
    `${filesText(files.read)} read${before}${refused}${skipped}, in ${durationOf(duration_ms / 1_000)}`,
    `${counted(records, "record")} with ${counted(pages, "page")}: ${counted(recordings, "recording")} of ${counted(companies, "company", "companies")} stored${same}`,
    ...(rows.length > 0
      ? [table([{ title: "OUTCOME" }, { title: "RECORDS" }, { title: "REASON", yields: true }], rows, width)]
      : []),
  ].join("\n");
}
