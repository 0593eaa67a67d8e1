import { Type } from "@sinclair/typebox";
import type { CompanyAnalysis } from "../casestudies/companies/analysis.ts";
import type { StudyPage } from "../casestudies/service.ts";
import type { Company } from "../casestudies/types.ts";
import { siteOf } from "../core/domain.ts";
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
    "Returns the tools a company uses, detected by a live scan of public signals (up to 15 seconds, with progress; results are cached for a day), the case studies it publishes as a vendor, and the case studies in which it is the client. Start here for one company.",
  input: Type.Object(
    {
      domain: Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: "The company's domain, such as acme.com, or a pasted URL.",
      }),
    },
    closed,
  ),
  output: Type.Object({
    domain: Type.String({ description: "The registrable domain that was scanned." }),
    tech_stack: techStack,
    as_vendor: nullable(
      Type.Object({ company, analysis }, { description: "Set if the company publishes case studies; otherwise null." }),
    ),
    as_client: Type.Array(study, { description: `The ${MOST_STUDIES} newest case studies of vendors about it.` }),
  }),
  openWorld: true,
  units: () => 1,
  async run(services, { domain: asked }, call) {
    const enrichment = await scanned(services, asked, call);
    const { domain, tools_detected, tools, by_category } = enrichmentView(enrichment);
    const [as_vendor, stories] = await Promise.all([
      vendorOf(services, domain),
      services.caseStudies.list({ client: domain }, { limit: MOST_STUDIES }),
    ]);
    const tech_stack = { tools_detected, tools, by_category, scanned_at: enrichment.scanned_at };
    return {
      data: { domain, tech_stack, as_vendor, as_client: stories.case_studies },
      text: [
        `${domain}: ${plural(tools_detected, "tool")}, scanned ${enrichment.scanned_at}.`,
        ...Object.entries(by_category).map(([category, names]) => `${category}: ${names.join(", ")}`),
        ...sourcesText(enrichment),
        "",
        ...vendorText(as_vendor),
        ...clientText(domain, stories),
      ].join("\n"),
    };
  },
});

async function scanned(
  { detection }: ToolServices,
  domain: string,
  { signal, progress }: ToolCall,
): Promise<Enrichment> {
  const total = PHASES.length + 1;
  await progress(0, total, "Scanning …");
  // Phases end in any order and may be reported twice; progress only grows.
  const reported = new Set<string>();
  for await (const step of await detection.enrichSteps(domain, { signal })) {
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
