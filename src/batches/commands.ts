import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { reasonsText } from "../cli/problems.ts";
import { createLine } from "../cli/progress.ts";
import { table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import type { Include } from "../detection/view.ts";
import type { TableFormat } from "../tabular/table.ts";
import { writeTable } from "../tabular/write-table.ts";
import { readList } from "./read-list.ts";
import type { BatchService } from "./service.ts";
import { type RowKind, resultView, tableOf } from "./table.ts";
import { type Batch, type BatchItem, OPERATOR } from "./types.ts";

export type ListFormat = "table" | "json" | TableFormat;

export interface ListFlags {
  /** `-` is standard input. */
  readonly list: string;
  readonly format: ListFormat;
  readonly rows: RowKind;
  readonly include: Include;
  readonly output?: string | undefined;
  readonly retryFailed?: boolean | undefined;
  readonly column?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly maxAgeSeconds?: number | undefined;
  readonly minConfidence?: number | undefined;
  /** Scans at the same time. */
  readonly concurrency: number;
}

const PROGRESS_MS = 500;

/**
 * Scans a list as a batch of the operator and writes the results in the order of the list. A batch of the same list that
 * was interrupted is continued.
 *
 * @throws Failure that counts the domains that failed, at the end
 */
export async function enrichTable(
  command: Command,
  host: CliHost<{ readonly batches: BatchService }>,
  flags: ListFlags,
): Promise<void> {
  const { name, content } = await host.openFile(flags.list);
  const entries = await Array.fromAsync(readList(content, { name, column: flags.column }));
  const settings = { batchConcurrency: String(flags.concurrency), ...command.opts() };
  await withApp(host, settings, async ({ batches }) => {
    const owner = { owner: OPERATOR };
    // DNS that does not answer is reported at once: the user decides when to try again.
    const { maxAgeSeconds, minConfidence, only } = flags;
    const options = { maxAgeSeconds, minConfidence, only, retrySeconds: [], columnOption: "--column" };
    await batches.maintenance.queueDue();
    const earlier = await batches.findSame(owner, entries, options);
    let batch: Batch;
    if (flags.retryFailed) {
      if (!earlier)
        throw new Failure(
          "batch.not_found",
          "This list was not scanned with these options; run it without --retry-failed.",
        );
      const hasFailed = earlier.state === "done" && Object.keys(earlier.progress.failed).length > 0;
      batch = hasFailed ? await batches.retryFailed(owner, earlier.id) : earlier;
    } else batch = earlier?.state === "running" ? earlier : await batches.create(owner, entries, options);

    const worker = batches.startWorker();
    const line = createLine(host);
    const timer = setInterval(async () => {
      if (!host.interactive) return;
      const { domains, progress } = await batches.get(owner, batch.id);
      const failed = countOf(progress.failed);
      line.show(`${progress.done + failed} of ${domains} done${failed > 0 ? `, ${failed} failed` : ""} …`);
    }, PROGRESS_MS);
    try {
      const items = await batches.results(owner, batch.id, { follow: host.signal });
      let cached = 0;
      const counted = (async function* () {
        for await (const item of items) {
          if (item.result?.cached) cached += 1;
          yield item;
        }
      })();
      await host.write(flags.output, textOf(counted, batch.columns, flags, host.columns));
      line.end();
      report(host, await batches.get(owner, batch.id), cached, entries.find(({ column }) => column)?.column);
    } catch (error) {
      if (host.signal.aborted) host.err("Interrupted; run the same command again to continue.\n");
      throw error;
    } finally {
      clearInterval(timer);
      line.end();
      await worker.stop();
    }
  });
}

const countOf = (failed: Readonly<Record<string, number>>) =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** @throws Failure when a domain failed or a row is invalid */
function report(
  host: CliHost,
  { progress: { done, failed, skipped } }: Batch,
  cached: number,
  column: string | undefined,
): void {
  const rows = (count: number, what: string) => (count > 0 ? [`${count} ${what} ${count === 1 ? "row" : "rows"}`] : []);
  const skippedText = [...rows(skipped.invalid, "invalid"), ...rows(skipped.duplicate, "duplicate")].join(" and ");
  const parts = [
    cached > 0 ? `${done} done (${cached} ${cached === 1 ? "row" : "rows"} from stored results)` : `${done} done`,
    countOf(failed) > 0 ? `${countOf(failed)} failed (${reasonsText(failed)})` : "0 failed",
    ...(skippedText === "" ? [] : [`${skippedText} skipped`]),
  ];
  const summary = `${parts.join("; ")}.`;
  if (countOf(failed) + skipped.invalid === 0) {
    host.err(`${summary}\n`);
    return;
  }
  const advice = [
    ...(countOf(failed) > 0 ? [" Add --retry-failed to scan the failed domains again."] : []),
    ...(skipped.invalid > 0 && column !== undefined
      ? [` The domains were read from the column "${column}"; --column takes another.`]
      : []),
  ].join("");
  // This code gives the exit status 1, whatever the reasons were.
  throw new Failure("dns.unreachable", `${summary}${advice}`);
}

async function* textOf(
  items: AsyncIterable<BatchItem>,
  columns: readonly string[],
  { format, rows, include }: ListFlags,
  width: number,
): AsyncGenerator<string | Uint8Array> {
  if (format === "table") yield await screenTable(items, rows, width);
  else if (format === "json" || (format === "ndjson" && rows === "companies")) {
    let separator = "";
    if (format === "json") yield "[";
    for await (const item of items) {
      yield format === "json"
        ? `${separator}\n${JSON.stringify(resultView(item, include))}`
        : `${JSON.stringify(resultView(item, include))}\n`;
      separator = ",";
    }
    if (format === "json") yield "\n]\n";
  } else {
    const { rows: cells, columns: names } = tableOf(items, columns, rows);
    yield* writeTable(format, names, cells);
  }
}

async function screenTable(items: AsyncIterable<BatchItem>, kind: RowKind, width: number): Promise<string> {
  const lines: string[][] = [];
  for await (const row of tableOf(items, [], kind).rows) {
    const { input, status, error, tools_detected, tools, tool, category, confidence, best_evidence } = row;
    const shown =
      kind === "companies"
        ? [tools_detected, Array.isArray(tools) ? tools.join(", ") : error]
        : [
            tool ?? error,
            category,
            typeof confidence === "number" ? `${Math.round(confidence * 100)}%` : "",
            best_evidence,
          ];
    lines.push([input, status, ...shown].map((cell) => String(cell ?? "")));
  }
  return `${table(TITLES[kind], lines, width)}\n`;
}

const TITLES = {
  companies: [{ title: "INPUT" }, { title: "STATUS" }, { title: "TOOLS" }, { title: "NAMES", yields: true }],
  tools: [
    { title: "INPUT" },
    { title: "STATUS" },
    { title: "TOOL" },
    { title: "CATEGORY" },
    { title: "CONFIDENCE" },
    { title: "EVIDENCE", yields: true },
  ],
};
