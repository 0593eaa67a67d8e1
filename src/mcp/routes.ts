import { Elysia } from "elysia";
import { authenticate, bearerToken, chargeQuota } from "../accounts/http-auth.ts";
import type { Accounts } from "../accounts/service.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf, readJsonBody } from "../http/requests.ts";

/** The MCP handler. */
export interface Agents {
  answer(
    request: Request,
    body: unknown,
    caller: { readonly name: string; readonly charge: <T>(units: number, work: () => Promise<T>) => Promise<T> },
  ): Promise<Response>;
}

/** Old revisions allow batches; without a limit, a batch would bypass all other limits. */
const MOST_MESSAGES = 10;

/**
 * `POST /mcp`, MCP over Streamable HTTP. The protocol describes its own messages and tools, so the OpenAPI document
 * mentions it only in its text.
 */
export const agentRoutes = (accounts: Accounts, agents: Agents, origins: readonly string[]) => {
  const allowed = new Set(origins.map((address) => URL.parse(address)?.origin ?? address));
  return new Elysia({ name: "agents", detail: { hide: true } }).post(
    "/mcp",
    async ({ request, route }) => {
      const context = contextOf(request);
      context.route = route;
      refuseForeignOrigin(request.headers.get("origin"), allowed);
      const account = await authenticate(accounts, request, request.headers.get("x-api-key") ?? bearerToken(request));
      const body = await readJsonBody(request);
      if (Array.isArray(body) && body.length > MOST_MESSAGES) {
        throw new HttpRefusal("request.invalid", `Send at most ${MOST_MESSAGES} messages in a batch.`);
      }
      return agents.answer(request, body, {
        name: `${account.id} ${context.client}`,
        charge: (units, work) => chargeQuota({ accounts }, request, units, work),
      });
    },
    { parse: "none" },
  );
};

/**
 * Refuses pages of other origins. A foreign page can resolve its own host name to this machine (DNS rebinding), so
 * neither the address nor the Host header identifies it; the Origin header does.
 *
 * @throws HttpRefusal 403
 */
function refuseForeignOrigin(origin: string | null, allowed: ReadonlySet<string>): void {
  if (origin === null || origin === "") return;
  const asked = URL.parse(origin.slice(0, 300));
  if (asked && (allowed.has(asked.origin) || isLoopback(asked))) return;
  throw new HttpRefusal(
    "origin.refused",
    "Web pages of this origin may not call /mcp. To allow it, add it to server.allowed_origins.",
  );
}

/** Matches the whole host name: `127.0.0.1.example.com` is foreign. */
const isLoopback = ({ protocol, hostname }: URL) =>
  /^https?:$/.test(protocol) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
