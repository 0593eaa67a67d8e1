import { createHash } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { detect } from "../../src/detection/engine.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import type { Detection } from "../../src/detection/types.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";
import { createNameIndex, namesIn } from "./tool-names.ts";

interface PageLabels {
  readonly site: string;
  readonly tools: readonly { readonly tool: string; readonly certainty: string; readonly kind: string }[];
  readonly must_not: readonly string[];
}

/** Figures of one part of the labelled pages. Shares are 0–1, rounded to three places. */
export interface PagePart {
  readonly pages: number;
  /** Share of the labels that were detected, by the labeller's certainty, with their number. */
  readonly recall: Readonly<Record<string, { readonly share: number; readonly of: number }>>;
  /** The same of the labels that are `sure`, by the kind of evidence. */
  readonly sure_recall_by_kind: Readonly<Record<string, { readonly share: number; readonly of: number }>>;
  readonly must_not: { readonly names: number; readonly detected: number };
  readonly detected: number;
  /** Share of the detected tools that a labeller named for the page: a lower bound of the precision. */
  readonly labelled_share: number;
}

export interface PageFigures {
  /** Two thirds of the labelled pages, by site. Their misses may be read. */
  readonly development: PagePart;
  /** The other third, a held-out set: its misses are not read. */
  readonly validation: PagePart;
  /** 60 further pages, labelled before detection ran on them: a held-out set whose misses are not read. */
  readonly validation_2: PagePart | undefined;
}

const LABELS_2 = join(import.meta.dir, "../labels/detection-pages.json");

/**
 * Measures detection on saved home pages.
 *
 * @param folder has `labels.json` and the pages in `labelled/`
 * @param unlabelled has the pages of `research/labels/detection-pages.json`; without it the second part is not measured
 */
export async function evaluatePages(
  folder: string,
  { unlabelled, misses }: { unlabelled: string | undefined; misses: boolean },
): Promise<PageFigures> {
  const known: Record<string, unknown> = await Bun.file(join(folder, "labels.json")).json();
  const labels = Object.entries(known).flatMap(([file, value]) =>
    file.startsWith("_") ? [] : [[join(folder, "labelled", file), pageLabels(value)] as const],
  );
  const aliases = aliasesIn(known._aliases);
  const measure = createMeasure(aliases);
  const isHeldOut = ({ site }: PageLabels) => (createHash("sha256").update(site).digest()[0] ?? 0) % 3 === 0;
  const development = await measure(labels.filter(([, page]) => !isHeldOut(page)));
  if (misses) for (const line of development.misses) console.log(line);
  const validation = await measure(labels.filter(([, page]) => isHeldOut(page)));
  const second: Record<string, unknown> = await Bun.file(LABELS_2).json();
  const figures: PageFigures = {
    development: development.figures,
    validation: validation.figures,
    validation_2:
      unlabelled === undefined
        ? undefined
        : (
            await measure(
              Object.entries(second).map(([file, value]) => [join(unlabelled, file), pageLabels(value)] as const),
            )
          ).figures,
  };
  print(figures);
  return figures;
}

function createMeasure(aliases: ReadonlyMap<string, ReadonlySet<string>>) {
  const catalogue = loadBuiltInCatalogue();
  const idsOf = createNameIndex(catalogue.tools.values());
  /** Catalogue ids and plain names that a label means. */
  const wanted = (label: string) => {
    const names = new Set([...namesIn(label), ...(aliases.get(label) ?? [])]);
    return { names, ids: new Set([label, ...names].flatMap((name) => [...idsOf(name)])) };
  };
  const matches = ({ id, tool }: Detection, { names, ids }: ReturnType<typeof wanted>) =>
    ids.has(id) || [...namesIn(tool)].some((name) => names.has(name));

  return async (pages: readonly (readonly [path: string, labels: PageLabels])[]) => {
    const recall = new Map<string, Count>();
    const byKind = new Map<string, Count>();
    const misses: string[] = [];
    let [mustNot, forbidden, detected, labelled] = [0, 0, 0, 0];
    for (const [path, { site, tools, must_not }] of pages) {
      const snapshot = await snapshotOf(path, site);
      const { detections } = await detect(replayVisit(snapshot), SCANNERS, catalogue, {
        deadlineMs: 60_000,
        now: () => 0,
      });
      const wantedOfPage = tools.map((label) => ({ ...label, wanted: wanted(label.tool) }));
      for (const label of wantedOfPage) {
        const isFound = detections.some((detection) => matches(detection, label.wanted));
        count(recall, label.certainty, isFound);
        if (label.certainty === "sure") count(byKind, label.kind, isFound);
        if (!isFound) misses.push(`${site}: ${label.tool} (${label.certainty}, ${label.kind})`);
      }
      detected += detections.length;
      for (const one of detections)
        if (!wantedOfPage.some((label) => matches(one, label.wanted)))
          misses.push(
            `${site}: not labelled: ${one.tool} (${one.confidence}, ${one.evidence[0]?.rule}: ${one.evidence[0]?.value.slice(0, 90)})`,
          );
      labelled += detections.filter((one) => wantedOfPage.some((label) => matches(one, label.wanted))).length;
      mustNot += must_not.length;
      forbidden += must_not.filter((name) => detections.some((one) => matches(one, wanted(name)))).length;
    }
    const figures: PagePart = {
      pages: pages.length,
      recall: shares(recall),
      sure_recall_by_kind: shares(byKind),
      must_not: { names: mustNot, detected: forbidden },
      detected,
      labelled_share: rounded(labelled / Math.max(1, detected)),
    };
    return { figures, misses };
  };
}

/** A mirror or a platform domain belongs to no company; such a page is identified by its own metadata. */
async function snapshotOf(path: string, site: string) {
  const text = await Bun.file(path).text();
  const hints = { name: path.slice(path.lastIndexOf("/") + 1), capturedAt: "2026-01-01T00:00:00Z" };
  for (const url of [`https://${site}/`, undefined]) {
    try {
      return readCapture(text, { ...hints, ...(url ? { url } : {}) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return readCapture(text, { ...hints, url: "https://unknown-site.com/" });
}

interface Count {
  found: number;
  of: number;
}

function count(counts: Map<string, Count>, key: string, isFound: boolean): void {
  const counted = counts.get(key) ?? { found: 0, of: 0 };
  counts.set(key, { found: counted.found + (isFound ? 1 : 0), of: counted.of + 1 });
}

const rounded = (share: number) => Math.round(share * 1_000) / 1_000;
const shares = (counts: ReadonlyMap<string, Count>) =>
  Object.fromEntries(
    [...counts]
      .sort(([, a], [, b]) => b.of - a.of)
      .map(([key, { found, of }]) => [key, { share: rounded(found / of), of }]),
  );

/** Both files' shapes: `must_not` is a list of names or of `{tool}`; the site is `site` or `domain_or_site`. */
function pageLabels(value: unknown): PageLabels {
  const { site, domain_or_site, tools, must_not } = value as Record<string, unknown>;
  return {
    site: String(site ?? domain_or_site),
    tools: tools as PageLabels["tools"],
    must_not: (must_not as readonly (string | { readonly tool: string })[]).map((one) =>
      typeof one === "string" ? one : one.tool,
    ),
  };
}

function aliasesIn(value: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = Object.entries((value ?? {}) as Record<string, readonly string[]>);
  return new Map(entries.map(([name, others]) => [name, new Set(others.flatMap((other) => [...namesIn(other)]))]));
}

function print(figures: PageFigures): void {
  const parts: [string, PagePart | undefined][] = [
    ["development", figures.development],
    ["validation", figures.validation],
    ["validation 2", figures.validation_2],
  ];
  for (const [name, part] of parts) {
    if (!part) continue;
    const recall = Object.entries(part.recall).map(([key, { share, of }]) => `${key} ${share.toFixed(3)} of ${of}`);
    console.log(
      `${name}: ${part.pages} pages, ${recall.join(", ")}; must not ${part.must_not.detected} of ${part.must_not.names}; ` +
        `${part.detected} detected, ${part.labelled_share.toFixed(3)} of them labelled`,
    );
  }
}
