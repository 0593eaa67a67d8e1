import { Failure, type Problem } from "../../core/errors.ts";
import { quoted } from "../../core/text.ts";
import { isProblems, type ParseContext, parseRecord } from "../record.ts";
import type { CaseStudyRepository } from "../repository.ts";
import type { NewCaseStudy, Provenance } from "../types.ts";
import type { CorrectionRepository } from "./repository.ts";

/** Fields of a case study that an operator may correct. */
const CORRECTABLE = [
  "title",
  "client",
  "industry",
  "country",
  "summary",
  "challenge",
  "solution",
  "outcomes",
  "products",
  "tools",
  "quote",
  "published_at",
  "language",
] as const;
type Field = (typeof CORRECTABLE)[number];
export type StudyCorrections = Readonly<Partial<Record<Field, unknown>>>;

/**
 * Marks corrected fields as the operator's, in place of the engine's provenance. The stored provenance stays the
 * engine's, so that it applies again when a correction is removed.
 */
export const withCorrections = (provenance: readonly Provenance[], fields: readonly string[]): readonly Provenance[] =>
  [
    ...provenance.filter(
      // Earlier releases stored the operator's entries among the engine's.
      ({ pointer, engine }) => engine !== "operator" && !fields.includes(pointer.split("/")[1] ?? ""),
    ),
    ...fields.map((field) => ({ pointer: `/${field}`, engine: "operator" as const, sentence: null, confidence: 1 })),
  ].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));

export interface CorrectionContext {
  readonly caseStudies: Pick<CaseStudyRepository, "save" | "detail">;
  readonly corrections: CorrectionRepository;
  readonly parseContext: ParseContext;
}

/**
 * Corrects fields of a case study; `null` clears a field. Corrections override later crawls. When another process
 * changes the case study at the same time, the correction is applied to the new version.
 *
 * @throws Failure `study.not_found`, `correction.invalid` naming each invalid value
 */
export async function correct(context: CorrectionContext, id: string, values: StudyCorrections): Promise<void> {
  const { caseStudies, corrections, parseContext } = context;
  const { raw, ifRevision } = await loadRaw(caseStudies, id);
  const corrected = parseRecord({ ...raw, ...values }, parseContext);
  const readAlone = (field: Field, value: unknown) => {
    const read = parseRecord({ ...raw, [field]: value }, parseContext);
    return isProblems(read) ? null : read[field];
  };
  const problems = isProblems(corrected) ? corrected : problemsOf(values, readAlone);
  if (isProblems(corrected) || problems.length > 0) {
    throw new Failure("correction.invalid", "Correct the listed fields and send them again.", { problems });
  }
  const [saved] = await caseStudies.save([corrected], {
    keepVersions: true,
    ifRevision,
    before: (transaction) => corrections.save(raw.id, values, transaction),
  });
  if (!saved) await correct(context, id, values);
}

/**
 * Takes a correction back: the field gets its former value, and the next crawl that finds the page changed extracts it
 * again.
 *
 * @throws Failure `study.not_found`, `correction.not_found`
 */
export async function takeBackCorrection(context: CorrectionContext, id: string, field: string): Promise<void> {
  const { caseStudies, corrections, parseContext } = context;
  const { raw, ifRevision } = await loadRaw(caseStudies, id);
  if (!Object.hasOwn(await corrections.of(raw.id), field)) {
    throw new Failure(
      "correction.not_found",
      "This field has no correction; the case study lists its corrected fields.",
    );
  }
  const former = await corrections.before(raw.id, field);
  const value = former && Object.entries(former).find(([name]) => name === field)?.[1];
  const study = parseRecord(former ? { ...raw, [field]: value } : raw, parseContext);
  // A record that this release cannot parse any more is not changed; its correction is removed all the same.
  const batch = isProblems(study) ? [] : [study];
  const saved = await caseStudies.save(batch, {
    keepVersions: true,
    ifRevision: isProblems(study) ? undefined : ifRevision,
    before: (transaction) => corrections.remove(raw.id, field, transaction),
  });
  if (saved.length < batch.length) await takeBackCorrection(context, id, field);
}

/** A stored case study as `parseRecord` takes it, with its revision. @throws Failure `study.not_found` */
async function loadRaw(caseStudies: CorrectionContext["caseStudies"], id: string) {
  const stored = await caseStudies.detail(id);
  if (!stored) throw studyNotFound(id);
  const { study, revision, origin, licence, body, industry_raw: industry } = stored;
  return { raw: { ...study, origin, licence, body, industry }, ifRevision: { id: study.id, revision } };
}

export const studyNotFound = (id: string) =>
  new Failure("study.not_found", `No case study has the id ${quoted(id)}; search or list to find one.`);

/** Hints for values that cannot be parsed, by field or part of a field. */
const HINTS: Readonly<Record<string, string>> = {
  country: "Give a country's two letters, such as DE.",
  published_at: "Give a date as YYYY-MM-DD.",
  language: "Give a language's code, such as en or pt-BR.",
  domain: "Give a domain such as acme.com.",
  outcomes: "Give the metric and a sentence that states the outcome.",
};

/** Reports values, or parts of values, that parsing dropped. */
function problemsOf(values: StudyCorrections, read: (field: Field, value: unknown) => unknown): Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = CORRECTABLE.find((known) => known === name);
    if (field === undefined) {
      return [{ pointer: `/${name}`, detail: `Only these fields can be corrected: ${CORRECTABLE.join(", ")}.` }];
    }
    const parsed = read(field, value);
    if (!Array.isArray(value)) return droppedParts(`/${field}`, value, parsed);
    const dropped = value.flatMap((one, at) => droppedParts(`/${field}/${at}`, one, asList(read(field, [one]))[0]));
    if (dropped.length > 0 || asList(parsed).length === value.length) return dropped;
    return [{ pointer: `/${field}`, detail: "Give each value once." }];
  });
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The parts of a given value that are missing in the parsed value. */
function droppedParts(pointer: string, given: unknown, parsed: unknown): Problem[] {
  if (isEmpty(given)) return [];
  if (isEmpty(parsed)) {
    const [, field = "", ...parts] = pointer.split("/");
    const hint = HINTS[parts.at(-1) ?? field] ?? (parts.length < 2 ? HINTS[field] : undefined);
    return [{ pointer, detail: hint ?? "This value is not valid for the field; see the API reference." }];
  }
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).flatMap(([part, value]) =>
    droppedParts(`${pointer}/${part}`, value, Object(parsed)[part]),
  );
}

/** Null, or an object with only null values. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "object" && !Array.isArray(value) && Object.values(value).every((part) => part === null));

/** Applies operator corrections to imported case studies: they override what a file states. */
export async function applyCorrections(
  corrections: Pick<CorrectionRepository, "at">,
  parseContext: ParseContext,
  batch: readonly NewCaseStudy[],
): Promise<readonly NewCaseStudy[]> {
  const byUrl = await corrections.at(batch.map(({ url }) => url));
  return batch.map((study) => {
    const values = byUrl.get(study.url);
    const corrected = values && parseRecord({ ...study, ...values }, parseContext);
    // A correction that this release cannot parse any more must not block the import.
    return corrected && !isProblems(corrected) ? { ...corrected, id: study.id } : study;
  });
}
