import { countryName } from "../casestudies/fields.ts";
import type { AskModel } from "../casestudies/structure/language-model/model-client.ts";
import { type Statement, whyUnverified } from "../casestudies/structure/language-model/statements.ts";
import { AREAS, type Category, type Fingerprint, type Rule } from "../detection/fingerprints/types.ts";
import type { EnrichedDetection } from "../detection/types.ts";
import type { HistoryChange } from "../stack/fold.ts";
import { phrase } from "./brief-model.ts";
import type { BriefGroup, BriefSection, BriefSource } from "./brief-sections.ts";
import type { Proof, ProofRequest, ProofService, Prospect } from "./proof.ts";
import { type LinkedVendor, MIXED_CATEGORIES, type VendorLinks } from "./vendor-tools.ts";

/** A page about a company for a salesperson. Every statement names its sources, and a check compared both. */
export interface Brief {
  /** The company, and the vendor by its name. */
  readonly title: string;
  readonly prospect: Prospect;
  readonly vendor: string | null;
  readonly question: string | null;
  readonly sections: readonly BriefSection[];
  readonly sources: readonly BriefSource[];
  /** Who phrased the summary and the introductions of the proofs. */
  readonly phrased_by: "template" | "language-model";
  /** Why the language model was not used, or not for everything, in one sentence; null otherwise. */
  readonly fallback: string | null;
  /** Statements that said more than their sources, and are omitted. */
  readonly dropped: number;
}

export interface BriefParts {
  readonly proof: ProofService;
  readonly links: VendorLinks;
  readonly companies: {
    find(slug: string): Promise<{ readonly name: string; readonly domain: string | null } | undefined>;
  };
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly categories: readonly Category[];
  /** Null without a language model. */
  readonly ask: AskModel | null;
}

const PROOFS = 5;
const MAX_TOOLS = 80;
const MAX_CHANGES = 20;
const MAX_OUTCOMES = 2;
const MAX_REASONS = 4;
const MAX_EVIDENCE = 120;

/** Numbers sources; the same one gets the same number. */
function createSources() {
  const byKey = new Map<string, BriefSource>();
  return {
    add(source: Omit<BriefSource, "number">): number {
      const key = JSON.stringify(source);
      const known = byKey.get(key) ?? { number: byKey.size + 1, ...source };
      byKey.set(key, known);
      return known.number;
    },
    list: (): readonly BriefSource[] => [...byKey.values()],
  };
}
type Sources = ReturnType<typeof createSources>;

const dayOf = (instant: string) => instant.slice(0, 10);
const statement = (text: string, source: number, quote: string | null = null): Statement => ({
  text,
  quote,
  sources: [source],
});
const group = (title: string, statements: readonly Statement[], url: string | null = null): BriefGroup => ({
  title,
  url,
  statements,
});

export async function writeBrief(parts: BriefParts, domain: string, request: ProofRequest): Promise<Brief> {
  const found = await parts.proof.find(domain, { ...request, limit: request.limit ?? PROOFS });
  const { prospect, proofs, vendor, question, tools: inUse, changes } = found;
  const sources = createSources();
  const tools = inUse.slice(0, MAX_TOOLS);
  const seller = vendor === null ? undefined : await parts.companies.find(vendor);
  const sourceOf = new Map(inUse.map((each) => [each.tool, toolSource(each, parts.tools, sources)]));
  const cite = ({ tool }: EnrichedDetection): number[] => [sourceOf.get(tool) ?? []].flat();
  const rivals = vendor === null ? [] : await rivalsOf(parts, { slug: vendor, domain: seller?.domain ?? null }, tools);
  const day = dayOf(prospect.scanned_at);
  const sections: BriefSection[] = [
    { id: "summary", title: "Summary", groups: [group("", summaryOf(found, sources))] },
    {
      id: "proofs",
      title: "Case studies to send",
      groups: proofs.map((proof) => proofGroup(proof, sources, sourceOf)),
    },
    {
      id: "rivals",
      title: "Rival products in use",
      groups: [
        group(
          "",
          rivals.map((each) => ({
            text: `${each.tool} (${each.category}), ${MEANS[each.means]}${datesOf(each, day)}.`,
            quote: null,
            sources: cite(each),
          })),
        ),
      ],
    },
    { id: "changes", title: "What changed", groups: [group("", changesOf(changes, sources))] },
    { id: "stack", title: "Tools in use", groups: [group("", stackOf(tools, parts.categories, day, cite))] },
  ];
  const phrased = parts.ask === null ? null : await phrase(parts.ask, sections, sources.list(), request.signal);
  const bySource = new Map(sources.list().map((source) => [source.number, source]));
  let dropped = phrased?.dropped ?? 0;
  const checked = (phrased?.sections ?? sections).map((section) => ({
    ...section,
    groups: section.groups.flatMap((each) => {
      const statements = each.statements.filter((one) => whyUnverified(one, bySource) === null);
      dropped += each.statements.length - statements.length;
      return statements.length > 0 ? { ...each, statements } : [];
    }),
  }));
  const cited = new Set(
    checked.flatMap(({ groups }) => groups.flatMap(({ statements }) => statements.flatMap((one) => one.sources))),
  );
  return {
    title: `${prospect.domain}${vendor === null ? "" : ` for ${seller?.name ?? vendor}`}`,
    prospect,
    vendor,
    question,
    sections: checked.filter(({ groups }) => groups.length > 0),
    sources: sources.list().filter(({ number }) => cited.has(number)),
    phrased_by: phrased?.isUsed ? "language-model" : "template",
    fallback: phrased?.fallback ?? null,
    dropped,
  };
}

function summaryOf(
  { prospect, proofs, case_studies }: { prospect: Prospect; proofs: readonly Proof[]; case_studies: number },
  sources: Sources,
): Statement[] {
  const { domain, tools_detected, scanned_at, industry, industry_from } = prospect;
  const scan = `${domain}: ${tools_detected} tools detected, scanned on ${dayOf(scanned_at)}.`;
  const from = {
    request: "request",
    case_study: "case_study",
    vendor: "case_study",
    top_level_domain: "scan",
  } as const;
  const count = `${proofs.length} of ${case_studies} case studies were chosen for ${domain}.`;
  return [
    statement(scan, sources.add({ kind: "scan", text: scan, ...NOWHERE })),
    ...(industry === null || industry_from === null
      ? []
      : [
          statement(
            `Industry: ${industry}.`,
            sources.add({ kind: from[industry_from], text: `Industry of ${domain}: ${industry}.`, ...NOWHERE }),
          ),
        ]),
    statement(count, sources.add({ kind: "case_study", text: count, ...NOWHERE })),
  ];
}

const NOWHERE = { url: null, location: null, case_study_id: null };

const toolText = ({ tool, category, means, first_seen, last_seen }: EnrichedDetection) =>
  `${tool} (${category}), ${MEANS[means]}, first seen ${dayOf(first_seen)}, last seen ${dayOf(last_seen)}.`;

function toolSource(detection: EnrichedDetection, tools: BriefParts["tools"], sources: Sources): number {
  const [best] = detection.evidence;
  const value = best && evidenceText(best, tools.get(detection.id));
  return sources.add({
    kind: "scan",
    text: `${toolText(detection)}${best ? ` ${best.signal}${value ? `: ${value}` : ""}` : ""}`,
    url: null,
    location: best?.location ?? null,
    case_study_id: null,
  });
}

/** Signals whose values are pieces of code. */
const CODE: ReadonlySet<string> = new Set(["html.inline", "js.bundle"]);

/** The part of the value that the rule matched if it is code, at most 120 characters. */
function evidenceText({ signal, value, rule }: EnrichedDetection["evidence"][number], tool: Fingerprint | undefined) {
  const text = CODE.has(signal)
    ? matchedPart(
        value,
        tool?.rules.find(({ id }) => rule === `${tool.id}/${id}`),
      )
    : value;
  return text.length > MAX_EVIDENCE ? `${text.slice(0, MAX_EVIDENCE - 1)}…` : text;
}

/** Empty where the rule matched more than the value still shows. */
function matchedPart(value: string, rule: Rule | undefined): string {
  if (!rule) return "";
  const { contains, prefix, global, word, host, regex } = rule.match;
  const literal = [contains, prefix, global, word, host]
    .flatMap((each) => each ?? [])
    .find((each) => value.toLowerCase().includes(each.toLowerCase()));
  if (literal !== undefined) return literal;
  // The expressions of custom files are untrusted.
  return regex === undefined || rule.custom ? "" : (new RegExp(regex, "i").exec(value)?.[0] ?? "");
}

/** When the tool was seen, unless that was on the day of the scan alone. */
function datesOf({ first_seen, last_seen }: EnrichedDetection, day: string): string {
  const [first, last] = [dayOf(first_seen), dayOf(last_seen)];
  if (last !== day) return first === last ? `, seen ${first}` : `, seen ${first} to ${last}`;
  return first === day ? "" : `, since ${first}`;
}

const MEANS: Readonly<Record<EnrichedDetection["means"], string>> = {
  runs: "in use",
  "sends-as": "sends its email",
  "verified-once": "its domain was verified once",
  declares: "declared by the company",
  mentions: "mentioned by the company",
};

/** One line for each area. */
function stackOf(
  tools: readonly EnrichedDetection[],
  categories: readonly Category[],
  day: string,
  cite: (tool: EnrichedDetection) => number[],
): Statement[] {
  const areaOf = new Map<string, string>(categories.map(({ label, area }) => [label, area]));
  const nameOf = (each: EnrichedDetection) => {
    const dates = datesOf(each, day).slice(2);
    return dates === "" ? each.tool : `${each.tool} (${dates})`;
  };
  return [...AREAS, "other"].flatMap((area) => {
    const members = tools.filter(({ category }) => (areaOf.get(category) ?? "other") === area);
    if (members.length === 0) return [];
    const used = members.filter(({ means }) => means !== "verified-once").map(nameOf);
    const once = members.filter(({ means }) => means === "verified-once").map(nameOf);
    const parts = [
      ...(used.length > 0 ? [used.join(", ")] : []),
      ...(once.length > 0 ? [`domain verified once for ${once.join(", ")}`] : []),
    ];
    const text = `${area.slice(0, 1).toUpperCase()}${area.slice(1)}: ${parts.join("; ")}.`;
    return { text, quote: null, sources: members.flatMap(cite) };
  });
}

const changesOf = (changes: readonly HistoryChange[], sources: Sources): Statement[] =>
  changes
    .slice(-MAX_CHANGES)
    .toReversed()
    .map(({ change, tool, category, previous_at, at, evidence }) => {
      const text = `${tool} (${category}) ${change} between ${dayOf(previous_at)} and ${dayOf(at)}.`;
      return statement(text, sources.add({ kind: "history", text: `${text} ${evidence}`, ...NOWHERE }));
    });

async function rivalsOf(
  { links, tools }: BriefParts,
  vendor: LinkedVendor,
  detections: readonly EnrichedDetection[],
): Promise<EnrichedDetection[]> {
  const { tools: own } = await links.of(vendor);
  const categories = new Set(
    own.flatMap((id) => tools.get(id)?.category ?? []).filter((id) => !MIXED_CATEGORIES.has(id)),
  );
  return detections.filter(({ id, means }) => {
    const category = tools.get(id)?.category;
    return !own.includes(id) && category !== undefined && categories.has(category) && means !== "mentions";
  });
}

/** @param toolSources numbers of the sources that show the company's tools, by name */
function proofGroup(
  { case_study: study, reasons }: Proof,
  sources: Sources,
  toolSources: ReadonlyMap<string, number>,
): BriefGroup {
  const { id, url, title, company, client, industry, country, published_at, outcomes, quote } = study;
  const of = { kind: "case_study", url, case_study_id: id } as const;
  const whom = client.name ?? client.domain;
  const facts = [
    `${company.name}${whom === null ? "" : ` for ${whom}`}`,
    industry,
    country === null ? null : countryName(country),
    published_at === null ? null : `published ${published_at}`,
  ]
    .filter((fact) => fact !== null)
    .join(", ");
  const record = sources.add({
    ...of,
    text: `${title}. ${facts}.${study.tools.length > 0 ? ` Tools: ${study.tools.join(", ")}.` : ""}`,
    location: null,
  });
  const cite = (text: string, field: string) => sources.add({ ...of, text, location: field });
  return group(
    title,
    [
      statement(`${facts}.`, record),
      ...reasons.slice(0, MAX_REASONS).map(({ text, sentence, field, value }) => {
        const seen = toolSources.get(value);
        const shared = seen === undefined ? [] : [seen];
        return { text, quote: sentence, sources: [sentence === null ? record : cite(sentence, field), ...shared] };
      }),
      ...outcomes
        .slice(0, MAX_OUTCOMES)
        .map(({ text }, at) => statement("Outcome:", cite(text, `/outcomes/${at}/text`), text)),
      ...(quote?.text == null
        ? []
        : [
            {
              text: [quote.person, quote.role].filter((part) => part !== null).join(", ") || "The client says:",
              quote: quote.text,
              sources: [
                cite(quote.text, "/quote/text"),
                ...(quote.person === null && quote.role === null
                  ? []
                  : [cite([quote.person, quote.role].filter((part) => part !== null).join(", "), "/quote")]),
              ],
            },
          ]),
    ],
    url,
  );
}
