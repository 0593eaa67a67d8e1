import type { Claim, ClaimEvidence, ClaimReader } from "../casestudies/claims.ts";
import type { Company } from "../casestudies/types.ts";
import { isFullCheck } from "../detection/compare.ts";
import { toArray } from "../detection/fingerprints/conditions.ts";
import type { Fingerprint, Rule } from "../detection/fingerprints/types.ts";
import { levelOf } from "../detection/levels.ts";
import type { Scanner } from "../detection/scanners/scanner.ts";
import { SIGNAL_GROUPS, type SignalGroup, type SignalKind } from "../detection/signals.ts";
import type { Detection, EnrichedDetection, Enrichment, Evidence, SourceOutcome } from "../detection/types.ts";
import { setUpEvidence } from "./claim-evidence.ts";
import { MIXED_CATEGORIES, type StudyTools, toolsInStudy, type VendorLinks } from "./vendor-tools.ts";

export interface ClaimParts {
  readonly links: VendorLinks;
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly scanners: readonly Pick<Scanner, "id" | "emits">[];
  readonly companies: { find(slug: string): Promise<Company | undefined> };
  /** The newest stored result; undefined without one. */
  readonly stored: (domain: string) => Promise<Enrichment | undefined>;
  /** Data sources that saw a tool in an earlier report, of those that are kept. */
  readonly seenBy: (domain: string, toolId: string) => Promise<readonly string[]>;
}

/** Checks the claims of case studies against the newest stored report on each client. */
export function createClaims(parts: ClaimParts): ClaimReader {
  return {
    async of(studies) {
      const once = <T>(read: (key: string) => Promise<T>) => {
        const known = new Map<string, Promise<T>>();
        return (key: string) => {
          const value = known.get(key) ?? read(key);
          known.set(key, value);
          return value;
        };
      };
      const reportOf = once(parts.stored);
      const linkedTo = once(async (slug) => {
        const domain = (await parts.companies.find(slug))?.domain ?? null;
        const { tools } = await parts.links.of({ slug, domain });
        return tools.flatMap((id) => parts.tools.get(id) ?? []);
      });
      const claims = new Map<string, Claim>();
      for (const { id, company, client, products } of studies) {
        if (client.domain === null) continue;
        const about = toolsInStudy(company.slug, await linkedTo(company.slug), products);
        claims.set(id, await claimOf(parts, about, await reportOf(client.domain)));
      }
      return claims;
    },
  };
}

async function claimOf(
  { scanners, seenBy, tools }: ClaimParts,
  study: StudyTools | undefined,
  report: Enrichment | undefined,
): Promise<Claim> {
  const checked_at = report?.scanned_at ?? null;
  const unseen = { since: null, evidence: null, checked_at };
  if (study === undefined) return { ...unseen, status: "not_checked" };
  const { tools: about, spansProducts } = study;
  const ids = new Set(about.map(({ id }) => id));
  const seen = report?.detections.filter(({ id, means }) => ids.has(id) && isUse(means)) ?? [];
  for (const detection of report ? seen : []) {
    const proof = report && corroboration(detection, report);
    if (proof) return { status: "corroborated", ...sightingOf(detection, proof, spansProducts), checked_at };
  }
  // Signs that do not prove it are no absence either.
  if (seen.length > 0) return { ...unseen, status: "not_checked" };
  const visible = about.filter(({ rules }) => rules.some(provesUse));
  if (visible.length === 0) return { ...unseen, status: "cannot_be_seen" };
  if (!report) return { ...unseen, status: "not_checked" };
  for (const tool of visible) {
    const before = await seenBy(report.domain, tool.id);
    if (!wasLookedFor(tool, before, report.sources, scanners)) return { ...unseen, status: "not_checked" };
  }
  const categories = new Set(visible.map(({ category }) => category).filter((id) => !MIXED_CATEGORIES.has(id)));
  for (const rival of report.detections) {
    const category = tools.get(rival.id)?.category;
    const proof = category !== undefined && categories.has(category) ? corroboration(rival, report) : undefined;
    if (proof) return { status: "replaced", ...sightingOf(rival, proof), checked_at };
  }
  return { ...unseen, status: "not_seen" };
}

/** A text that names a tool, or a consent platform that lists it, does not show that it is used. */
export const isUse = (means: Rule["means"]) => means !== "mentions" && means !== "declares";

/**
 * The evidence that corroborates a claim: the tool is confirmed, and the company itself set it up. Of what is only likely, one
 * in six was wrong (`npm run eval -- proof`).
 */
export const corroboration = (
  detection: Detection,
  report: { readonly domain: string; readonly detections: readonly Detection[] },
): Evidence | undefined =>
  isUse(detection.means) && levelOf(detection.confidence) === "confirmed"
    ? setUpEvidence(detection, report)
    : undefined;
const provesUse = ({ strength, means }: Rule) => strength !== "weak" && isUse(means);

function sightingOf(
  { tool, category, means, first_seen }: EnrichedDetection,
  { signal, value, location }: Evidence,
  spansProducts = false,
): Pick<Claim, "since" | "evidence"> {
  const evidence: ClaimEvidence = { tool, category, means, signal, value, location, spans_products: spansProducts };
  return { since: first_seen, evidence };
}

/**
 * Whether a report would contain the tool if it could be seen: each data source that saw it before was fully checked,
 * and so was, for each rule that proves use, at least one data source, while none that was asked failed or was checked
 * in part. A source that was skipped, such as a browser that is not configured, does not count.
 */
function wasLookedFor(
  { rules }: Fingerprint,
  seenBefore: readonly string[],
  outcomes: readonly SourceOutcome[],
  scanners: ClaimParts["scanners"],
): boolean {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.source, outcome]));
  const isChecked = (source: string) => {
    const outcome = outcomeOf.get(source);
    return outcome !== undefined && isFullCheck(outcome);
  };
  if (!seenBefore.every(isChecked)) return false;
  return rules.filter(provesUse).every((rule) => {
    const kinds = kindsOf(rule);
    const able = scanners.filter(({ emits }) => emits.some((kind) => kinds.has(kind)));
    const asked = able.filter(({ id }) => outcomeOf.has(id) && outcomeOf.get(id)?.status !== "skipped");
    return asked.length > 0 && asked.every(({ id }) => isChecked(id));
  });
}

const kindsOf = ({ see }: Rule): ReadonlySet<SignalKind> =>
  new Set(toArray(see).flatMap((one): readonly SignalKind[] => (isGroup(one) ? SIGNAL_GROUPS[one] : [one])));

const isGroup = (see: SignalKind | SignalGroup): see is SignalGroup => Object.hasOwn(SIGNAL_GROUPS, see);
