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
export const agentRoutes = (accounts: Accounts, agents: Agents) =>
  new Elysia({ name: "agents", detail: { hide: true } }).post(
    "/mcp",
    async ({ request, route }) => {
      const context = contextOf(request);
      context.route = route;
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
