import { Elysia } from "elysia";
import { authenticate, bearerToken, chargeQuota } from "../accounts/http-auth.ts";
import type { Accounts } from "../accounts/service.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf, readJsonBody } from "../http/requests.ts";

/** Who speaks the protocol of agents (MCP); the surface that does is built elsewhere. */
export interface Agents {
  answer(
    request: Request,
    body: unknown,
    caller: { readonly name: string; readonly charge: <T>(units: number, work: () => Promise<T>) => Promise<T> },
  ): Promise<Response>;
}

/** Old revisions take several messages at once; more than these would be a way around every other limit. */
const MOST_MESSAGES = 10;

/**
 * `POST /mcp`, MCP over Streamable HTTP. Its messages are the protocol's own and its tools tell their schemas
 * themselves, so it stands in the reference's text and is no operation of it.
 */
export const agentRoutes = (accounts: Accounts, agents: Agents, origins: readonly string[]) => {
  const own = new Set(origins.map((address) => URL.parse(address)?.origin ?? address));
  return new Elysia({ name: "agents", detail: { hide: true } }).post(
    "/mcp",
    async ({ request, route }) => {
      const context = contextOf(request);
      context.route = route;
      refuseForeignOrigin(request.headers.get("origin"), own);
      const account = await authenticate(accounts, request, request.headers.get("x-api-key") ?? bearerToken(request));
      const body = await readJsonBody(request);
      if (Array.isArray(body) && body.length > MOST_MESSAGES) {
        throw new HttpRefusal("request.invalid", `Send at most ${MOST_MESSAGES} messages at once.`);
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
 * A browser tells which page asks. A page of a stranger can make its own name lead to this machine (DNS rebinding), so
 * that neither the address nor the Host header tells it from a page of ours.
 *
 * @throws HttpRefusal 403
 */
function refuseForeignOrigin(origin: string | null, own: ReadonlySet<string>): void {
  if (origin === null || origin === "") return;
  const asked = URL.parse(origin.slice(0, 300));
  if (asked && (own.has(asked.origin) || isOfThisMachine(asked))) return;
  throw new HttpRefusal("origin.refused", "Web pages of this origin may not call /mcp; server.origins says which may.");
}

/** The whole name: `127.0.0.1.example.com` is a stranger's. */
const isOfThisMachine = ({ protocol, hostname }: URL) =>
  /^https?:$/.test(protocol) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
