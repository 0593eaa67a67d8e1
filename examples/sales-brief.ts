import { parseArgs } from "node:util";
import type { Analysis, CaseStudy, Enrichment } from "../client/src/index.ts";
import { CasefileProblem, type Client, createClient } from "../client/src/index.ts";

/**
 * Writes a brief about a company in Markdown: the tools it uses, its case studies, and case studies about it.
 *
 *   CASEFILE_API_KEY=… npx bun examples/sales-brief.ts DOMAIN [--server URL] > brief.md
 */

/** A company without case studies still gets a brief of its tools. */
export async function salesBrief(casefile: Client, domain: string): Promise<string> {
  const stack = await casefile.enrich(domain);
  const [vendor, stories] = await Promise.all([
    asVendor(casefile, stack.domain),
    casefile.listCaseStudies({ client: stack.domain, limit: 20 }),
  ]);
  return [
    `# ${plain(vendor?.company.name ?? stack.domain)}`,
    stackText(stack),
    vendorText(vendor),
    clientText(stories.case_studies, stories.total),
  ].join("\n\n");
}

/** The analysis of the vendor that has this domain, when one is indexed. */
async function asVendor(casefile: Client, domain: string): Promise<Analysis | undefined> {
  const { companies } = await casefile.findCompanies({ q: domain });
  const vendor = companies.find((company) => company.domain === domain);
  return vendor && casefile.analyseCompany(vendor.slug);
}

function stackText({ tools_detected, by_category }: Enrichment): string {
  const lines = Object.entries(by_category).map(([category, tools]) => `- **${category}**: ${tools.join(", ")}`);
  return [`## What it uses (${tools_detected} tools)`, lines.join("\n") || "No tools detected."].join("\n\n");
}

function vendorText(vendor: Analysis | undefined): string {
  if (!vendor) return "## What it sells\n\nNo case studies indexed.";
  const industries = vendor.top_industries.slice(0, 5).map((top) => `${plain(top.industry)} (${top.case_studies})`);
  const clients = vendor.top_clients.slice(0, 5).map((top) => plain(top.client));
  const outcomes = vendor.top_outcomes
    .slice(0, 5)
    .flatMap(({ examples: [example] }) =>
      example ? [`- ${plain(example.text)} (${plain(example.client ?? "a client")})`] : [],
    );
  return [
    `## What it sells (${vendor.total_case_studies} case studies)`,
    `Mostly to: ${industries.join(", ") || "unknown"}. Clients: ${clients.join(", ") || "unknown"}.`,
    outcomes.join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function clientText(studies: readonly CaseStudy[], total: number): string {
  if (studies.length === 0) return "## Whose customer it is\n\nNo case studies about it.";
  const lines = studies.map(
    ({ company, title, url, outcomes: [outcome] }) =>
      `- **${plain(company.name)}**: [${plain(title)}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)${outcome ? `: ${plain(outcome.text)}` : ""}`,
  );
  return [`## Whose customer it is (${total})`, lines.join("\n")].join("\n\n");
}

/** Escapes Markdown in text from outside. */
const plain = (text: string) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#]/g, "\\$&");

/** Undefined for invalid arguments. */
function lineOf(args: string[]) {
  try {
    const options = { server: { type: "string", default: "http://127.0.0.1:7171" } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [domain, ...more] = positionals;
    return domain === undefined || more.length > 0 ? undefined : { ...values, domain };
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const line = lineOf(process.argv.slice(2));
  if (line === undefined) {
    console.error("Usage: npx bun examples/sales-brief.ts DOMAIN [--server URL]");
    process.exit(2);
  }
  const { domain, server } = line;
  const casefile = createClient({ baseUrl: server, apiKey: process.env.CASEFILE_API_KEY });
  try {
    console.log(await salesBrief(casefile, domain));
  } catch (error) {
    if (!(error instanceof CasefileProblem)) throw error;
    console.error(`${domain}: ${error.detail}`);
    process.exitCode = 1;
  }
}
