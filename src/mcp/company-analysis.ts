import { Type } from "@sinclair/typebox";
import type { CompanyAnalysis } from "../casestudies/companies/analysis.ts";
import type { StudyPage } from "../casestudies/service.ts";
import type { Company } from "../casestudies/types.ts";
import { siteOf } from "../core/domain.ts";
import { Failure, type FailureCode } from "../core/errors.ts";
import { LEAST, LEVELS, type Level } from "../detection/levels.ts";
import type { EnrichOptions } from "../detection/service.ts";
import type { Enrichment } from "../detection/types.ts";
import { PHASES } from "../detection/types.ts";
import { enrichmentView } from "../detection/view.ts";
import { analysis, analysisText, company, companyText, nullable, study, studyText, techStack } from "./records.ts";
import { closed, defineTool, line, plural, type ToolCall, type ToolServices } from "./tool.ts";

/** Case studies in one result: it takes space in the context of the model. */
const MOST_STUDIES = 20;
/** Several companies can match a domain; the exact one comes first. */
const CANDIDATES = 10;

export const companyAnalysis = defineTool({
  name: "get_company_analysis",
  title: "Analyse a company by its domain",
  description:
    "Returns the tools a company uses, detected by a live scan of public signals (up to 15 seconds, with progress; results are cached for a day; null with a reason in `missing` when no scan was possible), the case studies it publishes as a vendor, and the case studies in which it is the client. Start here for one company.",
  input: Type.Object(
    {
      domain: Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: "The company's domain, such as acme.com, or a pasted URL.",
      }),
      max_age: Type.Optional(
        Type.Union([Type.Integer({ minimum: 0, maximum: 99_999_999 }), Type.Literal("any")], {
          description:
            'Maximum age of a stored result in seconds, 86400 by default, 3600 where a data source timed out; 0 forces a new scan, "any" accepts every stored result.',
        }),
      ),
      min_confidence: Type.Optional(
        Type.Union(
          LEVELS.map((level) => Type.Literal(level)),
          {
            description:
              "How sure the listed tools are: `confirmed`, `likely` (the default) or `possible`, which adds tools that only hints point to.",
          },
        ),
      ),
    },
    closed,
  ),
  output: Type.Object({
    domain: Type.String({ description: "The registrable domain that was scanned." }),
    tech_stack: nullable(techStack),
    as_vendor: nullable(
      Type.Object({ company, analysis }, { description: "Set if the company publishes case studies; otherwise null." }),
    ),
    as_client: Type.Array(study, { description: `The ${MOST_STUDIES} newest case studies of vendors about it.` }),
    missing: Type.Optional(
      Type.Array(
        Type.Object({
          part: Type.Literal("tech_stack"),
          code: Type.String({ description: "Code of the failure, such as dns.unreachable." }),
          reason: Type.String(),
        }),
        { description: "Present when a part is null because it could not be determined: the part and the reason." },
      ),
    ),
  }),
  openWorld: true,
  units: () => 1,
  async run(services, { domain: asked, max_age, min_confidence }, call) {
    const scan = await scanned(services, asked, optionsOf(max_age, min_confidence), call);
    const [as_vendor, stories] = await Promise.all([
      vendorOf(services, scan.domain),
      services.caseStudies.list({ client: scan.domain }, { limit: MOST_STUDIES }),
    ]);
    // Without anything to return, the failure says what to do next.
    if (scan.failure && !as_vendor && stories.total === 0) throw scan.failure;
    const { domain } = scan;
    const missing = scan.failure && [{ part: "tech_stack", code: scan.failure.code, reason: scan.failure.message }];
    return {
      data: {
        domain,
        tech_stack: scan.enrichment ? stackOf(scan.enrichment) : null,
        as_vendor,
        as_client: stories.case_studies,
        ...(missing && { missing }),
      },
      text: [
        ...(scan.enrichment
          ? stackText(scan.enrichment)
          : [`${domain}: the tools are not known. ${line(scan.failure.message, 500)} (${scan.failure.code})`]),
        "",
        ...vendorText(as_vendor),
        ...clientText(domain, stories),
      ].join("\n"),
    };
  },
});

function stackOf(enrichment: Enrichment) {
  const { tools_detected, tools, by_category, stale, stale_reason } = enrichmentView(enrichment);
  const { scanned_at } = enrichment;
  return { tools_detected, tools, by_category, scanned_at, ...(stale ? { stale, stale_reason } : {}) };
}

function stackText(enrichment: Enrichment): string[] {
  const { domain, tools_detected, by_category } = enrichmentView(enrichment);
  const { scanned_at, stale_reason } = enrichment;
  return [
    `${domain}: ${plural(tools_detected, "tool")}, scanned ${scanned_at}.`,
    ...(stale_reason === undefined ? [] : [`This stored result could not be renewed: ${line(stale_reason, 500)}`]),
    ...Object.entries(by_category).map(([category, names]) => `${category}: ${names.join(", ")}`),
    ...sourcesText(enrichment),
  ];
}

/** Failures of a scan that say nothing about the case studies. */
const WITHOUT_SCAN: ReadonlySet<FailureCode> = new Set([
  "domain.not_found",
  "domain.reserved",
  "domain.opted_out",
  "dns.unreachable",
  "service.overloaded",
]);

const optionsOf = (maxAge: number | "any" | undefined, level: Level | undefined): EnrichOptions => ({
  maxAgeSeconds: maxAge === "any" ? Number.POSITIVE_INFINITY : maxAge,
  minConfidence: level && LEAST[level],
});

type Scanned =
  | { readonly domain: string; readonly enrichment: Enrichment; readonly failure?: undefined }
  | { readonly domain: string; readonly enrichment?: undefined; readonly failure: Failure };

/** The result of a scan, or why there is none. @throws Failure for what is not a domain */
async function scanned(
  services: ToolServices,
  asked: string,
  options: EnrichOptions,
  call: ToolCall,
): Promise<Scanned> {
  try {
    const enrichment = await scan(services, asked, options, call);
    return { domain: enrichment.domain, enrichment };
  } catch (error) {
    if (!(error instanceof Failure) || !WITHOUT_SCAN.has(error.code)) throw error;
    return { domain: services.detection.domainOf(asked), failure: error };
  }
}

async function scan(
  { detection }: ToolServices,
  domain: string,
  options: EnrichOptions,
  { signal, progress }: ToolCall,
): Promise<Enrichment> {
  const total = PHASES.length + 1;
  await progress(0, total, "Scanning …");
  // Phases end in any order and may be reported twice; progress only grows.
  const reported = new Set<string>();
  for await (const step of await detection.enrichSteps(domain, { ...options, signal })) {
    if (step.phase === "complete") {
      await progress(total, total, `complete: ${plural(step.enrichment.detections.length, "tool")}`);
      return step.enrichment;
    }
    if (reported.has(step.phase)) continue;
    reported.add(step.phase);
    await progress(reported.size, total, `${step.phase}: ${plural(step.detections.length, "tool")} so far`);
  }
  throw new Error("the scan ended without a result");
}

interface AsVendor {
  readonly company: Company;
  readonly analysis: CompanyAnalysis;
}

async function vendorOf({ companies: vendors }: ToolServices, domain: string): Promise<AsVendor | null> {
  const { companies } = await vendors.find({ q: domain }, { limit: CANDIDATES });
  const found = companies.find((one) => one.domain !== null && siteOf(one.domain) === domain);
  return found ? { company: found, analysis: await vendors.analyse(found.slug) } : null;
}

/** A short list of tools can mean that sources did not answer: the reader must know. */
function sourcesText({ sources }: Enrichment): string[] {
  const silent = sources.filter(({ status }) => status === "timeout" || status === "failed");
  if (silent.length === 0) return [];
  const names = silent.map(({ source }) => source).join(", ");
  return [`${silent.length} of ${plural(sources.length, "source")} did not answer, so tools may be missing: ${names}.`];
}

function vendorText(as_vendor: AsVendor | null): string[] {
  if (!as_vendor) return ["As a vendor: no case studies found."];
  const { company: found, analysis: known } = as_vendor;
  return [
    `As a vendor: ${companyText(found)}`,
    ...analysisText(known).map((text) => `  ${text}`),
    `  Next: search_case_studies with company "${line(found.slug, 200)}" finds its case studies on a topic.`,
  ];
}

function clientText(domain: string, { case_studies, total }: StudyPage): string[] {
  if (total === 0) return ["As a client: no case studies found."];
  const shown = case_studies.length < total ? `, the ${case_studies.length} newest` : "";
  return [
    `As a client: ${plural(total, "case study", "case studies")} about ${domain}${shown}.`,
    ...case_studies.map((one) => studyText(one)),
  ];
}
