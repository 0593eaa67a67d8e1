import { basename, join } from "node:path";
import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { detect } from "../../src/detection/engine.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import type { Detection, Report } from "../../src/detection/types.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";
import { type CrossFigures, createCross, printCross } from "./detection-cross.ts";
import { evaluateJobLinks, type JobFigures } from "./detection-jobs.ts";
import { evaluateMail, type MailFigures } from "./detection-mail.ts";
import { isHeldOutSite } from "./held-out.ts";
import { createNameIndex } from "./tool-names.ts";

interface Label {
  readonly tool: string;
  readonly area: string;
  readonly certainty: string;
  readonly evidence_kind: string;
  readonly evidence: string;
}

interface Expectation {
  readonly site: string;
  readonly expected: readonly Label[];
  readonly must_not: readonly string[];
}

interface Count {
  found: number;
  of: number;
}

/** Figures of one part of the files. */
export interface PartFigures {
  readonly files: number;
  readonly labels: number;
  /** By default, and with `min_confidence=possible`. */
  readonly recall: number;
  readonly recall_possible: number;
  readonly recall_by_kind: Record<string, number>;
  readonly must_not: number;
  readonly must_not_hits: number;
}

export interface DetectionFigures {
  /** A third of the DNS records and browser recordings, by site. Its misses are not shown. */
  readonly validation: PartFigures;
  /** The other files. */
  readonly development: PartFigures;
  /** Of both parts, as are all figures below. */
  readonly files: number;
  readonly errors: number;
  readonly labels: number;
  readonly recall: number;
  readonly recall_by_certainty: Record<string, number>;
  readonly recall_by_area: Record<string, number>;
  readonly recall_by_kind: Record<string, number>;
  readonly must_not: number;
  readonly must_not_hits: number;
  readonly tools_told: number;
  readonly median_ms_per_file: number;
  readonly cross: CrossFigures;
  /** Undefined where the corpus has no such files. */
  readonly mail?: MailFigures;
  readonly job_links?: JobFigures;
}

/**
 * Runs detection on every file of a folder and compares it with the folder's `expected.json`:
 * file → `{site, expected: [{tool, area, certainty, evidence_kind, evidence}], must_not: [name]}`.
 * A label is found when a tool of that name is detected; a must-not name is hit when it is detected.
 *
 * Where there are `email_mxmap/sample.json` and `ats/job_links.csv`, they are compared too.
 */
export async function evaluateDetection(corpus: string, { misses }: { misses: boolean }): Promise<DetectionFigures> {
  const expectations: Record<string, Expectation> = await Bun.file(join(corpus, "expected.json")).json();
  const catalogue = loadBuiltInCatalogue();
  const idsOf = createNameIndex(catalogue.tools.values());
  const all: Count = { found: 0, of: 0 };
  const groups = {
    certainty: new Map<string, Count>(),
    area: new Map<string, Count>(),
    kind: new Map<string, Count>(),
  };
  const missed: string[] = [];
  const hits: string[] = [];
  const times: number[] = [];
  let errors = 0;
  let told = 0;
  let forbidden = 0;
  const cross = createCross();
  const parts = { validation: createPart(), development: createPart() };

  for (const [file, { site, expected, must_not }] of Object.entries(expectations)) {
    const began = performance.now();
    let detections: readonly Detection[] = [];
    let possible: readonly Detection[] = [];
    const isHidden = isHeldOut(file, site);
    const part = isHidden ? parts.validation : parts.development;
    part.files += 1;
    try {
      ({ detections, possible = [] } = await reportOn(join(corpus, file), site));
    } catch (error) {
      errors += 1;
      console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
    times.push(performance.now() - began);
    told += detections.length;
    cross.add(
      detections,
      new Set(expected.flatMap((label) => [...idsOf(label.tool)])),
      new Set(must_not.flatMap((name) => violated(name, detections, idsOf)?.id ?? [])),
    );
    for (const label of expected) {
      const ids = idsOf(label.tool);
      const found = detections.some(({ id }) => ids.has(id));
      count(all, found);
      count(at(groups.certainty, label.certainty), found);
      count(at(groups.area, label.area || "none given"), found);
      count(at(groups.kind, label.evidence_kind), found);
      count(part.labels, found);
      count(part.possible, found || possible.some(({ id }) => ids.has(id)));
      count(at(part.byKind, label.evidence_kind), found);
      if (!found && !isHidden)
        missed.push(`${file}: ${label.tool} (${label.certainty}, ${label.evidence_kind}) ${label.evidence}`);
    }
    for (const name of must_not) {
      forbidden += 1;
      const hit = violated(name, detections, idsOf);
      count(part.forbidden, hit !== undefined);
      if (hit && isHidden) hits.push(`${file}: a must-not name of the validation part`);
      else if (hit)
        hits.push(
          `${file}: ${name}: ${hit.evidence
            .map((proof) => `${proof.signal} ${proof.value} [${proof.rule}]`)
            .join("; ")
            .slice(0, 300)}`,
        );
    }
  }

  async function reportOn(path: string, site: string): Promise<Report> {
    const text = await Bun.file(path).text();
    const snapshot = readCapture(text, {
      name: basename(path),
      // Some sets name the site by a word; their pages contain their address.
      ...(site.includes(".") ? { url: `https://${site}/` } : {}),
      capturedAt: "2026-01-01T00:00:00Z",
    });
    const visit = replayVisit(snapshot);
    return detect(visit, SCANNERS, catalogue, { deadlineMs: 15_000, now: () => 0 });
  }

  const mailFile = Bun.file(join(corpus, "email_mxmap/sample.json"));
  const mail = (await mailFile.exists()) ? await evaluateMail(await mailFile.json(), catalogue) : undefined;
  const jobsFile = Bun.file(join(corpus, "ats/job_links.csv"));
  const jobs = (await jobsFile.exists()) ? evaluateJobLinks(await jobsFile.text(), catalogue, idsOf) : undefined;
  missed.push(...(mail?.[1] ?? []), ...(jobs?.[1] ?? []));
  const figures: DetectionFigures = {
    validation: parts.validation.figures(),
    development: parts.development.figures(),
    files: times.length,
    errors,
    labels: all.of,
    recall: share(all),
    recall_by_certainty: shares(groups.certainty),
    recall_by_area: shares(groups.area),
    recall_by_kind: shares(groups.kind),
    must_not: forbidden,
    must_not_hits: hits.length,
    tools_told: told,
    median_ms_per_file: Math.round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0),
    cross: cross.figures(),
    ...(mail ? { mail: mail[0] } : {}),
    ...(jobs ? { job_links: jobs[0] } : {}),
  };
  print(figures, groups, misses ? missed : [], hits);
  printCross(figures.cross);
  printOthers(figures);
  return figures;
}

/** Recordings of DNS and browsers are split by site; the pages have a validation part of their own in `eval -- pages`. */
const isHeldOut = (file: string, site: string) =>
  /^(?:dns_corporate|dns_zones|har|multi)\//.test(file) && isHeldOutSite(site);

function createPart() {
  const part = {
    files: 0,
    labels: { found: 0, of: 0 } as Count,
    possible: { found: 0, of: 0 } as Count,
    forbidden: { found: 0, of: 0 } as Count,
    byKind: new Map<string, Count>(),
    figures: (): PartFigures => ({
      files: part.files,
      labels: part.labels.of,
      recall: share(part.labels),
      recall_possible: share(part.possible),
      recall_by_kind: shares(part.byKind),
      must_not: part.forbidden.of,
      must_not_hits: part.forbidden.found,
    }),
  };
  return part;
}

/**
 * "X as primary mailbox provider" forbids detecting X by a mail exchange, but not by a tenant;
 * a list with slashes forbids each of its names.
 */
function violated(
  name: string,
  detections: readonly Detection[],
  idsOf: (label: string) => Set<string>,
): Detection | undefined {
  const [subject = "", role] = name.split(/\s+as\s+/);
  const ids = new Set(
    subject.includes(" / ") && idsOf(subject).size === 0
      ? subject.split(" / ").flatMap((one) => [...idsOf(one)])
      : idsOf(subject),
  );
  return detections.find(
    ({ id, evidence }) =>
      ids.has(id) && (!role?.includes("mailbox") || evidence.some(({ signal }) => signal === "dns.mx")),
  );
}

function print(
  figures: DetectionFigures,
  groups: Record<string, Map<string, Count>>,
  missed: string[],
  hits: string[],
): void {
  for (const line of missed) console.log(`missed  ${line}`);
  for (const line of hits) console.log(`must not  ${line}`);
  for (const [title, group] of Object.entries(groups)) {
    console.log(`\nrecall by ${title}`);
    for (const [name, counted] of [...group].sort((a, b) => b[1].of - a[1].of)) {
      console.log(`  ${name.padEnd(24)} ${share(counted).toFixed(3)}  (${counted.found} of ${counted.of})`);
    }
  }
  for (const name of ["development", "validation"] as const) {
    const { files, labels, recall, recall_possible, must_not, must_not_hits } = figures[name];
    console.log(
      `\n${name}: ${files} files, ${labels} labels, recall ${recall.toFixed(3)} (${recall_possible.toFixed(3)} with possible), must not ${must_not_hits} of ${must_not}`,
    );
  }
  console.log(
    `\n${figures.files} files, ${figures.errors} errors, ${figures.labels} labels: recall ${figures.recall.toFixed(3)}` +
      `\nmust-not: ${figures.must_not_hits} of ${figures.must_not} names told, ${((100 * figures.must_not_hits) / Math.max(1, figures.tools_told)).toFixed(2)} % of ${figures.tools_told} tools told` +
      `\nmedian ${figures.median_ms_per_file} ms a file`,
  );
}

function printOthers({ mail, job_links }: DetectionFigures): void {
  if (mail) {
    console.log(
      `\nwho keeps the mail: ${mail.agreement.toFixed(3)} of ${mail.domains} domains as another project says, ${mail.sure_agreement.toFixed(3)} of the ${mail.sure_domains} of which it is sure`,
    );
  }
  if (job_links) console.log(`job links: ${job_links.agreement.toFixed(3)} of ${job_links.links} name their system`);
}

function at(group: Map<string, Count>, key: string): Count {
  const known = group.get(key) ?? { found: 0, of: 0 };
  group.set(key, known);
  return known;
}

function count(counted: Count, found: boolean): void {
  counted.of += 1;
  if (found) counted.found += 1;
}

const share = ({ found, of }: Count) => Math.round((found / Math.max(1, of)) * 1_000) / 1_000;
const shares = (group: Map<string, Count>) =>
  Object.fromEntries([...group].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, counted]) => [name, share(counted)]));
