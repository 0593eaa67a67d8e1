import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { optionsOf } from "../../test/mcp/agent.ts";
import { sessionFile, sessionOf } from "../../test/mcp/session.ts";
import { inDirectory } from "../../test/store/examples.ts";

/** The newest protocol revision, and two that current clients use. */
export const REVISIONS = ["2026-07-28", "2025-06-18", "2024-11-05"] as const;
type Revision = (typeof REVISIONS)[number];

/** Whether `casefile mcp` of an executable gives the recorded responses. */
export async function answersAsRecorded(binary: string, revision: Revision): Promise<boolean> {
  const session = await inDirectory((directory) => sessionOf(directory, revision, [binary]));
  return session.replace(/^revision .+/, `revision ${REVISIONS[0]}`) === (await sessionFile.text());
}

/** @returns the URL of the best case study that an agent finds over `/mcp` */
export async function foundOverHttp(url: string, key: string, revision: Revision, query: string): Promise<unknown> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const client = new Client({ name: "smoke", version: "1" }, optionsOf(revision));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  try {
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: "search_case_studies", arguments: { query } });
    return Object(structuredContent).results?.[0]?.results?.[0]?.url;
  } finally {
    await client.close();
  }
}
