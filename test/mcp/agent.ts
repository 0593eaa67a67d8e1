import { PassThrough } from "node:stream";
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  ReadBuffer,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Services } from "../../src/compose.ts";
import { serveHttp } from "../../src/http/server.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { type AppChanges, type Opened, open, withChanges } from "../http/opened.ts";
import { fakeVerbs, openFakeApp } from "../services/fake-app.ts";
import { fill, RECORDS } from "../services/study-records.ts";

/** The newest revision, which is stateless, and those that clients use. */
export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"] as const;
export type Revision = (typeof REVISIONS)[number];
export const TRANSPORTS = ["http", "stdio"] as const;

/** The invented vendors and clients under a name that the fake scans know. */
const STUDIES: readonly unknown[] = JSON.parse(JSON.stringify(RECORDS).replaceAll(".example", ".test"));

export interface Agent {
  readonly client: Client;
  readonly app: Services;
  /** Options of the requested scans. */
  readonly calls: ReturnType<typeof fakeVerbs>["calls"];
  /** Internal errors. */
  bugs(): readonly unknown[];
}

const closing: (() => unknown)[] = [];
/** Closes all clients and servers of a test. */
export async function closeAgents(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** A client of the SDK, connected over a transport in a revision, to an installation with seven case studies. */
export async function connected(
  transport: (typeof TRANSPORTS)[number],
  revision: Revision = "2026-07-28",
  change: AppChanges = {},
): Promise<Agent> {
  if (transport === "http") {
    const service = await open({ app: change });
    await fill(service.app, STUDIES);
    const client = await overHttp(service, revision, { "x-api-key": await service.key() });
    const bugs = () => service.logged().filter(({ msg }) => msg === "a tool broke");
    return { client, app: service.app, calls: service.calls, bugs };
  }
  const { verbs, calls } = fakeVerbs();
  const app = withChanges(await openFakeApp({ verbs }), change);
  await fill(app, STUDIES);
  const bugs: unknown[] = [];
  return { client: await overStdio(app, revision, bugs), app, calls, bugs: () => bugs };
}

export async function overHttp(
  service: Opened,
  revision: Revision,
  headers: Readonly<Record<string, string>>,
): Promise<Client> {
  const serving = serveHttp(service.handler, { host: "127.0.0.1", port: 0 }, service.lifecycle);
  closing.push(() => serving.stop(0));
  const transport = new StreamableHTTPClientTransport(new URL(`${serving.url}/mcp`), { requestInit: { headers } });
  return client(transport, revision);
}

async function overStdio(app: Services, revision: Revision, bugs: unknown[]): Promise<Client> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const serving = serveMcpStdio({
    services: app,
    input: toServer,
    output: toClient,
    signal: new AbortController().signal,
    onBug: (_, error) => bugs.push(error),
    onFault: (error) => bugs.push(error),
  });
  closing.push(() => {
    toServer.end();
    return serving;
  });
  return client(pipes(toClient, toServer), revision);
}

async function client(transport: Transport, revision: Revision): Promise<Client> {
  const made = new Client({ name: "a-test", version: "1" }, optionsOf(revision));
  await made.connect(transport);
  closing.push(() => made.close());
  return made;
}

export const optionsOf = (revision: Revision): ClientOptions =>
  revision === "2026-07-28"
    ? { versionNegotiation: { mode: { pin: revision } } }
    : { supportedProtocolVersions: [revision] };

/** The client's end of an in-process stdio transport. */
function pipes(input: PassThrough, output: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      input.on("data", (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
    },
    async send(message: JSONRPCMessage) {
      output.write(serializeMessage(message));
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

/** Results of the newest revision, where the client validates data against the listed schema. */
export async function asked(name: string, args: Record<string, unknown>) {
  const agent = await connected("stdio");
  await agent.client.listTools();
  return { ...agent, answer: await agent.client.callTool({ name, arguments: args }) };
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  const [first, ...more] = content;
  if (first?.type !== "text" || more.length > 0) throw new Error(`no single text: ${JSON.stringify(content)}`);
  return first.text;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests compare results with literals, not types
export const dataOf = ({ structuredContent }: CallToolResult): any => structuredContent;

/** The text of a refusal. */
export function refusalOf(result: CallToolResult): string {
  if (result.isError !== true) throw new Error(`no refusal: ${JSON.stringify(result).slice(0, 300)}`);
  return textOf(result);
}
