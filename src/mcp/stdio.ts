import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer, type McpParts } from "./server.ts";

/** Far more than any call has; the client is a program of this machine's user. */
const MAX_BUFFER_BYTES = 1_048_576;

export interface McpStdioParts extends Omit<McpParts, "charge"> {
  readonly input: Readable;
  /** Carries messages and nothing else. */
  readonly output: Writable;
  /** Aborted when the process shall end. */
  readonly signal: AbortSignal;
  /** Told of what a client sent that cannot be understood. */
  readonly onFault: (error: unknown) => void;
}

/** Serves one client until it closes its end or the signal aborts; calls under way are then ended. */
export async function serveMcpStdio({ input, output, signal, onFault, ...parts }: McpStdioParts): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_BUFFER_BYTES });
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    ended.resolve();
  };
  for (const event of ["end", "close"]) input.once(event, () => ended.resolve());
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  if (signal.aborted) ended.resolve();
  const serving = serveStdio(() => createMcpServer(parts), { transport, onerror: onFault });
  await ended.promise;
  await serving.close();
}
