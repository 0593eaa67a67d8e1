import { parseArgs } from "node:util";
import { createRandom } from "../../scripts/random.ts";
import { plain } from "../../src/cli/table.ts";
import type { Services } from "../../src/compose.ts";
import { belongsTo } from "../../src/core/domain.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import type { Fingerprint } from "../../src/detection/fingerprints/types.ts";
import type { EnrichedDetection, Evidence } from "../../src/detection/types.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";
import { corroboration } from "../../src/prospects/claims.ts";
import { FURTHER } from "./pages.ts";
import { type ClaimLabel, LABEL_FILES, openDevelopmentData, readClaimLabels } from "./proof.ts";

/**
 * Precision of `corroborated` by reading: draws recorded companies with a tool that would corroborate a claim, and writes
 * what was recorded around the evidence. The reader marks each pair; the marks become labels.
 *
 *     npx bun research/evaluation/claims-sheet.ts draw --corpus DIR --out FILE [--count 150] [--seed 20261124] [--fresh]
 *     npx bun research/evaluation/claims-sheet.ts labels FILE > research/labels/claims-N.json
 *
 * The reader answers each pair's question: `[ ]` becomes `[yes] REASON`, `[no] REASON` or `[unclear] REASON`. The sheet shows
 * neither the rule nor the confidence. `--fresh` draws only sites and tools that no earlier file of labels contains.
 */

export interface Pair {
  readonly domain: string;
  readonly tool: Pick<EnrichedDetection, "id" | "tool" | "category" | "vendor" | "website" | "evidence">;
}

const MOST_PER_COMPANY = 4;
const SHOWN_EVIDENCE = 6;
const AROUND = 300;
const SNIPPETS = 2;

/** Categories of software that is published, not sold: no vendor writes case studies about it. */
const WITHOUT_VENDORS: ReadonlySet<string> = new Set([
  "developer-tools",
  "drupal-module",
  "drupal-theme",
  "fonts",
  "javascript-library",
  "joomla-extension",
  "programming-language",
  "site-generator",
  "typo3-extension",
  "web-framework",
  "web-server",
  "wordpress-plugin",
  "wordpress-theme",
]);
/** The same in other categories: the tool's website is the page of a project, or it extends one of these systems. */
const PROJECT_SITES =
  /^(?:.+\.)?(?:wordpress\.(?:org|com)|drupal\.org|github\.(?:com|io)|gitlab\.(?:com|io)|npmjs\.com)$/;
const EXTENDED: ReadonlySet<string> = new Set(["drupal", "joomla", "typo3", "wordpress"]);

export function hasVendor({ id, category, website, implies = [], requires = [] }: Fingerprint): boolean {
  if (WITHOUT_VENDORS.has(category) || PROJECT_SITES.test(hostOf(website))) return false;
  return ![id, ...implies, ...requires].some((each) => EXTENDED.has(each));
}

/** Pairs in random order, each tool once and each company at most four times; the same for the same seed. */
export function drawPairs(pairs: readonly Pair[], count: number, seed: number): Pair[] {
  const random = createRandom(seed);
  const shuffled = pairs
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((pair) => ({ pair, at: random() }))
    .sort((a, b) => a.at - b.at);
  const tools = new Set<string>();
  const companies = new Map<string, number>();
  const drawn: Pair[] = [];
  for (const { pair } of shuffled) {
    const drawnOfCompany = companies.get(pair.domain) ?? 0;
    if (drawn.length === count || tools.has(pair.tool.id) || drawnOfCompany === MOST_PER_COMPANY) continue;
    tools.add(pair.tool.id);
    companies.set(pair.domain, drawnOfCompany + 1);
    drawn.push(pair);
  }
  return drawn;
}

const hostOf = (address: string) => URL.parse(address)?.hostname ?? "";
const keyOf = ({ domain, tool }: Pair) => `${domain} ${tool.id}`;

async function eligiblePairs(app: Services, labelled: readonly ClaimLabel[], isFresh: boolean): Promise<Pair[]> {
  const { tools } = loadBuiltInCatalogue();
  const known = new Set(labelled.flatMap(({ domain, tool }) => (isFresh ? [domain, tool] : [`${domain} ${tool}`])));
  const isKnown = (pair: Pair) => [keyOf(pair), pair.domain, pair.tool.id].some((key) => known.has(key));
  const unread = await unreadSites();
  const pairs: Pair[] = [];
  for (const domain of await app.detection.recordedDomains()) {
    if (unread.some((site) => belongsTo(site, domain))) continue;
    const report = await app.detection.stored(domain);
    for (const tool of report?.detections ?? []) {
      const fingerprint = tools.get(tool.id);
      const pair = { domain, tool };
      // A vendor is no client of itself.
      if (!fingerprint || belongsTo(hostOf(tool.website), domain) || isKnown(pair)) continue;
      if (report && corroboration(tool, report) && hasVendor(fingerprint)) pairs.push(pair);
    }
  }
  return pairs;
}

/** Sites of the validation parts of `eval -- pages`, whose pages are not read for other evaluations. */
async function unreadSites(): Promise<string[]> {
  const files = Object.entries(FURTHER).flatMap(([name, file]) => (name.startsWith("validation") ? [file] : []));
  const parts = await Promise.all(files.map((name) => Bun.file(`${import.meta.dir}/../labels/${name}`).json()));
  return parts.flatMap((part: Record<string, { site: string }>) =>
    Object.values(part).map(({ site }) => site.split(" ")[0] ?? ""),
  );
}

/** The text for the reader. */
export function sheetOf(pairs: readonly Pair[], recordings: ReadonlyMap<string, readonly Snapshot[]>): string {
  const blocks = pairs.map((pair, at) => `${at + 1}.\n${blockOf(pair, recordings.get(pair.domain) ?? [])}`);
  return `${HELP}\n\n${blocks.join("\n\n")}\n`;
}

const HELP = `For each pair: does this site itself use this product? Replace [ ] by [yes] REASON, [no] REASON or [unclear] REASON.
"No" is also what another company on the page or a provider of the site uses, another product of the same vendor, and code
that is switched off. Judge by what is shown, and by nothing else.`;

function blockOf({ domain, tool }: Pair, recordings: readonly Snapshot[]): string {
  const dates = recordings.map(({ origin, captured_at }) => `${origin} ${captured_at.slice(0, 10)}`).join(", ");
  const pieces = new Set<string>();
  const shown = tool.evidence.slice(0, SHOWN_EVIDENCE).flatMap((each) => {
    const around = aroundEvidence(each, recordings).map(line);
    const added = around.filter((text) => !pieces.has(text));
    for (const text of added) pieces.add(text);
    return [
      `  ${each.signal} at ${line(each.location)}: ${line(each.value)}`,
      ...added.map((text) => `      | ${text}`),
    ];
  });
  return [
    `[ ] ${domain} ${tool.id}`,
    `  ${line(tool.tool)} (${line(tool.category)}; ${line(tool.vendor)}; ${line(tool.website)}), recorded: ${dates}`,
    ...shown,
  ].join("\n");
}

const line = (text: string) =>
  plain(text)
    .replace(/\s+/g, " ")
    .slice(0, 3 * AROUND);

/** What was recorded around the evidence: DNS records of its name, else headers and pieces of pages that contain it. */
function aroundEvidence({ value, location }: Evidence, recordings: readonly Snapshot[]): string[] {
  const [name = ""] = location.split(" ");
  const records = recordings.flatMap(({ dns }) => dns.filter((answer) => answer.name === name));
  if (records.length > 0)
    return records
      .flatMap(({ records }) => records.map((each) => `${each.name} ${each.type} ${each.value}`))
      .slice(0, 12);
  const pages = recordings.flatMap(({ http }) => http);
  const sorted = pages.toSorted((a, b) => Number(b.url === location) - Number(a.url === location));
  for (const needle of needlesOf(value)) {
    const found = sorted.flatMap(({ url, headers, body }) => [
      ...headers.filter((header) => header.join(": ").includes(needle)).map((header) => `${url} ${header.join(": ")}`),
      ...piecesOf(body, needle),
    ]);
    if (found.length > 0) return found.slice(0, SNIPPETS);
  }
  return recordings
    .flatMap(({ requests }) => requests.filter(({ url }) => url.includes(value)).map(({ url }) => `requested: ${url}`))
    .slice(0, SNIPPETS);
}

/** The value as pages write it: whole, without its scheme, escaped, its longest part between cuts, its path, its host. */
function needlesOf(value: string): string[] {
  const longest = value.split("…").reduce((best, part) => (part.length > best.length ? part : best), "");
  const url = URL.parse(value);
  const texts = [value, value.replace(/^https?:/, ""), value.replaceAll("&", "&amp;"), longest];
  return [...texts, ...(url ? [url.pathname, url.hostname] : [])].filter((text) => text.length > 3);
}

function piecesOf(body: string, needle: string): string[] {
  const pieces: string[] = [];
  for (let at = body.indexOf(needle); at >= 0 && pieces.length < SNIPPETS; at = body.indexOf(needle, at + AROUND))
    pieces.push(body.slice(Math.max(0, at - AROUND), at + needle.length + AROUND));
  return pieces;
}

async function recordingsOf(app: Services, domain: string): Promise<Snapshot[]> {
  const { data } = await app.privacy.export(domain);
  const rows = (data.snapshots ?? []) as readonly { content: Snapshot | string }[];
  // What is too large for an export is left compressed.
  return rows.flatMap(({ content }) => (typeof content === "string" ? [] : content));
}

const MARKED = /^\[(yes|no|unclear)\] ?(.*?) ?$/;

/** @throws Error for a pair without mark or reason */
export function labelsOf(sheet: string): ClaimLabel[] {
  return sheet.split("\n").flatMap((text) => {
    if (!text.startsWith("[")) return [];
    const [, mark, rest = ""] = MARKED.exec(text) ?? [];
    const [domain = "", tool = "", ...reason] = rest.split(" ");
    if (mark === undefined || reason.length === 0) throw new Error(`not marked: ${text.slice(0, 80)}`);
    return {
      domain,
      tool,
      correct: mark === "yes",
      ...(mark === "unclear" ? { unclear: true } : {}),
      reason: reason.join(" "),
    };
  });
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      corpus: { type: "string" },
      out: { type: "string" },
      count: { type: "string", default: "150" },
      seed: { type: "string", default: "20261124" },
      fresh: { type: "boolean", default: false },
    },
  });
  const [command, file] = positionals;
  if (command === "draw" && values.corpus && values.out) {
    const { app, close } = await openDevelopmentData(values.corpus);
    try {
      const labelled = await readClaimLabels(Object.values(LABEL_FILES).flat());
      const eligible = await eligiblePairs(app, labelled, values.fresh);
      const drawn = drawPairs(eligible, Number(values.count), Number(values.seed));
      const recordings = new Map<string, Snapshot[]>();
      for (const { domain } of drawn) recordings.set(domain, await recordingsOf(app, domain));
      await Bun.write(values.out, sheetOf(drawn, recordings));
      const tools = new Set(eligible.map(({ tool }) => tool.id)).size;
      console.log(`${drawn.length} of ${eligible.length} pairs with ${tools} tools written to ${values.out}`);
    } finally {
      await close();
    }
  } else if (command === "labels" && file) {
    console.log(JSON.stringify({ pairs: labelsOf(await Bun.file(file).text()) }, null, 2));
  } else {
    console.error(
      "usage: npx bun research/evaluation/claims-sheet.ts draw --corpus DIR --out FILE [--count N] [--seed N] [--fresh]",
    );
    console.error("       npx bun research/evaluation/claims-sheet.ts labels FILE");
    process.exitCode = 2;
  }
}

if (import.meta.main) await main();
