import { Elysia, ValidationError } from "elysia";
import type { Logger } from "pino";
import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { adminRoutes } from "./admin-routes.ts";
import { type Agents, agentRoutes } from "./agent-routes.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { quotaHeaders } from "./answers.ts";
import { companyRoutes } from "./company-routes.ts";
import { compressed } from "./compressed.ts";
import { enrichRoutes } from "./enrich-routes.ts";
import { keylessRoutes } from "./keyless-routes.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Metrics } from "./metrics.ts";
import { HttpRefusal, invalidInput, methodRefusal, problemResponse } from "./problems.ts";
import { referenceRoutes } from "./reference-routes.ts";
import { clientAddress, contextOf, isLoopback, type RequestContext, remember } from "./request-context.ts";
import { guardRequest, readable, refuseRepeated, requestIdOf } from "./request-guards.ts";
import { serviceRoutes } from "./service-routes.ts";
import { createStreamPlaces } from "./stream-places.ts";
import { studyRoutes } from "./study-routes.ts";

export interface HttpParts {
  readonly app: App;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly agents: Agents;
  /** The pages for people, made elsewhere; without them there is the API alone. */
  readonly pages?: Pages;
  readonly settings: {
    readonly metricsPublic: boolean;
    /** Proxies in front that are trusted to tell the client's address. */
    readonly trustProxyHops: number;
    readonly maxStreams: number;
    /** Web origins beside loopback whose pages may call /mcp. */
    readonly origins: readonly string[];
  };
}

/** Answers what is its own with the name of its route, or hands on the request that the API is to answer. */
export interface Pages {
  answer(
    request: Request,
  ): Promise<
    | { readonly route: string; readonly response: Response; readonly request?: never }
    | { readonly request: Request; readonly response?: never }
  >;
}

/** Answers one request; `peer` is the address at the other end of the connection. Never rejects. */
export type HttpHandler = (request: Request, peer: string) => Promise<Response>;

/** Every module of the HTTP surface, behind one entrance that guards, logs, counts and words every refusal. */
export function createHttp(parts: HttpParts): HttpHandler {
  const { app, metrics, lifecycle, settings, log } = parts;
  const routes = new Elysia({ normalize: false })
    .onTransform(({ request, route }) => {
      contextOf(request).route = route;
    })
    .onBeforeHandle(({ request }) => refuseRepeated(request))
    .onError(({ error, request }) =>
      request.signal.aborted
        ? new Response(null, { status: CLIENT_GONE })
        : problemResponse(asRefusal(error, request), contextOf(request).id),
    )
    .use(serviceRoutes(app, lifecycle, metrics, settings.metricsPublic))
    .use(referenceRoutes(app.version, app.categories))
    .use(keylessRoutes(app))
    .use(adminRoutes(app))
    .use(studyRoutes(app))
    .use(companyRoutes(app))
    .use(agentRoutes(app, parts.agents, settings.origins))
    .use(enrichRoutes(app, createStreamPlaces(settings.maxStreams, metrics), broke));

  const allowed = allowedMethods(routes.routes);

  return async (incoming, peer) => {
    const began = performance.now();
    const forwarded = incoming.headers.get("x-forwarded-for");
    const context: RequestContext = {
      id: requestIdOf(incoming),
      client: clientAddress(peer, forwarded, settings.trustProxyHops),
      local: isLoopback(peer) && forwarded === null && !incoming.headers.has("forwarded"),
      route: "none",
    };
    let response: Response;
    try {
      const request = readable(incoming);
      remember(request, context);
      response = await compressed(request, await finished(await answer(request, incoming.method), context, parts));
    } catch (error) {
      if (!isRefusal(error)) broke(context.id, error);
      response = carrying(problemResponse(error, context.id), context);
    }
    const milliseconds = performance.now() - began;
    metrics.request(incoming.method, context.route, response.status, milliseconds / 1_000);
    log[response.status >= 500 && response.status !== 503 ? "error" : "info"](
      {
        request_id: context.id,
        method: incoming.method,
        route: context.route,
        status: response.status,
        duration_ms: Math.round(milliseconds),
      },
      "answered",
    );
    return incoming.method === "HEAD" ? new Response(null, response) : response;
  };

  async function answer(request: Request, method: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    try {
      if (lifecycle.state() !== "ready" && /^\/(?:(?:v1|admin)\/|mcp\/?$)/.test(pathname))
        throw new HttpRefusal("service.unready", "The service is starting or stopping; ask again in a moment.");
      guardRequest(request, pathname);
    } catch (error) {
      return problemResponse(error, contextOf(request).id);
    }
    const shown = await parts.pages?.answer(request);
    if (shown?.response) {
      contextOf(request).route = shown.route;
      return shown.response;
    }
    const asked = shown?.request ?? request;
    if (asked !== request) remember(asked, contextOf(request));
    const methods = allowed(new URL(asked.url).pathname);
    // Asked here: the router would take a fixed path by another method for a name in the place of that part.
    if (methods.length > 0 && !methods.includes(method)) {
      return problemResponse(methodRefusal(methods), contextOf(asked).id);
    }
    return routes.handle(asked);
  }

  function broke(id: string, err: unknown): void {
    log.error({ request_id: id, err }, "a handler broke");
  }

  function asRefusal(error: unknown, request: Request): unknown {
    if (error instanceof ValidationError) return invalidInput(error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "NOT_FOUND") {
      return new HttpRefusal("route.not_found", "There is nothing at this path; /docs lists what there is.");
    }
    // Elysia wraps what a reader of bodies throws.
    if (code === "PARSE" && error instanceof Error && isRefusal(error.cause)) return error.cause;
    if (!isRefusal(error)) broke(contextOf(request).id, error);
    return error;
  }
}

/** An answer of a keyed route tells what is left of the key's quota. */
async function finished(response: Response, context: RequestContext, { app }: HttpParts): Promise<Response> {
  const { account } = context;
  const quota = account && (context.quota ?? (await app.accounts.quota(account)));
  return carrying(response, context, quota && quotaHeaders(quota));
}

/** What every answer carries, whoever made it. */
function carrying(response: Response, { id }: RequestContext, more: Readonly<Record<string, string>> = {}): Response {
  const headers = new Headers(response.headers);
  headers.set("x-request-id", id);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

/** nginx's number for it: nobody reads the answer, and in the log it is no fault of ours. */
const CLIENT_GONE = 499;

const isRefusal = (error: unknown) => error instanceof HttpRefusal || error instanceof Failure;
