import type { CompanyRepository } from "../casestudies/companies/repository.ts";
import { unknownCompany } from "../casestudies/filters.ts";
import type { CaseStudyRepository } from "../casestudies/repository.ts";
import type { Industries } from "../casestudies/taxonomy/taxonomy.ts";
import type { Company } from "../casestudies/types.ts";
import { Failure } from "../core/errors.ts";
import type { Category, Fingerprint } from "../detection/fingerprints/types.ts";
import type { EnrichedDetection, Enrichment } from "../detection/types.ts";
import type { Prospect } from "./proof.ts";
import { MIXED_CATEGORIES, type VendorLinks } from "./vendor-tools.ts";

/** A client of one vendor at which a tool of the other one is seen. */
export interface SeenClient {
  readonly domain: string;
  /** Case studies that name it as a client. */
  readonly case_studies: readonly string[];
  /** The tool that is seen. */
  readonly tool: string;
  readonly category: string;
  readonly first_seen: string;
  readonly last_seen: string;
}

export interface Rival {
  readonly company: { readonly name: string; readonly slug: string };
  /** Names of its tools in the same categories. */
  readonly tools: readonly string[];
  readonly categories: readonly string[];
  /** Clients in the rival's case studies with a stored report. */
  readonly clients_checked: number;
  /** Of these, those that are seen using the vendor's tool. */
  readonly clients_using_vendor: readonly SeenClient[];
  /** Clients in the vendor's case studies with a stored report that are seen using the rival's tool. */
  readonly vendor_clients_using_rival: readonly SeenClient[];
}

export interface Rivals {
  readonly vendor: { readonly name: string; readonly slug: string };
  readonly tools: readonly string[];
  readonly categories: readonly string[];
  /** Clients in the vendor's case studies with a stored report. */
  readonly clients_checked: number;
  /** Most clients that are seen first. */
  readonly rivals: readonly Rival[];
}

/** A tool that peers use and the company does not. */
export interface GapTool {
  readonly tool_id: string;
  readonly tool: string;
  /** Number of peers that use it. */
  readonly companies: number;
  /** Their domains, the first 50. */
  readonly domains: readonly string[];
}

export interface Gap {
  readonly category: string;
  /** Peers that use any tool of the category. */
  readonly companies: number;
  /** What the company itself uses of the category. */
  readonly uses: readonly string[];
  /** Most companies first. */
  readonly tools: readonly GapTool[];
}

export interface Gaps {
  readonly prospect: Prospect;
  /** Companies of the same industry with a stored report, by domain. */
  readonly peers: readonly string[];
  /** Categories of which the company uses nothing first, then by the number of peers. */
  readonly gaps: readonly Gap[];
}

/** For callers who may not see which companies were scanned: the counts without names. */
export const gapsWithoutNames = ({ gaps, ...rest }: Gaps): Gaps => ({
  ...rest,
  peers: [],
  gaps: gaps.map((gap) => ({ ...gap, tools: gap.tools.map((tool) => ({ ...tool, domains: [] })) })),
});

/** As {@link gapsWithoutNames}. A case study names its client, so that its id is a name too. */
export const rivalsWithoutNames = ({ rivals, ...rest }: Rivals) => {
  const unnamed = (clients: readonly SeenClient[]) =>
    clients.map((client) => ({ ...client, domain: null, case_studies: [] }));
  return {
    ...rest,
    rivals: rivals.map((rival) => ({
      ...rival,
      clients_using_vendor: unnamed(rival.clients_using_vendor),
      vendor_clients_using_rival: unnamed(rival.vendor_clients_using_rival),
    })),
  };
};

export interface RivalParts {
  readonly caseStudies: Pick<CaseStudyRepository, "claimed" | "clientIndustries">;
  readonly companies: Pick<CompanyRepository, "find" | "search">;
  readonly industries: Industries;
  readonly links: VendorLinks;
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly categories: readonly Category[];
  /** The newest stored result; undefined without one. */
  readonly stored: (domain: string) => Promise<Enrichment | undefined>;
}

/** Vendors that are compared; of each, clients whose stored report is read. */
const MAX_VENDORS = 2_000;
const MAX_CLIENTS = 1_000;
const MAX_PEERS = 2_000;
const PAGE = 100;
const SHOWN_DOMAINS = 50;

type Clients = ReadonlyMap<string, { readonly ids: string[]; readonly report: Enrichment }>;

export function createRivals(parts: RivalParts) {
  const { caseStudies, companies, links, tools } = parts;
  const labels = new Map(parts.categories.map(({ id, label }) => [id, label]));
  const linkedTo = async ({ slug, domain }: Company) =>
    (await links.of({ slug, domain })).tools.flatMap((id) => tools.get(id) ?? []);
  const namesOf = (categories: Iterable<string>) => [...categories].map((id) => labels.get(id) ?? id).sort();

  const clientsOf = async (slug: string): Promise<Clients> => {
    const clients = new Map<string, { ids: string[]; report: Enrichment }>();
    for (const { id, client } of (await caseStudies.claimed({ company: slug })).slice(0, MAX_CLIENTS)) {
      if (client.domain === null) continue;
      const known = clients.get(client.domain);
      if (known) {
        known.ids.push(id);
        continue;
      }
      const report = await parts.stored(client.domain);
      if (report) clients.set(client.domain, { ids: [id], report });
    }
    return clients;
  };

  const seenAt = (clients: Clients, toolIds: ReadonlySet<string>): SeenClient[] =>
    [...clients].flatMap(([domain, { ids, report }]) => {
      const seen = report.detections.find(
        ({ id, means }) => toolIds.has(id) && means !== "mentions" && means !== "declares",
      );
      if (!seen) return [];
      const { tool, category, first_seen, last_seen } = seen;
      return { domain, case_studies: ids, tool, category, first_seen, last_seen };
    });

  const everyVendor = async (): Promise<Company[]> => {
    const all: Company[] = [];
    let cursor: string | undefined;
    do {
      const page = await companies.search({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      all.push(...page.companies);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && all.length < MAX_VENDORS);
    return all;
  };

  return {
    /** Vendors with a tool of the same category, and whose clients are seen using whose tool. @throws Failure `company.not_found` */
    async rivals(slug: string): Promise<Rivals> {
      const vendor = await companies.find(slug);
      if (!vendor) throw new Failure("company.not_found", await unknownCompany(companies, slug), { unknown: [slug] });
      const own = await linkedTo(vendor);
      const ownIds = new Set(own.map(({ id }) => id));
      const categories = new Set(own.map(({ category }) => category).filter((id) => !MIXED_CATEGORIES.has(id)));
      const clients = categories.size === 0 ? new Map() : await clientsOf(vendor.slug);
      const rivals: Rival[] = [];
      for (const other of categories.size === 0 ? [] : await everyVendor()) {
        if (other.slug === vendor.slug) continue;
        const theirs = (await linkedTo(other)).filter(
          ({ id, category }) => !ownIds.has(id) && categories.has(category),
        );
        if (theirs.length === 0) continue;
        const theirClients = await clientsOf(other.slug);
        rivals.push({
          company: { name: other.name, slug: other.slug },
          tools: theirs.map(({ name }) => name).sort(),
          categories: namesOf(new Set(theirs.map(({ category }) => category))),
          clients_checked: theirClients.size,
          clients_using_vendor: seenAt(theirClients, ownIds),
          vendor_clients_using_rival: seenAt(clients, new Set(theirs.map(({ id }) => id))),
        });
      }
      const seenIn = ({ clients_using_vendor, vendor_clients_using_rival }: Rival) =>
        clients_using_vendor.length + vendor_clients_using_rival.length;
      return {
        vendor: { name: vendor.name, slug: vendor.slug },
        tools: own.map(({ name }) => name).sort(),
        categories: namesOf(categories),
        clients_checked: clients.size,
        rivals: rivals.sort((a, b) => seenIn(b) - seenIn(a) || (a.company.slug < b.company.slug ? -1 : 1)),
      };
    },

    /** @param industries slugs of the company */
    async gaps(
      prospect: Prospect,
      tools: readonly EnrichedDetection[],
      industries: readonly string[],
      category: string | undefined,
    ) {
      const known = industries.length === 0 ? [] : await caseStudies.clientIndustries({ industries, limit: MAX_PEERS });
      const vendors = (await everyVendor()).flatMap(({ domain, industry }) => {
        const slug = industry === null ? null : parts.industries.resolve(industry).slug;
        return domain !== null && slug !== null && industries.includes(slug) ? domain : [];
      });
      const names = [...new Set([...known.map(({ domain }) => domain), ...vendors])].sort().slice(0, MAX_PEERS);
      const peers: Enrichment[] = [];
      for (const name of names) {
        const report = await parts.stored(name);
        if (report && report.domain !== prospect.domain && !peers.some(({ domain }) => domain === report.domain))
          peers.push(report);
      }
      const own = new Map(tools.filter(isInUse).map((each) => [each.id, each]));
      const byCategory = new Map<
        string,
        { peers: Set<string>; tools: Map<string, { tool: string; domains: string[] }> }
      >();
      for (const { domain, detections } of peers) {
        for (const each of detections.filter(isInUse)) {
          if (category !== undefined && each.category.toLowerCase() !== category.trim().toLowerCase()) continue;
          const entry = byCategory.get(each.category) ?? { peers: new Set(), tools: new Map() };
          byCategory.set(each.category, entry);
          entry.peers.add(domain);
          if (own.has(each.id)) continue;
          const tool = entry.tools.get(each.id) ?? { tool: each.tool, domains: [] };
          tool.domains.push(domain);
          entry.tools.set(each.id, tool);
        }
      }
      const gaps = [...byCategory].flatMap(([label, entry]): Gap[] =>
        entry.tools.size === 0
          ? []
          : [
              {
                category: label,
                companies: entry.peers.size,
                uses: [...own.values()].flatMap((each) => (each.category === label ? each.tool : [])).sort(),
                tools: [...entry.tools]
                  .map(([tool_id, { tool, domains }]) => ({
                    tool_id,
                    tool,
                    companies: domains.length,
                    domains: domains.slice(0, SHOWN_DOMAINS),
                  }))
                  .sort((a, b) => b.companies - a.companies || (a.tool < b.tool ? -1 : 1)),
              },
            ],
      );
      const isEmpty = ({ uses }: Gap) => Number(uses.length > 0);
      return {
        prospect,
        peers: peers.map(({ domain }) => domain),
        gaps: gaps.sort(
          (a, b) => isEmpty(a) - isEmpty(b) || b.companies - a.companies || (a.category < b.category ? -1 : 1),
        ),
      } satisfies Gaps;
    },
  };
}

const isInUse = ({ means }: { readonly means: string }) => means !== "mentions" && means !== "declares";
