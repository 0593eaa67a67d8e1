import { afterEach, describe, expect, test } from "bun:test";
import { SCANNED_AT } from "../services/fake-app.ts";
import { closeAgents, connected, dataOf, REVISIONS, refusalOf, TRANSPORTS, textOf } from "./agent.ts";

const TOOL_NAMES = [
  "get_company_analysis",
  "get_company_history",
  "list_tools",
  "who_uses",
  "search_domains",
  "search_case_studies",
  "answer_question",
  "find_proof_for_company",
  "compare_vendors",
  "get_company",
  "find_companies",
];

afterEach(closeAgents);

const EVERYWHERE = TRANSPORTS.flatMap((transport) => REVISIONS.map((revision) => [transport, revision] as const));

describe.each(EVERYWHERE)("over %s in %s", (transport, revision) => {
  test("the tools are listed, read-only, with their schemas", async () => {
    const { client } = await connected(transport, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: "casefile", version: "1.2.3" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual(
      TOOL_NAMES.map((name) => [
        name,
        {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: name === "get_company_analysis" || name === "find_proof_for_company",
        },
      ]),
    );
    expect(Object.keys(tools[0]?.outputSchema?.properties ?? {})).toEqual([
      "domain",
      "tech_stack",
      "as_vendor",
      "as_client",
      "missing",
    ]);
  });

  test("a scan reports its phases, and the result has the company's tools and profile", async () => {
    const { client } = await connected(transport, revision);
    await client.listTools();
    const told: unknown[] = [];
    const answer = await client.callTool(
      { name: "get_company_analysis", arguments: { domain: "https://www.Brightpine.test/about" } },
      { onprogress: ({ progress, total, message }) => told.push([progress, total, message]) },
    );
    expect(told).toEqual([
      [0, 7, "Scanning …"],
      [1, 7, "identity: 1 tool so far"],
      [2, 7, "website: 3 tools so far"],
      [7, 7, "complete: 3 tools"],
    ]);
    expect(dataOf(answer)).toEqual({
      domain: "brightpine.test",
      tech_stack: {
        tools_detected: 3,
        tools: [
          { tool: "Gauge", category: "Analytics" },
          { tool: "Meter", category: "Analytics" },
          { tool: "Postbox", category: "Email" },
        ],
        by_category: { Analytics: ["Gauge", "Meter"], Email: ["Postbox"] },
        scanned_at: SCANNED_AT,
      },
      as_vendor: null,
      as_client: [expect.objectContaining({ id: "tidewell-brightpine" })],
    });
    expect(textOf(answer)).toBe(
      `brightpine.test: 3 tools, scanned ${SCANNED_AT}.
Analytics: Gauge, Meter
Email: Postbox
1 of 2 sources did not answer, so tools may be missing: mail-dns.

As a vendor: no case studies found.
As a client: 1 case study about brightpine.test.
- Brightpine ships parcels a day sooner: Tidewell for Brightpine · Transport & Logistics · SE · 2024-03-20
  Outcomes: 18% lower fuel cost
  https://tidewell.test/customers/brightpine (id tidewell-brightpine)`,
    );
  });

  test("a cancelled call stops the scan", async () => {
    const { client, calls, bugs } = await connected(transport, revision);
    const patience = new AbortController();
    const call = client
      .callTool(
        { name: "get_company_analysis", arguments: { domain: "stalling.test" } },
        { signal: patience.signal, onprogress: () => patience.abort("enough") },
      )
      .then(
        () => "answered",
        () => "cancelled",
      );
    expect(await call).toBe("cancelled");
    const scan = await scanOf(calls);
    if (!scan.aborted) await new Promise((resolve) => scan.addEventListener("abort", resolve, { once: true }));
    expect(bugs()).toEqual([]);
  });

  test("a refused call is a result that names the next step", async () => {
    const { client } = await connected(transport, revision);
    await client.listTools();
    const answer = await client.callTool({ name: "get_company", arguments: { slug: "nobody" } });
    expect(refusalOf(answer)).toBe(
      'No company has the slug "nobody": search companies to find the slug. (company.not_found)\nUnknown: nobody\nNext: Call find_companies with the name or the domain to get the slug, then call again.',
    );
  });
});

/** The abort signal of the scan, which starts shortly after the call's first progress event. */
async function scanOf(calls: Awaited<ReturnType<typeof connected>>["calls"]): Promise<AbortSignal> {
  while (calls.length === 0) await new Promise(setImmediate);
  return calls[0]!.options.signal!;
}
