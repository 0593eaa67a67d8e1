import { SCORE_TEXT } from "../../study-view.ts";

/** `/llms.txt`: what a language model that was pointed at this address should know before it asks anything. */
export const guideText = (version: string): string => `# Casefile ${version}

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
  \`score\`: ${SCORE_TEXT}
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
