import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import { answerFile } from "../http/content-coding.ts";
import { jsonAnswer } from "../http/responses.ts";
import { complete, type OpenApi } from "./openapi.ts";
import { referenceFiles } from "./ui/files.ts";

/** `/llms.txt`: what a language model that was pointed at this address should know before it asks anything. */
const guideText = (version: string, scoreText: string): string => `# Casefile ${version}

> Which tools a company uses, with the evidence for each; and what proof vendors publish: case studies, found by filter
> and by meaning, with clients, industries and measured outcomes. Self-hosted: this address is the whole service.

Every call but those marked keyless needs a key in \`X-API-Key\`. A key counts requests in a calendar month (UTC);
\`RateLimit\` tells what is left, \`Retry-After\` how long to wait after 429 or 503. Errors are problem details (RFC 9457)
whose \`detail\` says what to do.

## For agents

- [MCP](/mcp): the same over the Model Context Protocol (Streamable HTTP, the same key). Its tools tell their own
  schemas; start with \`get_company_analysis\`.

## Endpoints

- \`POST /v1/keys\` {email}: a key, told once (keyless)
- \`GET /v1/stats\`: what is here (keyless)
- \`POST /v1/submit\` {company_name, case_study_url, contact_email}: ask for case studies to be indexed (keyless)
- \`GET /v1/enrich/{domain}\`: the tools of a company; \`?include=evidence,sources\` shows why
- \`GET /v1/enrich-stream/{domain}\`: the same as server-sent events, as it is found
- \`GET /v1/casestudies\`, \`GET /v1/casestudies/{id}\`: by company, industry, client, country, date
- \`POST /v1/casestudies/semantic\` {query, limit?, industry?, company?, mode?}: by meaning. A result's
  \`score\`: ${scoreText}
- \`POST /v1/casestudies/batch\` {queries}: up to ten searches in one call
- \`GET /v1/industries\`: the industries that case studies are of, as filters take them
- \`GET /v1/companies\`, \`GET /v1/companies/{slug}\`: the vendors, and one with its case studies
- \`GET /v1/companies/{slug}/analysis\`: its top industries, clients and outcomes
- \`GET /v1/companies/{slug}/timeline\`: its case studies in time
- \`POST /v1/compare\` {companies, industry?, limit_per_company?}: up to five vendors side by side

## Reference

- [OpenAPI 3.1](/openapi.json): every field, status, header and example
- [Reference for people](/docs)
`;

/** The page loads nothing from elsewhere, and the policy sees to it that it cannot. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = { "content-security-policy": POLICY, "cache-control": "no-cache" };

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Casefile API reference</title>
<link rel="stylesheet" href="/docs/reference.css">
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The reference needs JavaScript; the document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<main id="reference"></main>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null, tryItOutEnabled: true, persistAuthorization: false });\n`;

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

/** The reference: the OpenAPI document, and a page that shows it with no internet at all. */
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
            description: `Which tools a company uses, with the evidence; and what proof vendors publish.\n\nAgents speak MCP at \`/mcp\` (Streamable HTTP, with the same key), whose tools tell their own schemas; it is no operation of this document.\n\nLong answers are compressed for who takes zstd or gzip (\`Accept-Encoding\`); entity tags hold for every coding.\n\n${categoryTable(areas)}`,
            license: { name: "Apache-2.0", identifier: "Apache-2.0" },
          },
          tags: [
            { name: "Enrichment", description: "Tools that a company uses." },
            { name: "Case studies", description: "What vendors publish of their customers, by filter and by meaning." },
            { name: "Companies", description: "The vendors." },
            { name: "Submissions", description: "Vendors ask for their case studies to be indexed." },
            { name: "Keys", description: "Keys are issued for an e-mail address, one active key each." },
            { name: "Service", description: "What is here." },
            { name: "Operator", description: "For who runs the service; opened by the operator token." },
          ],
          components: {
            securitySchemes: {
              key: {
                type: "apiKey",
                in: "header",
                name: "X-API-Key",
                description: "A key of `POST /v1/keys`; it is told once.",
              },
              operator: {
                type: "http",
                scheme: "bearer",
                description: "The operator token, told at the first start.",
              },
            },
          },
        },
      }),
    )
    .get("/llms.txt", () => page(guideText(version, scoreText), "text/plain; charset=utf-8"))
    .get("/docs", () => page(PAGE, "text/html; charset=utf-8"))
    .get("/docs/start.js", () => page(START, "text/javascript; charset=utf-8"))
    .get("/docs/reference.js", async ({ request }) => answerFile(request, (await referenceFiles()).script, HEADERS))
    .get("/docs/reference.css", async ({ request }) => answerFile(request, (await referenceFiles()).style, HEADERS));
};

const page = (body: string, type: string) => new Response(body, { headers: { "content-type": type, ...HEADERS } });

function categoryTable(areas: readonly Area[]): string {
  const rows = areas.map(({ area, categories }) => `| ${area} | ${categories.join(", ")} |`);
  return ["| Area | Category labels |", "| --- | --- |", ...rows].join("\n");
}
