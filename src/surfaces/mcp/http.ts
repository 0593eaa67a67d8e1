import { createMcpHandler } from "@modelcontextprotocol/server";
import type { App } from "../../app/app.ts";
import { type Charge, createMcpServer } from "./server.ts";

/** MCP over Streamable HTTP, stateless: each request is served by itself, whatever revision it speaks. */
export interface McpHttp {
  /**
   * @param body the request's body, read and parsed before
   * @param charge counts the tool calls of this request
   */
  answer(request: Request, body: unknown, charge: Charge): Promise<Response>;
  /** Ends calls under way. */
  close(): Promise<void>;
}

/** Shorter than what proxies and this service's own connections allow for silence. */
const KEEP_ALIVE_MS = 5_000;

export function createMcpHttp(parts: {
  readonly app: App;
  readonly onBug: (tool: string, error: unknown) => void;
}): McpHttp {
  const charges = new WeakMap<Request, Charge>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const charge = requestInfo && charges.get(requestInfo);
      if (!charge) throw new Error("a request reached the tools with nobody to count it");
      return createMcpServer({ ...parts, charge });
    },
    {
      keepAliveMs: KEEP_ALIVE_MS,
      // Nothing here changes while it is served, and a subscription would hold its connection for ever.
      maxSubscriptions: 0,
    },
  );
  return {
    answer(request, body, charge) {
      charges.set(request, charge);
      return handler.fetch(request, { parsedBody: body });
    },
    close: () => handler.close(),
  };
}
