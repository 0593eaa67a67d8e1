import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import { jsonAnswer } from "../http/responses.ts";
import { complete, type OpenApi } from "./openapi.ts";

/** `/llms.txt`: an introduction for language models. */
const guideText = (version: string, scoreText: string): string => `# Casefile ${version}

> Detects the tools a company uses, with evidence, and searches the case studies that vendors publish: clients,
> industries and measured outcomes, by filter and by meaning. Self-hosted: this address is the whole service.

Requests need an API key in \`X-API-Key\`, except those marked keyless. Quotas are per calendar month (UTC): \`RateLimit\`
has the requests left, \`Retry-After\` the seconds to wait after 429 or 503. Errors are problem details (RFC 9457) whose
\`detail\` says what to do.

## For agents

- [MCP](/mcp): the same over the Model Context Protocol (Streamable HTTP, the same key). Tools include their
  schemas; start with \`get_company_analysis\`.

## Endpoints

- \`POST /v1/keys\` {email}: an API key, shown only once (keyless)
- \`POST /v1/keys/rotate\`: a new key in place of the one that is sent, with its limit and usage
- \`GET /v1/stats\`: counts of companies, case studies and tools (keyless)
- \`POST /v1/submit\` {company_name, case_study_url, contact_email}: submit a page with case studies (keyless)
- \`GET /v1/enrich/{domain}\`: the tools of a company; \`?include=evidence,sources\` adds the evidence
- \`GET /v1/enrich-stream/{domain}\`: the same as server-sent events during the scan
- \`POST /v1/enrich/batches\`: scans a list of up to 100,000 domains in the background (JSON, NDJSON or CSV)
- \`GET /v1/enrich/batches\` and \`GET /v1/enrich/batches/{id}\`: your batches, and the progress of one
- \`GET /v1/enrich/batches/{id}/results\`: the results in the order of the list; \`format\` is csv, ndjson or parquet
- \`POST /v1/enrich/batches/{id}/pause\`, \`POST /v1/enrich/batches/{id}/resume\`, \`POST /v1/enrich/batches/{id}/cancel\`,
  \`POST /v1/enrich/batches/{id}/retry\`: pause, resume or cancel a batch, or scan its failed domains again
- \`GET /v1/casestudies\`, \`GET /v1/casestudies/{id}\`: by company, industry, client, country, date, tool
- \`POST /v1/casestudies/semantic\` {query, limit?, industry?, company?, country?, tool?, mode?}: by meaning. A result's
  \`score\`: ${scoreText}
- \`POST /v1/casestudies/answer\` {query, limit?, industry?, company?, country?, tool?}: the passages that answer a
  question, grouped by what they claim, each with its source
- \`POST /v1/casestudies/batch\` {queries}: up to ten searches in one call
- \`POST /v1/casestudies/read\` {content, url, encoding?, name?, company?}: the fields of a case study from a page that you
  send, each with its sentence and confidence; nothing is stored or requested
- \`GET /v1/industries\`: industries, for filters
- \`GET /v1/companies\`, \`GET /v1/companies/{slug}\`: the vendors, and one with its case studies
- \`GET /v1/companies/{slug}/analysis\`: its top industries, clients and outcomes
- \`GET /v1/companies/{slug}/timeline\`: its case studies by date
- \`GET /v1/enrich/{domain}/history\`: since when a company uses each tool, and changes between \`since\` and \`until\`
- \`GET /v1/tools\`, \`GET /v1/tools/{tool}\`, \`GET /v1/tools/{tool}/companies\`: tools, and the scanned companies that use them
- \`GET /v1/domains\`, \`POST /v1/domains/search\` {all?, any?, none?, top_level?, …}: scanned companies by tools; \`?format=csv\`, \`parquet\` or \`ndjson\` for a file
- \`POST /v1/compare\` {companies, industry?, limit_per_company?}: up to five vendors side by side
- \`POST /v1/prospects/{domain}/proof\` {vendor?, question?, industry?, limit?}: the case studies that would convince a
  company, with the reasons
- \`GET /v1/prospects/{domain}/brief\`: a brief about a company with its sources; \`format\` is json, markdown or html
- \`GET /v1/prospects/{domain}/gaps\`: tools that companies of the same industry use and it does not
- \`GET /v1/companies/{slug}/rivals\`: a vendor's rivals, and whose clients are seen using whose tools

## Reference

- [OpenAPI 3.1](/openapi.json): every field, status, header and example
- [Reference for people](/docs)
`;

interface Area {
  readonly area: string;
  readonly categories: readonly string[];
}

interface ReferenceOptions {
  readonly version: string;
  /** The categories of tools. */
  readonly areas: readonly Area[];
  /** What the score of a search result means. */
  readonly scoreText: string;
}

/** The OpenAPI document, which the console shows at `/docs`, and the guide for language models. */
export const referenceRoutes = ({ version, areas, scoreText }: ReferenceOptions) => {
  let document: OpenApi | undefined;
  return new Elysia({ name: "reference", detail: { hide: true } })
    .mapResponse(({ path, request, responseValue }) => {
      if (path !== "/openapi.json" || responseValue instanceof Response) return undefined;
      document ??= complete(responseValue);
      return jsonAnswer(request, document);
    })
    .use(
      openapi({
        provider: null,
        specPath: "/openapi.json",
        documentation: {
          info: {
            title: "Casefile",
            version,
            description: `Detects the tools a company uses, with evidence, and searches the case studies that vendors publish.\n\nAgents use MCP at \`/mcp\` (Streamable HTTP, same API key); it is not part of this document, because MCP tools include their schemas.\n\nLong responses are compressed with zstd or gzip (\`Accept-Encoding\`); entity tags are the same for every encoding.\n\n${categoryTable(areas)}`,
            license: { name: "Apache-2.0", identifier: "Apache-2.0" },
          },
          tags: [
            { name: "Enrichment", description: "Tools that a company uses." },
            { name: "Batches", description: "Lists of domains, scanned in the background." },
            { name: "Stack index", description: "Which of the scanned companies use a tool." },
            {
              name: "Case studies",
              description: "Case studies that vendors publish: filter them, or search them by meaning.",
            },
            { name: "Companies", description: "The vendors." },
            { name: "Prospects", description: "Case studies and facts for a company that may buy." },
            { name: "Submissions", description: "Vendors submit their case-study pages." },
            { name: "Keys", description: "API keys: one active key per email address." },
            { name: "Service", description: "Counts, health and metrics." },
            { name: "Operator", description: "For the operator of the service, with the operator token." },
          ],
          components: {
            securitySchemes: {
              key: {
                type: "apiKey",
                in: "header",
                name: "X-API-Key",
                description: "A key of `POST /v1/keys`; it is shown only once.",
              },
              operator: {
                type: "http",
                scheme: "bearer",
                description: "The operator token, shown at the first start.",
              },
            },
          },
        },
      }),
    )
    .get(
      "/llms.txt",
      () =>
        new Response(guideText(version, scoreText), {
          headers: {
            "content-type": "text/plain; charset=utf-8",
            "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
            "cache-control": "no-cache",
          },
        }),
    );
};

function categoryTable(areas: readonly Area[]): string {
  const rows = areas.map(({ area, categories }) => `| ${area} | ${categories.join(", ")} |`);
  return ["| Area | Category labels |", "| --- | --- |", ...rows].join("\n");
}
