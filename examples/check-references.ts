import { parseArgs } from "node:util";
import { CasefileProblem, type Client, createClient } from "../client/src/index.ts";

/**
 * Lists a vendor's case studies by what stored scans say about their clients, so that nobody sends one whose client has moved
 * on: still seen, another tool of the category seen, and clients of rivals that are seen using the vendor.
 *
 *   CASEFILE_API_KEY=… npx bun examples/check-references.ts SLUG [--server URL]
 */
export async function checkReferences(casefile: Client, vendor: string): Promise<string> {
  const lines: Record<"corroborated" | "replaced" | "other", string[]> = { corroborated: [], replaced: [], other: [] };
  for await (const study of casefile.eachCaseStudy({ company: vendor, include: "claim" })) {
    const { claim, client, url } = study;
    const name = plain(client.name ?? client.domain ?? "an unnamed client");
    const seen = claim?.evidence
      ? `, ${plain(claim.evidence.tool)} since ${claim.since?.slice(0, 10) ?? "unknown"}`
      : "";
    const line = `- ${name}${seen} (${url})`;
    if (claim?.status === "corroborated" || claim?.status === "replaced") lines[claim.status].push(line);
    else lines.other.push(line);
  }
  const { rivals } = await casefile.listRivals(vendor);
  const won = rivals.flatMap(({ company, clients_using_vendor }) =>
    clients_using_vendor.map(
      ({ domain, tool }) =>
        `- ${domain === null ? "A company" : plain(domain)} uses ${plain(tool)}, and is a client of ${plain(company.name)}`,
    ),
  );
  const section = (title: string, list: readonly string[]) =>
    `## ${title} (${list.length})\n\n${list.join("\n") || "None."}`;
  return [
    section("Still seen at the client", lines.corroborated),
    section("Another tool of the category is seen", lines.replaced),
    section("Not seen or not checked", lines.other),
    section("Clients of rivals that use the vendor", won),
  ].join("\n\n");
}

/** Escapes Markdown in text from outside. */
const plain = (text: string) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#]/g, "\\$&");

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { server: { type: "string", default: "http://127.0.0.1:7171" } },
  });
  const [vendor, ...more] = positionals;
  if (vendor === undefined || more.length > 0) {
    console.error("Usage: npx bun examples/check-references.ts SLUG [--server URL]");
    process.exit(2);
  }
  const casefile = createClient({ baseUrl: values.server, apiKey: process.env.CASEFILE_API_KEY });
  try {
    console.log(await checkReferences(casefile, vendor));
  } catch (error) {
    if (!(error instanceof CasefileProblem)) throw error;
    console.error(error.detail);
    process.exitCode = 1;
  }
}
