import type { Command } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { createLine } from "../../cli/progress.ts";
import { jsonText, plain, table } from "../../cli/table.ts";
import { plural } from "../../core/text.ts";
import type { IndexService } from "../index/service.ts";
import { indexNow, requireIndexed } from "../index-now.ts";
import type { CrawlStep } from "./crawl-now.ts";
import type { IntakeService } from "./service.ts";

interface UsedServices {
  readonly intake: IntakeService;
  readonly index: IndexService;
}

type StudyStep = Extract<CrawlStep, { type: "study" }>;
type SummaryStep = Extract<CrawlStep, { type: "summary" }>;

const OUTCOMES: Readonly<Record<StudyStep["outcome"], string>> = {
  added: "added",
  updated: "updated",
  unchanged: "unchanged",
  duplicate: "duplicate",
  dry: "not saved",
};

const ENDED: Readonly<Record<SummaryStep["ended"], string | null>> = {
  complete: null,
  pages: "The limit of pages was reached (--crawl-max-pages).",
  bytes: "The limit of bytes was reached (--crawl-max-bytes).",
  time: "The limit of time was reached (--crawl-deadline-ms).",
  robots: "The site's robots.txt forbids the rest.",
  unreachable: "The site stopped answering.",
};

const COLUMNS = [
  { title: "TITLE", yields: true },
  { title: "CLIENT" },
  { title: "INDUSTRY" },
  { title: "OUTCOMES" },
  { title: "DATE" },
  { title: "RESULT" },
];
/** Reasons that are printed; the others are only counted. */
const REASONS = 3;

/** Counts and formats the steps of a crawl. */
function createCrawlReport() {
  const studies: StudyStep[] = [];
  const skipped = new Map<string, number>();
  const counts = { unchanged: 0, gone: 0 };
  let summary: SummaryStep | undefined;
  return {
    add(step: CrawlStep) {
      if (step.type === "study") studies.push(step);
      if (step.type === "skipped") skipped.set(step.reason, (skipped.get(step.reason) ?? 0) + 1);
      if (step.type === "unchanged" || step.type === "gone") counts[step.type] += 1;
      if (step.type === "summary") summary = step;
    },
    /** `3 case studies, 5 pages skipped` */
    progress: () =>
      `${plural(studies.length, "case study", "case studies")}, ${plural(total(skipped), "page")} skipped`,
    /** The table and the summary line, also for an interrupted crawl. */
    text(width: number): string {
      const parts = studies.length === 0 ? [] : [table(COLUMNS, studies.map(rowOf), width)];
      const outcomes = Object.entries(Object.groupBy(studies, ({ outcome }) => outcome)).map(
        ([outcome, steps]) => `${steps.length} ${OUTCOMES[outcome as StudyStep["outcome"]]}`,
      );
      const found = plural(studies.length, "case study", "case studies");
      const line = [
        ...(summary ? [`${plural(summary.pages, "page")} read`] : []),
        outcomes.length === 0 ? found : `${found} (${outcomes.join(", ")})`,
        ...(counts.unchanged === 0 ? [] : [`${counts.unchanged} unchanged since the last crawl`]),
        ...(counts.gone === 0 ? [] : [`${counts.gone} gone`]),
        ...(skipped.size === 0 ? [] : [`${total(skipped)} skipped: ${reasonsOf(skipped)}`]),
      ].join("; ");
      const end = summary ? endOf(summary) : "Interrupted.";
      return [...parts, `${line}.${end === null ? "" : ` ${end}`}`].join("\n\n");
    },
  };
}

function endOf({ ended, found, case_studies }: SummaryStep): string | null {
  const why = ENDED[ended];
  const left = found - case_studies;
  return why === null || left <= 0 ? why : `${why} ${left} more possible case studies were not crawled.`;
}

const rowOf = ({ study, outcome }: StudyStep): string[] => [
  study.title,
  study.client.name ?? "",
  study.industry ?? "",
  String(study.outcomes.length),
  study.published_at ?? "",
  OUTCOMES[outcome],
];

function reasonsOf(skipped: ReadonlyMap<string, number>): string {
  const frequent = [...skipped].sort(([, a], [, b]) => b - a);
  const shown = frequent.slice(0, REASONS).map(([reason, count]) => `${count} ${plain(reason).replace(/\.$/, "")}`);
  const rest = frequent.slice(REASONS).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(rest === 0 ? [] : [`${rest} for other reasons`])].join(", ");
}

const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, one) => sum + one, 0);

interface Flags {
  readonly company?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `casefile crawl`: crawls a listing page in the foreground. */
export function addCrawlCommand(program: Command, host: CliHost<UsedServices>): Command {
  const command = program
    .command("crawl")
    .description("Crawl a vendor's case-study page now, and index its case studies.")
    .argument("<url>", "page that lists the case studies")
    .option("--company <name>", "name of the vendor; by default derived from the domain")
    .option("--dry-run", "show what is found, and save nothing")
    .option("--json", "print each step as a JSON line; the last one is the summary")
    .addHelpText(
      "after",
      `
Examples:
  casefile crawl https://acme.com/customers --dry-run --crawl-max-pages 50
  casefile crawl https://acme.com/customers --company "Acme"`,
    );
  return command.action((url: string, flags: Flags) =>
    withApp(host, command.opts(), (services) => crawl(services, host, url, flags), {
      inMemory: flags.dryRun === true && "without-data",
    }),
  );
}

async function crawl(
  services: UsedServices,
  host: CliHost,
  url: string,
  { company, dryRun = false, json }: Flags,
): Promise<void> {
  const report = createCrawlReport();
  const notes: string[] = [];
  const line = createLine(host);
  line.show(`${url}: crawling …`);
  let started = false;
  try {
    for await (const step of services.intake.crawl(url, { company, dryRun, signal: host.signal })) {
      started = true;
      report.add(step);
      if (step.type === "note") notes.push(step.text);
      if (json) host.out(`${jsonText(step)}\n`);
      line.show(`${report.progress()}: ${aboutOf(step)} …`);
    }
  } catch (error) {
    // What was saved so far stays saved, so it is reported.
    if (!started || !host.signal.aborted) throw error;
  } finally {
    line.end();
  }
  if (!json) {
    host.out(`${report.text(host.columns)}\n`);
    for (const note of notes) host.err(`note: ${plain(note)}\n`);
  }
  host.signal.throwIfAborted();
  if (dryRun) return;
  await indexNow(services, host);
  await requireIndexed(services);
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
