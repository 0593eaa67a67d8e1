import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { onAbort } from "../core/async.ts";
import { createMcpServer, type McpParts } from "./server.ts";

/** Far more than any call needs; the client is a local program. */
const MAX_BUFFER_BYTES = 1_048_576;

export interface McpStdioParts extends Omit<McpParts, "charge"> {
  readonly input: Readable;
  /** Carries only protocol messages. */
  readonly output: Writable;
  /** Aborted when the process should end. */
  readonly signal: AbortSignal;
  /** Called with messages of the client that are not valid. */
  readonly onFault: (error: unknown) => void;
}

/** Serves one client until it closes the input or the signal aborts; then ends calls in progress. */
export async function serveMcpStdio({ input, output, signal, onFault, ...parts }: McpStdioParts): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_BUFFER_BYTES });
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    ended.resolve();
  };
  for (const event of ["end", "close"]) input.once(event, () => ended.resolve());
  onAbort(signal, ended.resolve);
  const serving = serveStdio(() => createMcpServer(parts), { transport, onerror: onFault });
  await ended.promise;
  await serving.close();
}
