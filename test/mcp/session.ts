import { join } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { exampleText } from "../box/example.ts";
import { linesOf } from "../services/study-records.ts";
import { inDirectory } from "../store/examples.ts";
import { optionsOf, type Revision, textOf } from "./agent.ts";

/**
 * A session of an agent with `casefile mcp`, as text: its requests about an invented company, and all responses.
 * Record it again with `npx bun test/mcp/session.ts`, and review the difference before committing.
 */

const MAIN = join(import.meta.dir, "../../src/main.ts");
export const sessionFile = Bun.file(join(import.meta.dir, "session.golden.txt"));

/** Time of the scan and of the index in the text of each response; a cached result must be fresh to be returned. */
const SCANNED_AT = "2026-11-02T09:00:00.000Z";

/** Harbourline sells, and buys from Tidewell. */
const STUDIES = [
  {
    id: "harbourline-northgate",
    title: "Northgate Savings closes its books in two days",
    url: "https://harbourline.example/customers/northgate",
    company: { name: "Harbourline", slug: "harbourline", domain: "harbourline.example", industry: "Software" },
    client: { name: "Northgate Savings", domain: "northgate.example" },
    industry: "Banking",
    country: "NO",
    summary: "A savings bank closes each month in two days instead of nine.",
    outcomes: [{ metric: "time", value: 78, unit: "%", direction: "decrease", text: "Month-end close 78% faster" }],
    published_at: "2026-03-05",
  },
  {
    id: "harbourline-ostra",
    title: "Ostra Clinic pays its suppliers on time",
    url: "https://harbourline.example/customers/ostra",
    company: { name: "Harbourline", slug: "harbourline" },
    client: { name: "Ostra Clinic" },
    industry: "Hospital",
    country: "DE",
    summary: "Invoices find their way to who approves them.",
    published_at: "2025-11-02",
  },
  {
    id: "tidewell-harbourline",
    title: "Harbourline moves its ledger without a night's outage",
    url: "https://tidewell.example/customers/harbourline",
    company: { name: "Tidewell", slug: "tidewell", domain: "tidewell.example" },
    client: { name: "Harbourline", domain: "harbourline.example" },
    industry: "Software",
    summary: "The ledger moved table by table over one winter.",
    outcomes: [{ metric: "cost", value: 42, unit: "%", direction: "decrease", text: "42% lower hosting cost" }],
    published_at: "2026-06-30",
  },
];

/** Stores the example's recording, dated now, and the case studies in a data directory. */
export async function prepare(dataDir: string): Promise<string> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  const app = await openServices({ config, version: "0.0.0", log: { scannerFailed: broke, taskFailed: broke } });
  try {
    const capturedAt = new Date().toISOString();
    const snapshot = app.detection.read(exampleText(), { name: "example.json", capturedAt });
    await app.detection.analyse({ ...snapshot, captured_at: capturedAt }, { keep: true });
    await app.caseStudies.importFile({ name: "studies.jsonl", content: new Blob([linesOf(STUDIES)]).stream() });
    // Index now; otherwise the process would do it between two responses.
    await app.index.indexNow();
    return capturedAt;
  } finally {
    await app.close();
  }
}

/** A client of a new process. */
async function started(dataDir: string, revision: Revision, [program = "", ...before]: readonly string[]) {
  const transport = new StdioClientTransport({
    command: program,
    args: [...before, "mcp", "--data-dir", dataDir, "--no-starter"],
    cwd: dataDir,
    env: { PATH: process.env.PATH ?? "", HOME: dataDir, TMPDIR: dataDir },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk) => {
    said += String(chunk);
  });
  const client = new Client({ name: "an-agent", version: "1" }, optionsOf(revision));
  await client.connect(transport);
  // Read the raw messages: the client drops progress that arrives together with the response.
  const progress: string[] = [];
  const hear = transport.onmessage;
  transport.onmessage = (message) => {
    if ("method" in message && message.method === "notifications/progress") {
      const { progress: done, total, message: text } = message.params ?? {};
      progress.push(`~ ${done}/${total} ${text}`);
    }
    hear?.(message);
  };
  return { client, progress, stderr: () => said };
}

/** The requests, each based on the previous response. */
const CALLS = [
  ["get_company_analysis", { domain: "harbourline.example" }],
  ["get_company", { slug: "harbourline" }],
  ["get_company_analysis", { domain: "harbourline" }],
] as const;

/** @param command how to start the program: the path of the executable, or a command that runs the source */
export async function sessionOf(
  dataDir: string,
  revision: Revision,
  command: readonly string[] = [process.execPath, MAIN],
): Promise<string> {
  const capturedAt = await prepare(dataDir);
  const { client, progress, stderr } = await started(dataDir, revision, command);
  try {
    await client.listTools();
    const parts = [`revision ${client.getNegotiatedProtocolVersion()}`, `instructions: ${client.getInstructions()}`];
    for (const [name, args] of CALLS) {
      parts.push(`> ${name} ${JSON.stringify(args)}`);
      const answer = await client.callTool({ name, arguments: args }, { onprogress() {} });
      parts.push(...progress.splice(0), partsOf(answer));
    }
    if (stderr() !== "") throw new Error(`it wrote to standard error: ${stderr()}`);
    const text = parts.join("\n\n").replaceAll(capturedAt, SCANNED_AT);
    return `${text.replaceAll(/("indexed_at": ?)"[^"]+"/g, `$1"${SCANNED_AT}"`)}\n`;
  } finally {
    await client.close();
  }
}

const partsOf = (answer: CallToolResult) =>
  [
    answer.isError ? "< refused" : "< answered",
    textOf(answer),
    ...(answer.structuredContent === undefined ? [] : [JSON.stringify(answer.structuredContent, null, 2)]),
  ].join("\n\n");

if (import.meta.main) await sessionFile.write(await inDirectory((directory) => sessionOf(directory, "2026-07-28")));
