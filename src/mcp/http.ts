import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Charge, createCallsInFlight, createMcpServer, type McpParts } from "./server.ts";

/** Who asks, and how that is counted. */
export interface Caller {
  /** The same for one client's requests, another for another's as far as can be told. */
  readonly name: string;
  readonly charge: Charge;
}

/** MCP over Streamable HTTP, stateless: each request is served by itself, whatever revision it speaks. */
export interface McpHttp {
  /** @param body the request's body, read and parsed before */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>;
  /** Ends calls under way. */
  close(): Promise<void>;
}

/** Shorter than what proxies and this service's own connections allow for silence. */
const KEEP_ALIVE_MS = 5_000;

export function createMcpHttp(parts: Pick<McpParts, "services" | "onBug">): McpHttp {
  const callers = new WeakMap<Request, Caller>();
  const calls = createCallsInFlight();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (!caller) throw new Error("a request reached the tools with nobody to count it");
      return createMcpServer({ ...parts, charge: caller.charge, enter: (id) => calls.enter(caller.name, id) });
    },
    {
      keepAliveMs: KEEP_ALIVE_MS,
      // Nothing here changes while it is served, and a subscription would hold its connection for ever.
      maxSubscriptions: 0,
    },
  );
  return {
    answer(request, body, caller) {
      callers.set(request, caller);
      for (const message of Array.isArray(body) ? body : [body]) {
        const id = cancelledBy(message);
        if (id !== undefined) calls.cancel(caller.name, id);
      }
      return handler.fetch(request, { parsedBody: body });
    },
    close: () => handler.close(),
  };
}

/** The id of the call that a message takes back. */
function cancelledBy(message: unknown): string | number | undefined {
  if (Object(message).method !== "notifications/cancelled") return undefined;
  const id: unknown = Object(Object(message).params).requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
