import { normaliseName } from "../../core/text.ts";
import { urlKey } from "../keys.ts";
import { isProblems, type ParseContext, parseRecord } from "../record.ts";
import type { CaseStudyRepository, StoredStudy } from "../repository.ts";
import type { NewCaseStudy } from "../types.ts";

/** The fields that an import keeps when a file does not state them. */
const FIELDS = [
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
  "licence",
  "body",
] as const;
type Field = (typeof FIELDS)[number];
type Values = Omit<Pick<NewCaseStudy, Field>, "industry"> & { readonly industry: string | null };

/** A record to be saved, and what it does to the stored one. */
export interface MergedStudy {
  readonly study: NewCaseStudy;
  /** Fields that the file does not state and that keep their stored values. */
  readonly kept: readonly Field[];
  /** Fields whose stored value the file replaces by another. */
  readonly replaced: readonly Field[];
  /** Fields that the file lacks and that are removed, with `replace`. */
  readonly removed: readonly Field[];
}

/**
 * Completes records with the values of stored case studies of the same address: a field that the file lacks or leaves
 * empty is no statement about it.
 *
 * @param replace take the records as they are
 */
export async function mergeWithStored(
  caseStudies: Pick<CaseStudyRepository, "atUrls">,
  context: ParseContext,
  batch: readonly NewCaseStudy[],
  replace: boolean,
): Promise<readonly MergedStudy[]> {
  const stored = await caseStudies.atUrls(batch.map(({ url }) => url));
  const current = new Map([...stored].map(([key, study]) => [key, storedValues(study)]));
  return batch.map((study) => {
    const key = urlKey(study.url);
    const merged = merge(study, current.get(key), context, replace);
    // A later record of the file may be about the same address.
    current.set(key, newValues(merged.study));
    return merged;
  });
}

function merge(study: NewCaseStudy, before: Values | undefined, context: ParseContext, replace: boolean): MergedStudy {
  if (!before) return { study, kept: [], replaced: [], removed: [] };
  const given = newValues(study);
  const kept = replace
    ? {}
    : Object.fromEntries(
        FIELDS.flatMap((field) => {
          const value = field === "client" ? completeClient(given.client, before.client) : before[field];
          const isKept = field === "client" ? value !== given.client : isEmpty(given[field]) && !isEmpty(value);
          return isKept ? [[field, value] as const] : [];
        }),
      );
  const completed = Object.keys(kept).length > 0 ? parseRecord({ ...study, ...kept }, context) : study;
  // A stored value that this release cannot parse any more must not block the import.
  const merged = isProblems(completed) ? study : { ...completed, id: study.id };
  const after = newValues(merged);
  const isSame = (field: Field) => JSON.stringify(after[field]) === JSON.stringify(before[field]);
  const changed = FIELDS.filter((field) => !isEmpty(before[field]) && !isSame(field));
  return {
    study: merged,
    kept: FIELDS.filter((field) => field in kept && isSame(field)),
    replaced: changed.filter((field) => !isEmpty(after[field])),
    removed: changed.filter((field) => isEmpty(after[field])),
  };
}

/** The missing name or domain of a client, if the stored client is the same one. */
function completeClient(given: NewCaseStudy["client"], before: NewCaseStudy["client"]): NewCaseStudy["client"] {
  const isSame = (one: string | null, other: string | null) =>
    one === null || (other !== null && normaliseName(one) === normaliseName(other));
  if (!isSame(given.name, before.name) || !isSame(given.domain, before.domain)) return given;
  const { name, domain } = { name: given.name ?? before.name, domain: given.domain ?? before.domain };
  return name === given.name && domain === given.domain ? given : { name, domain };
}

const storedValues = ({ study, licence, body, industry_raw: industry }: StoredStudy): Values => ({
  ...study,
  ...{ industry, licence, body },
});

const newValues = ({ industry, ...study }: NewCaseStudy): Values => ({ ...study, industry: industry?.raw ?? null });

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && !Array.isArray(value) && Object.values(value).every((part) => part === null));
