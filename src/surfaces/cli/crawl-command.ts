import type { Command } from "commander";
import type { App, CrawlStep } from "../../app/app.ts";
import { createCrawlTally } from "./crawl-text.ts";
import type { CliHost } from "./host.ts";
import { indexNow, refuseUnindexed } from "./index-now.ts";
import { createLine } from "./progress.ts";
import { jsonText, plain } from "./table.ts";
import { withApp } from "./with-app.ts";

interface Flags {
  readonly company?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `casefile crawl`: the way from a listing page to case studies, in the foreground. */
export function addCrawl(program: Command, host: CliHost): Command {
  const command = program
    .command("crawl")
    .description("Read a vendor's case-study page now and index what is there.")
    .argument("<url>", "page that lists the case studies")
    .option("--company <name>", "whose they are; by default what the site's domain says")
    .option("--dry-run", "tell what is there and keep nothing")
    .option("--json", "print each step as a line of JSON, as it happens; the last one is the summary")
    .addHelpText(
      "after",
      `
Examples:
  casefile crawl https://acme.com/customers --dry-run --crawl-max-pages 50
  casefile crawl https://acme.com/customers --company "Acme"`,
    );
  return command.action((url: string, flags: Flags) =>
    withApp(host, command.opts(), (app) => crawl(app, host, url, flags), { inMemory: flags.dryRun ?? false }),
  );
}

async function crawl(app: App, host: CliHost, url: string, { company, dryRun = false, json }: Flags): Promise<void> {
  const tally = createCrawlTally();
  const notes: string[] = [];
  const line = createLine(host);
  line.show(`${url}: looking …`);
  let begun = false;
  try {
    for await (const step of app.crawl(url, { company, dryRun, signal: host.signal })) {
      begun = true;
      tally.note(step);
      if (step.type === "note") notes.push(step.text);
      if (json) host.out(`${jsonText(step)}\n`);
      line.show(`${tally.progress()}: ${aboutOf(step)} …`);
    }
  } catch (error) {
    // What was kept until here stays kept, so it is told.
    if (!begun || !host.signal.aborted) throw error;
  } finally {
    line.end();
  }
  if (!json) {
    host.out(`${tally.text(host.columns)}\n`);
    for (const note of notes) host.err(`note: ${plain(note)}\n`);
  }
  host.signal.throwIfAborted();
  if (dryRun) return;
  await indexNow(app, host);
  await refuseUnindexed(app);
}

function aboutOf(step: CrawlStep): string {
  switch (step.type) {
    case "listing":
      return `${step.found} links on ${step.url}`;
    case "skipped":
      return `${step.url} (${step.reason})`;
    case "note":
      return step.text;
    case "summary":
      return step.listing_url;
    default:
      return step.url;
  }
}
