import { distinctiveWords } from "../../../src/casestudies/structure/local-engine.ts";
import { findOutcomes, type OutcomeModel } from "../../../src/casestudies/structure/outcomes/find-outcomes.ts";
import { singularOf } from "../../../src/casestudies/structure/outcomes/words.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import { loadBuiltInOutcomeMetrics } from "../../../src/casestudies/taxonomy/packed.ts";
import type { Outcome, PageText, Vendor } from "../../../src/casestudies/types.ts";
import { type Case, FORMS, loadCases } from "./cases.ts";
import { type StructureCorpus, vendorsKeptApart } from "./corpus.ts";
import { fitOutcomes, outcomeChoices, pageOutcomeChoices } from "./fit-outcomes.ts";
import { isSameFigure, outcomeTruth, overlaps, type RecordTruth, runsOf } from "./outcome-labels.ts";
import { loadTrainingPages } from "./vendor-pages.ts";

/** `labels` are the outcomes that every reader names, `named` those of them that were found. */
class Counts {
  labels = 0;
  named = 0;
  found = 0;
  right = 0;

  get rates() {
    const [precision, recall] = [share(this.right, this.found), share(this.named, this.labels)];
    const f1 = share(2 * precision * recall, precision + recall);
    return { labels: this.labels, found: this.found, precision, recall, f1 };
  }
}

export class OutcomeTally {
  studies = 0;
  readonly figures = new Counts();
  /** Part of `figures`: those that state a change. */
  readonly changed = new Counts();
  readonly changes = new Counts();
  /** Of the right ones with a figure, as far as their label says. */
  readonly fields = new Map<string, { right: number; of: number }>();

  field(name: string, isRight: boolean): void {
    const { right, of } = this.fields.get(name) ?? { right: 0, of: 0 };
    this.fields.set(name, { right: right + Number(isRight), of: of + 1 });
  }

  get result() {
    return {
      studies: this.studies,
      with_figure: this.figures.rates,
      of_them_changes: this.changed.rates,
      without_figure: this.changes.rates,
      right_fields: Object.fromEntries([...this.fields].map(([name, { right, of }]) => [name, share(right, of)])),
    };
  }
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Number((part / whole).toFixed(3)));

/** The local engine's outcomes of a page, with other weights than its own where they are given. */
export const readOutcomes = (page: PageText, vendor: Vendor, model?: OutcomeModel): readonly ReadOutcome[] =>
  findOutcomes(readStory(page), {
    metrics: METRICS,
    productWords: distinctiveWords(vendor.name),
    ...(model && { model }),
  });

interface ReadOutcome {
  readonly outcome: Outcome;
  readonly sentence: string;
  readonly confidence: number;
}

/**
 * Compares outcomes with what people read. An outcome is right if it has a label's figure in a sentence that
 * overlaps the label's piece, or, without a figure, if its sentence overlaps a piece without one; a label counts once.
 */
export function tallyOutcomes(
  tally: OutcomeTally,
  one: Pick<Case, "record">,
  found: readonly ReadOutcome[],
  truth: RecordTruth,
  misses: boolean,
): void {
  const open = [...truth.labels];
  tally.studies += 1;
  for (const { kind, isAgreed } of open) {
    (kind === "qualitative" ? tally.changes : tally.figures).labels += Number(isAgreed);
    tally.changed.labels += Number(isAgreed && kind === "change");
  }
  for (const { outcome, sentence, confidence } of found) {
    const isChange = outcome.kind === "qualitative";
    if (isChange && !truth.hasQualitative) continue;
    const counts = isChange ? tally.changes : tally.figures;
    counts.found += 1;
    if (outcome.kind === "change") tally.changed.found += 1;
    const words = runsOf(sentence);
    const at = open.findIndex((label) => {
      if (!overlaps(label.pieces, words)) return false;
      if (isChange) return label.kind === "qualitative";
      return label.kind !== "qualitative" && isSameFigure(label, { value: outcome.value ?? 0, unit: outcome.unit });
    });
    const [label] = at < 0 ? [] : open.splice(at, 1);
    if (misses) {
      const mark =
        label === undefined
          ? isChange
            ? "qwrong"
            : "wrong "
          : (label.kind ?? outcome.kind) !== outcome.kind ||
              (label.noun !== null && label.direction !== outcome.direction)
            ? "FIELD "
            : isChange
              ? "qright"
              : "right ";
      console.log(
        `  ${mark} ${one.record.id}: ${outcome.noun} | ${outcome.kind} ${outcome.direction} ${outcome.value} ${outcome.unit} ${outcome.from ?? ""}>${outcome.to ?? ""} ${outcome.better ? "" : "WORSE"} (${confidence}) [${label?.noun} ${label?.kind} ${label?.direction}] ${sentence.slice(0, 200)}`,
      );
    }
    if (label === undefined) continue;
    for (const each of outcome.kind === "change" ? [counts, tally.changed] : [counts]) {
      each.right += 1;
      if (label.isAgreed && (each !== tally.changed || label.kind === "change")) each.named += 1;
    }
    const prefix = isChange ? "without_figure_" : "";
    if (label.kind !== null && !isChange) tally.field("kind", label.kind === outcome.kind);
    if (label.better !== null) tally.field(`${prefix}better`, label.better === outcome.better);
    // Older labels say how their metric changes: a process that is faster decreases its time.
    if (label.noun !== null) tally.field(`${prefix}direction`, label.direction === outcome.direction);
    if (label.metric !== null) tally.field("metric", label.metric === outcome.metric);
    if (label.noun !== null)
      tally.field(`${prefix}noun`, outcome.noun !== null && sharesWord(label.noun, outcome.noun));
  }
  if (misses)
    for (const label of open)
      if (label.kind !== "qualitative")
        console.log(
          `  missed ${one.record.id}: ${label.noun} ${label.isAgreed ? "" : "(not all) "}${label.figures.join("/")} ${label.dimension}: ${[
            ...(label.pieces[0] ?? []),
          ]
            .map((run, index) => (index === 0 ? run : run.split(" ").at(-1)))
            .join(" ")
            .slice(0, 200)}`,
        );
}

const METRICS = loadBuiltInOutcomeMetrics();
const contentWords = (noun: string) =>
  new Set(
    (noun.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? [])
      .filter((word) => !/^(?:the|and|for|per|with|time|number|share)$/.test(word))
      .map(singularOf),
  );
function sharesWord(left: string, right: string): boolean {
  const words = contentWords(left);
  return words.size === 0 || [...contentWords(right)].some((word) => words.has(word));
}

/**
 * Outcomes of the studies that were read for them, with weights fitted without the vendor of the study, in each of three
 * forms, and with the weights of the product; `older_labels` has other studies, labelled by other people.
 */
export async function measureOutcomes(corpus: StructureCorpus, { misses }: { misses: boolean }): Promise<unknown> {
  return await measureCases(await loadCases(corpus.records), misses);
}

/** The same on cases that are already loaded. */
export async function measureCases(cases: readonly Case[], misses: boolean): Promise<unknown> {
  const choices = [...(await outcomeChoices(cases)), ...pageOutcomeChoices(await loadTrainingPages())];
  const truths = await outcomeTruth(cases.map(({ record }) => record));
  const vendors = [...new Set(cases.map(({ record }) => record.vendor_slug))].sort();
  const keptApart = vendorsKeptApart(cases.map(({ record }) => record));
  const unseen = { record: new OutcomeTally(), html: new OutcomeTally(), markdown: new OutcomeTally() };
  const known = new OutcomeTally();
  for (const vendor of vendors) {
    const model = fitOutcomes(choices.filter((choice) => choice.vendor !== vendor));
    for (const one of cases.filter(({ record }) => record.vendor_slug === vendor)) {
      const truth = truths.get(one.record.id);
      if (truth === undefined) continue;
      for (const { form, page, vendor: publisher } of one.forms) {
        const found = readOutcomes(page, publisher, model);
        tallyOutcomes(unseen[form], one, found, truth, misses && form === "html" && !keptApart.has(vendor));
        if (form === "html") tallyOutcomes(known, one, readOutcomes(page, publisher), truth, false);
      }
    }
  }
  const figures = {
    vendors: vendors.length,
    unseen_vendor: Object.fromEntries(FORMS.map((form) => [form, unseen[form].result])),
    known_vendor: known.result,
  };
  console.log(Bun.YAML.stringify(figures, null, 2));
  return figures;
}
