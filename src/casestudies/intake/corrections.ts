import { Failure, type Problem } from "../../core/errors.ts";
import type { Store } from "../../store.ts";
import { isProblems, type ParseContext, parseRecord } from "../record.ts";
import type { SaveOptions } from "../save.ts";
import type { NewCaseStudy, Provenance } from "../types.ts";
import type { IntakeParts } from "./context.ts";

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
 * Fields that were corrected say so, in place of what an engine said of them. What is kept stays the engine's, so that
 * it counts again when a correction is taken back.
 */
export const withCorrections = (provenance: readonly Provenance[], fields: readonly string[]): readonly Provenance[] =>
  [
    ...provenance.filter(
      // Earlier releases kept the operator's word among the engine's.
      ({ pointer, engine }) => engine !== "operator" && !fields.includes(pointer.split("/")[1] ?? ""),
    ),
    ...fields.map((field) => ({ pointer: `/${field}`, engine: "operator" as const, sentence: null, confidence: 1 })),
  ].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));

/**
 * Corrects fields of a case study; `null` says that nothing is known. They hold whatever a later crawl reads. What
 * another process writes meanwhile holds too: this one then reads anew.
 *
 * @throws Failure `study.not_found`, `correction.invalid` naming each value that is none of its field
 */
export async function correct(parts: Parts, id: string, values: StudyCorrections): Promise<void> {
  const { store, tools, changed } = parts;
  const { raw, over } = await rawOf(store, id);
  const corrected = parseRecord({ ...raw, ...values }, tools);
  const alone = (field: Field, value: unknown) => {
    const read = parseRecord({ ...raw, [field]: value }, tools);
    return isProblems(read) ? null : read[field];
  };
  const problems = isProblems(corrected) ? corrected : faultsOf(values, alone);
  if (isProblems(corrected) || problems.length > 0) {
    throw new Failure("correction.invalid", "Correct what is listed and send it again.", { problems });
  }
  const [saved] = await store.caseStudies.save([corrected], {
    ...{ keepVersions: true, over },
    also: (transaction) => store.corrections.keep(raw.id, values, transaction),
  });
  if (!saved) return await correct(parts, id, values);
  changed();
}

/**
 * Takes the correction of a field back: it says again what it said before, and the next crawl that finds the page
 * changed reads it anew.
 *
 * @throws Failure `study.not_found`, `correction.not_found`
 */
export async function takeBackCorrection(parts: Parts, id: string, field: string): Promise<void> {
  const { store, tools, changed } = parts;
  const { raw, over } = await rawOf(store, id);
  if (!Object.hasOwn(await store.corrections.of(raw.id), field)) {
    throw new Failure("correction.not_found", "This field was not corrected; the case study lists those that were.");
  }
  const before = await store.corrections.before(raw.id, field);
  const told = before && Object.entries(before).find(([name]) => name === field)?.[1];
  const study = parseRecord(before ? { ...raw, [field]: told } : raw, tools);
  const also: SaveOptions["also"] = (transaction) => store.corrections.takeBack(raw.id, field, transaction);
  // What this release does not understand any more stays as it is.
  const understood = isProblems(study) ? [] : [study];
  const saved = await store.caseStudies.save(understood, {
    ...{ keepVersions: true, also },
    ...(isProblems(study) ? {} : { over }),
  });
  if (saved.length < understood.length) return await takeBackCorrection(parts, id, field);
  changed();
}

type Parts = Pick<IntakeParts, "store" | "tools" | "changed">;

/** The record that a case study would be read from, and what it is of. @throws Failure `study.not_found` */
async function rawOf(store: Parts["store"], id: string) {
  const stored = await store.caseStudies.detail(id);
  if (!stored) throw new Failure("study.not_found", "No case study has this id; search or list to find one.");
  const { study, revision, origin, licence, body, industry_raw: industry } = stored;
  return { raw: { ...study, origin, licence, body, industry }, over: { id: study.id, revision } };
}

/** What a value of a field is; every other one comes to nothing. */
const ADVICE: Readonly<Record<string, string>> = {
  country: "Give a country's two letters, such as DE.",
  published_at: "Give a date as YYYY-MM-DD.",
  language: "Give a language's code, such as en or pt-BR.",
  domain: "Give a domain such as acme.com.",
  outcomes: "Give what was measured and a sentence that tells it.",
};

/** A value that was given and came to nothing was not understood; so is a part of one. */
function faultsOf(values: StudyCorrections, read: (field: Field, value: unknown) => unknown): Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = CORRECTABLE.find((known) => known === name);
    if (field === undefined) {
      return [{ pointer: `/${name}`, detail: `Only these can be corrected: ${CORRECTABLE.join(", ")}.` }];
    }
    const came = read(field, value);
    if (!Array.isArray(value)) return lostIn(`/${field}`, value, came);
    const lost = value.flatMap((one, at) => lostIn(`/${field}/${at}`, one, listed(read(field, [one]))[0]));
    if (lost.length > 0 || listed(came).length === value.length) return lost;
    return [{ pointer: `/${field}`, detail: "Give each once." }];
  });
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What of a value is not in what came of it. */
function lostIn(pointer: string, given: unknown, came: unknown): Problem[] {
  if (isNothing(given)) return [];
  if (isNothing(came)) {
    const [, field = "", ...parts] = pointer.split("/");
    const known = ADVICE[parts.at(-1) ?? field] ?? (parts.length < 2 ? ADVICE[field] : undefined);
    return [{ pointer, detail: known ?? "This is no value of the field; see the reference." }];
  }
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).flatMap(([part, value]) => lostIn(`${pointer}/${part}`, value, Object(came)[part]));
}

/** Null, or an object of nothing but null. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "object" && !Array.isArray(value) && Object.values(value).every((part) => part === null));

/** Case studies as they are to be kept: what operators corrected holds over what a file says. */
export async function applyCorrections(
  corrections: Pick<Store["corrections"], "at">,
  tools: ParseContext,
  batch: readonly NewCaseStudy[],
): Promise<readonly NewCaseStudy[]> {
  const held = await corrections.at(batch.map(({ url }) => url));
  return batch.map((study) => {
    const values = held.get(study.url);
    const corrected = values && parseRecord({ ...study, ...values }, tools);
    // A value that this release does not understand any more must not keep the rest out.
    return corrected && !isProblems(corrected) ? { ...corrected, id: study.id } : study;
  });
}
