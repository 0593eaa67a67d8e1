import { parseArgs } from "node:util";
import { CasefileProblem, type Client, createClient } from "../client/src/index.ts";

/**
 * Writes, for each company of a list, the case study of a vendor to send it and why, as lines of JSON.
 *
 *   CASEFILE_API_KEY=… npx bun examples/outreach-list.ts --vendor SLUG [--server URL] acme.com northgate.com > list.jsonl
 */

export interface OutreachLine {
  readonly domain: string;
  /** Null where no case study shares a fact with the company. */
  readonly case_study: string | null;
  readonly url: string | null;
  readonly score: number;
  /** Each reason with the sentence of the case study that supports it. */
  readonly reasons: readonly string[];
  /** Why there is no answer, such as `domain.not_found`. */
  readonly problem: string | null;
}

export async function* outreachList(
  casefile: Client,
  vendor: string,
  domains: readonly string[],
): AsyncGenerator<OutreachLine> {
  const none = { case_study: null, url: null, score: 0, reasons: [], problem: null };
  for (const domain of domains) {
    try {
      const { prospect, proofs } = await casefile.findProof(domain, { vendor, limit: 1 });
      const [best] = proofs;
      if (!best) yield { domain: prospect.domain, ...none };
      else
        yield {
          domain: prospect.domain,
          case_study: best.case_study.title,
          url: best.case_study.url,
          score: best.score,
          reasons: best.reasons.map(({ text, sentence }) => (sentence === null ? text : `${text} “${sentence}”`)),
          problem: null,
        };
    } catch (error) {
      // An unknown vendor or an invalid key would fail for every company.
      if (!(error instanceof CasefileProblem) || !error.code.startsWith("domain.")) throw error;
      yield { domain, ...none, problem: error.code };
    }
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { server: { type: "string", default: "http://127.0.0.1:7171" }, vendor: { type: "string" } },
  });
  if (values.vendor === undefined || positionals.length === 0) {
    console.error("Usage: npx bun examples/outreach-list.ts --vendor SLUG [--server URL] DOMAIN…");
    process.exit(2);
  }
  const casefile = createClient({ baseUrl: values.server, apiKey: process.env.CASEFILE_API_KEY });
  try {
    for await (const line of outreachList(casefile, values.vendor, positionals)) console.log(JSON.stringify(line));
  } catch (error) {
    if (!(error instanceof CasefileProblem)) throw error;
    console.error(error.detail);
    process.exitCode = 1;
  }
}
