import type { Claim, ClaimReader } from "../casestudies/claims.ts";
import type { CompanyRepository } from "../casestudies/companies/repository.ts";
import { countryName } from "../casestudies/fields.ts";
import { createFilters } from "../casestudies/filters.ts";
import type { ParseContext } from "../casestudies/record.ts";
import type { CaseStudyRepository, ListedStudy } from "../casestudies/repository.ts";
import type { CaseStudyService } from "../casestudies/service.ts";
import { loadBuiltInProductNames } from "../casestudies/taxonomy/packed.ts";
import type { CaseStudy } from "../casestudies/types.ts";
import { siteOf, topLevelOf } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import type { Fingerprint } from "../detection/fingerprints/types.ts";
import type { DetectionService } from "../detection/service.ts";
import type { EnrichedDetection, Enrichment } from "../detection/types.ts";
import type { HistoryChange } from "../stack/fold.ts";
import type { StackService } from "../stack/service.ts";
import { isUse } from "./claims.ts";
import {
  areRelated,
  POINTS,
  type ReasonKind,
  rarityOf,
  type Substance,
  scoreOf,
  VERIFIED_ONCE,
} from "./proof-formula.ts";
import { leavingOf, nameIn, type StudySentence, sentencesOf } from "./study-text.ts";
import { createToolNames } from "./tool-names.ts";
import type { VendorLinks } from "./vendor-tools.ts";

export interface ProofRequest {
  /** Slug of the vendor that sells; by default all vendors. */
  readonly vendor?: string | undefined;
  /** What the company wants, in a sentence. */
  readonly question?: string | undefined;
  /** 1–50, by default 10. */
  readonly limit?: number | undefined;
  /** Name, slug or synonym; by default that of its case studies. */
  readonly industry?: string | undefined;
  /** Code or English name; by default that of its case studies, else of its top-level domain. */
  readonly country?: string | undefined;
  /** Maximum age in seconds of the stored result; by default any is accepted. */
  readonly maxAgeSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: string | undefined;
}

/** A fact that the company and a case study share. */
export interface Reason {
  readonly kind: ReasonKind;
  /** One sentence. */
  readonly text: string;
  /** The tool, industry, country, metric or question that they share. */
  readonly value: string;
  /** The sentence of the case study that supports it, as it is stored; null where only a field states it. */
  readonly sentence: string | null;
  /** JSON pointer of the field that supports it; `/body` is the text of its page. */
  readonly field: string;
  readonly points: number;
}

export interface Proof {
  readonly case_study: CaseStudy & { readonly claim?: Claim };
  /** 0–1, best first. */
  readonly score: number;
  /** Most points first. */
  readonly reasons: readonly Reason[];
}

/** Why case studies are not among the proofs. */
export const EXCLUSIONS = [
  "own_case_study",
  "own_product",
  "other_vendor",
  "nothing_in_common",
  "ranked_lower",
  "not_read",
] as const;
export type ExclusionReason = (typeof EXCLUSIONS)[number];

export interface Exclusion {
  readonly reason: ExclusionReason;
  /** One sentence. */
  readonly detail: string;
  readonly case_studies: number;
}

/** Where a fact about the company comes from. */
export const FACT_SOURCES = ["request", "case_study", "vendor", "top_level_domain"] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

export interface Prospect {
  readonly domain: string;
  readonly industry: string | null;
  readonly industry_from: FactSource | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly country_from: FactSource | null;
  readonly tools_detected: number;
  readonly scanned_at: string;
  readonly stale_reason?: string;
}

export interface Proofs {
  readonly prospect: Prospect;
  readonly vendor: string | null;
  readonly question: string | null;
  readonly proofs: readonly Proof[];
  /** Case studies of the vendor, or of all vendors. */
  readonly case_studies: number;
  readonly excluded: readonly Exclusion[];
}

/** For callers who may not see which clients of the case studies were scanned. */
export const proofsWithoutClaims = <Found extends Pick<Proofs, "proofs">>({ proofs, ...rest }: Found) => ({
  ...rest,
  proofs: proofs.map(({ case_study: { claim: _, ...record }, ...proof }) => ({ case_study: record, ...proof })),
});

export interface ProofParts {
  readonly detection: Pick<DetectionService, "enrich">;
  readonly stack: Pick<StackService, "history">;
  readonly caseStudies: Pick<
    CaseStudyRepository,
    "listed" | "bodies" | "byIds" | "clientIndustries" | "count" | "list" | "industries" | "naming"
  >;
  readonly companies: Pick<CompanyRepository, "find" | "search">;
  readonly search: Pick<CaseStudyService, "search">["search"];
  readonly claims: ClaimReader;
  readonly parseContext: ParseContext;
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly links: VendorLinks;
}

const LIMIT = 10;
/** Case studies whose fields are compared: the newest. */
const MAX_LISTED = 20_000;
/** Case studies whose text is read: those with the best fields. */
const MAX_READ = 600;
/** Case studies whose sentences are read, for each one that is returned. */
const READ_AHEAD = 3;
const FOUND_BY_QUESTION = 50;
/** Clients are companies: a client with more industries than this is a mistake of the data. */
const MAX_INDUSTRIES = 5;
const NAME_VENDORS = 10;

/** A company with what is compared. */
interface Company {
  readonly prospect: Prospect;
  readonly industries: readonly string[];
  readonly tools: ReadonlyMap<string, EnrichedDetection>;
  readonly changes: readonly HistoryChange[];
}

/** A name in a list of a record. */
interface Named {
  readonly name: string;
  readonly field: string;
}

type NamingStudy = Pick<ListedStudy, "tools" | "products" | "client" | "company">;

/** A case study on the way to being a proof. */
interface Candidate {
  readonly listed: ListedStudy;
  readonly reasons: readonly Reason[];
  readonly score: number;
}

/** What is known about a company. */
export interface DescribedCompany {
  readonly prospect: Prospect;
  /** Slugs of the taxonomy. */
  readonly industries: readonly string[];
  /** Without those that are gone, although an old recording shows them. */
  readonly tools: readonly EnrichedDetection[];
  /** Oldest first. */
  readonly changes: readonly HistoryChange[];
}

export interface ProofService {
  /** @throws Failure as `find` */
  describe(domain: string, request?: ProofRequest): Promise<DescribedCompany>;
  /**
   * The case studies that would convince a company, best first, each with the facts that it shares with the company.
   *
   * @throws Failure as `DetectionService.enrich`; `company.not_found`, `industry.not_found`, `query.invalid`
   */
  find(domain: string, request?: ProofRequest): Promise<Proofs & DescribedCompany>;
}

export function createProofService(parts: ProofParts): ProofService {
  const { caseStudies, companies, tools, parseContext } = parts;
  const { industries, outcomeMetrics, parseCountry } = parseContext;
  const { resolve } = createFilters({ companies, caseStudies, industries, parseCountry });
  const names = createToolNames(tools, loadBuiltInProductNames());
  /** Tools in the lists of a record, by id, other than the client's and the vendor's own. */
  const namedIn = ({ tools: named, products, client, company }: NamingStudy): Map<string, Named> =>
    new Map(
      [
        ...products.map((name) => ({ name, field: "/products" })),
        ...named.map((name) => ({ name, field: "/tools" })),
      ].flatMap(({ name, field }) => {
        const id = names.idOf(name);
        return id === undefined ||
          names.isParty(id, client) ||
          names.isParty(id, { name: company.slug.replaceAll("-", " ") })
          ? []
          : [[id, { name, field }] as const];
      }),
    );

  const historyOf = async (domain: string) => {
    try {
      return await parts.stack.history(domain);
    } catch (error) {
      // A result that could not be stored has no history.
      if (error instanceof Failure && error.code === "history.not_found") return undefined;
      throw error;
    }
  };

  const companyOf = async (enrichment: Enrichment, request: ProofRequest): Promise<Company> => {
    const { domain } = enrichment;
    const given = await resolve({ industry: request.industry, country: request.country });
    const [asClient, asVendor] = await Promise.all([
      caseStudies.clientIndustries({ domain, limit: MAX_INDUSTRIES }),
      vendorAt(companies, domain),
    ]);
    const vendorIndustry = asVendor?.industry ? industries.resolve(asVendor.industry).slug : null;
    const [slugs, industry_from]: readonly [readonly string[], FactSource | null] =
      given.industries !== undefined
        ? [given.industries.flatMap(({ slug }) => slug ?? []), "request"]
        : asClient.length > 0
          ? [[...new Set(asClient.map(({ industry_slug }) => industry_slug))], "case_study"]
          : vendorIndustry !== null
            ? [[vendorIndustry], "vendor"]
            : [[], null];
    const ofClient = asClient.find(({ country }) => country !== null)?.country ?? null;
    const ofDomain = countryOfTop(topLevelOf(domain), parseCountry);
    const [country, country_from]: readonly [string | null, FactSource | null] =
      given.country !== undefined
        ? [given.country, "request"]
        : ofClient !== null
          ? [ofClient, "case_study"]
          : ofDomain !== null
            ? [ofDomain, "top_level_domain"]
            : [null, null];
    const [slug] = slugs;
    const history = await historyOf(domain);
    const gone = new Set((history?.tools ?? []).flatMap(({ tool_id, state }) => (state === "gone" ? tool_id : [])));
    const inUse = enrichment.detections.filter((each) => isUse(each.means) && !gone.has(each.id));
    return {
      industries: slugs,
      tools: new Map(inUse.map((each) => [each.id, each])),
      changes: history?.changes ?? [],
      prospect: {
        domain,
        industry: slug === undefined ? (request.industry ?? null) : (industries.nameBySlug.get(slug) ?? slug),
        industry_from: slug === undefined && request.industry === undefined ? null : industry_from,
        country,
        country_from,
        tools_detected: inUse.length,
        scanned_at: enrichment.scanned_at,
        ...(enrichment.stale_reason === undefined ? {} : { stale_reason: enrichment.stale_reason }),
      },
    };
  };

  /** Metrics that a question names: "cut our cloud costs" wants `cost`. */
  const wantedMetrics = (question: string | undefined): ReadonlySet<string> =>
    new Set(question === undefined ? [] : outcomeMetrics.findCues(question).cues.map(({ slug }) => slug));

  const answersTo = async ({ question, vendor, signal }: ProofRequest) => {
    if (question === undefined) return new Map<string, Reason>();
    const [found] = await parts.search(
      [{ query: question, limit: FOUND_BY_QUESTION, filter: vendor === undefined ? {} : { company: vendor } }],
      signal,
    );
    return new Map(
      (found?.hits ?? []).flatMap(({ study, relevance, score, passage }) => {
        if (relevance?.level === "weak") return [];
        const reason: Reason = {
          kind: "answers_question",
          text: "It answers the question.",
          value: found?.query ?? question,
          sentence: passage.text,
          field: "/body",
          points: rounded(POINTS.answers_question * (relevance?.probability ?? score)),
        };
        return [[study.id, reason] as const];
      }),
    );
  };

  const enrich = (domain: string, { maxAgeSeconds = Number.POSITIVE_INFINITY, signal, caller }: ProofRequest) =>
    parts.detection.enrich(domain, { maxAgeSeconds, signal, caller });

  return {
    async describe(domain, request = {}) {
      const enrichment = await enrich(domain, request);
      return described(await companyOf(enrichment, request));
    },

    async find(domain, request = {}) {
      const { vendor, question, limit = LIMIT } = request;
      const filter = await resolve({ company: vendor?.toLowerCase() });
      const enrichment = await enrich(domain, request);
      const company = await companyOf(enrichment, request);
      const [all, total, listed, answers] = await Promise.all([
        caseStudies.count(),
        caseStudies.count(filter),
        caseStudies.listed(filter, MAX_LISTED),
        answersTo(request),
      ]);
      const counts = new Map<ExclusionReason, number>([
        ["other_vendor", all - total],
        ["not_read", total - listed.length],
      ]);
      const exclude = (reason: ExclusionReason, more = 1) => counts.set(reason, (counts.get(reason) ?? 0) + more);

      const ownVendor = await vendorAt(companies, company.prospect.domain);
      const others = listed.filter(({ client, company: { slug } }) => {
        const isOwnProduct = slug === ownVendor?.slug && vendor === undefined;
        const isOwn = client.domain !== null && siteOf(client.domain) === company.prospect.domain;
        if (isOwn) exclude("own_case_study");
        else if (isOwnProduct) exclude("own_product");
        return !isOwn && !isOwnProduct;
      });
      const naming = countNaming(others, namedIn);
      const compare = createComparison({ company, industries, answers, namedIn, naming, all: others.length });
      const ranked = others.map((each): Candidate => scored(each, compare.fields(each))).sort(bestFirst);
      const read = ranked.slice(0, MAX_READ);
      const unread = ranked.slice(MAX_READ);
      exclude("not_read", unread.filter(({ reasons }) => reasons.length > 0).length);
      exclude("nothing_in_common", unread.filter(({ reasons }) => reasons.length === 0).length);

      const sellers = new Set(
        (
          await Promise.all(
            [
              ...new Set(
                read.map(
                  ({
                    listed: {
                      company: { slug },
                    },
                  }) => slug,
                ),
              ),
            ].map(async (slug) => {
              const { tools: ids } = await parts.links.of({
                slug,
                domain: (await companies.find(slug))?.domain ?? null,
              });
              return ids.map((id) => `${slug} ${id}`);
            }),
          )
        ).flat(),
      );
      const bodies = await caseStudies.bodies(read.map(({ listed: { id } }) => id));
      const studies = new Map(
        (await caseStudies.byIds(read.map(({ listed: { id } }) => id))).map((each) => [each.id, each]),
      );
      const wanted = wantedMetrics(question);
      const used = [...company.tools.keys()].map((id) => ({ id, clear: names.clearOf(id), all: names.of(id) }));

      /** With the reasons that only the text states; `sentences` confirms each of them. */
      const complete = (
        { listed: one }: Candidate,
        study: CaseStudy,
        sentences: readonly StudySentence[] | undefined,
      ) => {
        const body = bodies.get(study.id) ?? null;
        const raw = sentences ? "" : rawText(study, body);
        const parties = [study.client, study.company];
        const inText = (name: string, id: string, pattern: RegExp) =>
          sentences
            ? sentences.find(({ text }) => pattern.test(text) && names.isIn(text, name, id, parties))
            : raw.includes(name) && pattern.test(raw)
              ? UNREAD
              : undefined;
        const find = (id: string, from: readonly string[], patternOf: (name: string) => RegExp) =>
          first(from, (name) => {
            const sentence = inText(name, id, patternOf(name));
            return sentence && { ...sentence, name };
          });
        const named = namedIn(one);
        const reasons: Reason[] = [];
        for (const { id, clear, all: every } of used) {
          const detection = company.tools.get(id);
          if (!detection || sellers.has(`${study.company.slug} ${id}`)) continue;
          if (parties.some((party) => names.isParty(id, party))) continue;
          const listing = named.get(id);
          const from = listing ? every : clear;
          const factor = detection.means === "verified-once" ? VERIFIED_ONCE : 1;
          const left = find(id, from, leavingOf);
          if (left) {
            reasons.push({
              kind: "migrated_from",
              text: `The client left ${left.name}${useOf(left.name, detection)}.`,
              value: detection.tool,
              sentence: left.text,
              field: left.field,
              points: rounded(POINTS.migrated_from * factor),
            });
            continue;
          }
          const found = find(id, from, nameIn);
          if (!found && !listing) continue;
          reasons.push({
            kind: "same_tool",
            text: found ? `It names ${found.name}${useOf(found.name, detection)}.` : listedText(listing, detection),
            value: detection.tool,
            sentence: found?.text ?? null,
            field: found?.field ?? listing?.field ?? "/tools",
            points: rounded(POINTS.same_tool * factor * rarityOf(naming.get(id) ?? 1, others.length)),
          });
        }
        for (const reason of compare.fields(one)) {
          if (reason.kind === "same_tool") continue;
          reasons.push(sentences ? supported(reason, sentences, study, industries) : reason);
        }
        const outcome = study.outcomes.findIndex(({ metric }) => wanted.has(metric));
        const wantedOutcome = study.outcomes[outcome];
        if (wantedOutcome)
          reasons.push({
            kind: "same_outcome",
            text: `Its outcome is of the kind that the question asks for: ${outcomeMetrics.nameBySlug.get(wantedOutcome.metric) ?? wantedOutcome.metric}.`,
            value: wantedOutcome.metric,
            sentence: wantedOutcome.sentence ?? wantedOutcome.text,
            field: wantedOutcome.sentence === null ? `/outcomes/${outcome}/text` : `/outcomes/${outcome}/sentence`,
            points: POINTS.same_outcome,
          });
        return scored(
          one,
          reasons.sort((a, b) => b.points - a.points || order(a.value, b.value)),
          {
            isNamed: study.client.name !== null,
            hasOutcome: study.outcomes.length > 0,
            hasQuote: study.quote?.text !== null && study.quote !== null,
          },
        );
      };
      const withText = read
        .flatMap((each) => {
          const study = studies.get(each.listed.id);
          return study ? complete(each, study, undefined) : [];
        })
        .sort(bestFirst);
      const isConvincing = ({ reasons }: Candidate) =>
        reasons.some(({ kind }) => kind !== "same_country" || request.country !== undefined);
      const convincing = withText.filter(isConvincing);
      exclude("nothing_in_common", withText.length - convincing.length);
      const confirmed = convincing
        .slice(0, limit * READ_AHEAD)
        .flatMap((each) => {
          const study = studies.get(each.listed.id);
          return study ? complete(each, study, sentencesOf(study, bodies.get(study.id) ?? null)) : [];
        })
        .filter(isConvincing)
        .sort(bestFirst);
      const best = confirmed.slice(0, limit);
      exclude("ranked_lower", convincing.length - best.length);
      const chosen = best.flatMap(({ listed: { id } }) => studies.get(id) ?? []);
      const claims = await parts.claims.of(chosen);
      return {
        ...described(company),
        vendor: filter.company ?? null,
        question: question ?? null,
        proofs: best.flatMap(({ listed: { id }, score, reasons }) => {
          const study = studies.get(id);
          const claim = claims.get(id);
          return study ? { case_study: claim ? { ...study, claim } : study, score, reasons } : [];
        }),
        case_studies: total,
        excluded: EXCLUSIONS.flatMap((reason) => {
          const many = counts.get(reason) ?? 0;
          return many > 0 ? { reason, detail: EXCLUSION_TEXTS[reason], case_studies: many } : [];
        }),
      };
    },
  };
}

const EXCLUSION_TEXTS: Readonly<Record<ExclusionReason, string>> = {
  own_case_study: "The company itself is the client.",
  own_product: "The company itself is the vendor.",
  other_vendor: "Published by another vendor.",
  nothing_in_common:
    "No shared tool or industry, and no answer to the question; a country alone counts only on request.",
  ranked_lower: "Less in common with the company than the proofs that are returned.",
  not_read: `Text not read: only the newest ${MAX_LISTED.toLocaleString("en")} are compared, and the texts of the ${MAX_READ} with the best fields are read.`,
};

/** What the company has to do with a tool that a text or a record names; it continues the sentence. */
const useOf = (name: string, { tool, means }: Pick<EnrichedDetection, "tool" | "means">): string => {
  const isOnce = means === "verified-once";
  if (name === tool) return isOnce ? ", for which the company verified its domain once" : ", which the company uses";
  return isOnce ? `; the company verified its domain once for ${tool}` : `; the company uses ${tool}`;
};

const listedText = (listing: Named | undefined, detection: EnrichedDetection): string => {
  const name = listing?.name ?? detection.tool;
  return `${listing?.field === "/products" ? "The record's list of products" : "The record's list of tools"} has ${name}${useOf(name, detection)}.`;
};

/** The sentence of a match in a text that was not split yet. */
const UNREAD: StudySentence = { field: "/body", text: "" };

const described = ({ prospect, industries, tools, changes }: Company): DescribedCompany => ({
  ...{ prospect, industries, changes },
  tools: [...tools.values()],
});

const rounded = (points: number) => Math.round(points * 10) / 10;
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const bestFirst = (a: Candidate, b: Candidate) => b.score - a.score || order(a.listed.id, b.listed.id);

function first<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

const scored = (
  listed: ListedStudy,
  reasons: readonly Reason[],
  substance: Substance = { isNamed: listed.client.name !== null, hasOutcome: false, hasQuote: false },
): Candidate => ({ listed, reasons, score: scoreOf(reasons, substance) });

const rawText = ({ title, summary, challenge, solution, outcomes, quote }: CaseStudy, body: string | null): string =>
  [title, summary, challenge, solution, ...outcomes.map(({ text }) => text), quote?.text, body].join("\n");

/** Case studies that name each tool. */
function countNaming(studies: readonly ListedStudy[], namedIn: (study: ListedStudy) => ReadonlyMap<string, Named>) {
  const naming = new Map<string, number>();
  for (const study of studies) for (const id of namedIn(study).keys()) naming.set(id, (naming.get(id) ?? 0) + 1);
  return naming;
}

/** The vendor whose site is at this domain. */
async function vendorAt(companies: ProofParts["companies"], domain: string) {
  const { companies: found } = await companies.search({ q: domain, limit: NAME_VENDORS });
  return found.find((each) => each.domain !== null && siteOf(each.domain) === domain);
}

/** `de` is Germany; most two-letter domains are countries, apart from those that are sold for other uses. */
const countryOfTop = (top: string, parseCountry: (text: string) => string | null): string | null =>
  top === "uk" ? "GB" : /^[a-z]{2}$/.test(top) && !SOLD_ELSEWHERE.has(top) ? parseCountry(top) : null;

const SOLD_ELSEWHERE: ReadonlySet<string> = new Set(
  "ai ac cc co fm gg io im la ly me sh so st tk to tv vc ws ag am bz cx gl gs is li mu nu pw re sc tl vg".split(" "),
);

interface ComparisonParts {
  readonly company: Company;
  readonly industries: ParseContext["industries"];
  readonly answers: ReadonlyMap<string, Reason>;
  readonly namedIn: (study: ListedStudy) => ReadonlyMap<string, Named>;
  readonly naming: ReadonlyMap<string, number>;
  readonly all: number;
}

/** Compares fields, without the text. */
function createComparison({ company, industries, answers, namedIn, naming, all }: ComparisonParts) {
  const { prospect, industries: own, tools } = company;
  const nameOf = (slug: string) => industries.nameBySlug.get(slug) ?? slug;
  return {
    fields(study: ListedStudy): Reason[] {
      const reasons: Reason[] = [];
      const { industry_slug: slug, country } = study;
      const add = (kind: ReasonKind, value: string, field: string, text: string, points: number = POINTS[kind]) =>
        reasons.push({ kind, text, value, sentence: null, field, points: rounded(points) });
      const related = slug === null ? undefined : own.find((each) => areRelated(each, slug));
      if (slug !== null && own.includes(slug))
        add("same_industry", nameOf(slug), "/industry", `The client is in the same industry: ${nameOf(slug)}.`);
      else if (slug !== null && related !== undefined)
        add(
          "related_industry",
          nameOf(slug),
          "/industry",
          `The client is in ${nameOf(slug)}, an industry related to ${nameOf(related)}.`,
        );
      if (country !== null && country === prospect.country)
        add("same_country", country, "/country", `The client is in the same country: ${country}.`);
      for (const [id, listing] of namedIn(study)) {
        const detection = tools.get(id);
        if (!detection) continue;
        const factor = detection.means === "verified-once" ? VERIFIED_ONCE : 1;
        const points = POINTS.same_tool * factor * rarityOf(naming.get(id) ?? 1, all);
        add("same_tool", detection.tool, listing.field, listedText(listing, detection), points);
      }
      const answer = answers.get(study.id);
      if (answer) reasons.push(answer);
      return reasons;
    },
  };
}

/** The reason with the sentence that states the industry or the country, if one does. */
function supported(
  reason: Reason,
  sentences: readonly StudySentence[],
  { client }: CaseStudy,
  industries: ParseContext["industries"],
): Reason {
  const slugs =
    reason.kind === "same_industry" || reason.kind === "related_industry" ? industries.slugsFor(reason.value) : null;
  const found = slugs
    ? bestOf(
        sentences,
        (text) => industries.mentions(text).some((mention) => mention.slugs.some((slug) => slugs.includes(slug))),
        client.name,
      )
    : reason.kind === "same_country"
      ? bestOf(sentences, (text) => nameIn(countryName(reason.value)).test(text), client.name)
      : undefined;
  return found ? { ...reason, sentence: found.text } : reason;
}

/** A sentence that also names the client, else the first one. */
function bestOf(sentences: readonly StudySentence[], states: (text: string) => boolean, client: string | null) {
  const stating = sentences.filter(({ text }) => states(text));
  return stating.find(({ text }) => client !== null && text.includes(client)) ?? stating[0];
}
