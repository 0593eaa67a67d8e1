import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Charge, createCallsInFlight, createMcpServer, type McpParts } from "./server.ts";

/** The client of a request, and how its calls are counted. */
export interface Caller {
  /** Identifies the client by its key and address. */
  readonly name: string;
  readonly charge: Charge;
}

/** MCP over Streamable HTTP, stateless: each request stands alone, in any supported revision. */
export interface McpHttp {
  /** @param body the parsed body of the request */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>;
  /** Ends calls in progress. */
  close(): Promise<void>;
}

/** Shorter than the idle timeout of proxies and of this service. */
const KEEP_ALIVE_MS = 5_000;

export function createMcpHttp(parts: Pick<McpParts, "services" | "onBug" | "isIndexHidden">): McpHttp {
  const callers = new WeakMap<Request, Caller>();
  const calls = createCallsInFlight();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (!caller) throw new Error("the request has no caller");
      return createMcpServer({ ...parts, charge: caller.charge, enter: (id) => calls.enter(caller.name, id) });
    },
    {
      keepAliveMs: KEEP_ALIVE_MS,
      // The tools never change, and a subscription would hold its connection open.
      maxSubscriptions: 0,
    },
  );
  return {
    answer(request, body, caller) {
      callers.set(request, caller);
      const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
      const cancelled = new Set<unknown>();
      for (const message of messages) {
        const id = cancelledBy(message);
        if (id === undefined) continue;
        cancelled.add(id);
        calls.cancel(caller.name, id);
      }
      // A call that its own batch cancels is never answered, and would keep the response open.
      const isCancelled = (message: unknown) => cancelled.has(cancelledBy(message) ?? Object(message).id);
      const parsedBody = messages.some((message) => cancelled.has(Object(message).id))
        ? messages.filter((message) => !isCancelled(message))
        : body;
      if (Array.isArray(parsedBody) && parsedBody.length === 0 && messages.length > 0)
        return Promise.resolve(new Response(null, { status: 202 }));
      return handler.fetch(request, { parsedBody });
    },
    close: () => handler.close(),
  };
}

/** The id of the call that a message cancels. */
function cancelledBy(message: unknown): string | number | undefined {
  if (Object(message).method !== "notifications/cancelled") return undefined;
  const id: unknown = Object(Object(message).params).requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
