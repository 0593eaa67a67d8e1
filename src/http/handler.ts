import { type AnyElysia, Elysia, ValidationError } from "elysia";
import Memoirist from "memoirist";
import type { Logger } from "pino";
import { raceAbort } from "../core/async.ts";
import { errorCode, Failure } from "../core/errors.ts";
import { type Addresses, createAddressCheck } from "./address-check.ts";
import { compressed } from "./content-coding.ts";
import type { Metrics } from "./metrics.ts";
import { HttpRefusal, invalidInput, methodRefusal, problemResponse } from "./problems.ts";
import {
  contextOf,
  createContext,
  guardRequest,
  type RequestContext,
  refuseRepeated,
  remember,
  routable,
  type SessionCaller,
} from "./requests.ts";
import { quotaHeaders } from "./responses.ts";
import type { HttpHandler, Lifecycle } from "./server.ts";

/** The Elysia instance that every module is added to. It names the route of a request and maps every error. */
export const createRoutes = (log: Logger) =>
  new Elysia({ normalize: false })
    .onTransform(({ request, route }) => {
      contextOf(request).route = route;
    })
    .onBeforeHandle(({ request }) => refuseRepeated(request))
    .onError(({ error, request }) => {
      if (request.signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
      const refusal = asRefusal(error);
      return refusedWith(refusal, contextOf(request), log);
    });

/** nginx's status for it: nobody reads the response, and the log should not show a server error. */
const CLIENT_CLOSED_REQUEST = 499;

/** The pages of the console, which are outside the API. */
export interface Pages {
  /** The page at an address, or undefined when the routes answer the request. */
  page(request: Request): Promise<Response | undefined>;
  /** The request that the routes answer: the console calls the operator's API in its user's name. @throws Failure */
  forward(request: Request): Promise<Forwarded>;
}

export interface Forwarded {
  readonly request: Request;
  /** Absent for a request that came as it is. */
  readonly session?: SessionCaller | undefined;
}

interface HandlerOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** Number of reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxyHops: number;
  readonly addresses: Addresses;
  readonly pages: Pages | undefined;
}

/**
 * The way of every request: guards, pages, the router, then the headers, compression, metrics and log line that all
 * responses have.
 */
export function createHandler(
  routes: AnyElysia,
  { log, metrics, lifecycle, trustProxyHops, addresses, pages }: HandlerOptions,
): HttpHandler {
  const allowed = allowedMethods(routes.routes);
  const checkAddress = createAddressCheck(addresses);

  async function answer(request: Request, method: string, context: RequestContext): Promise<Response> {
    checkAddress(request.headers);
    const { pathname } = new URL(request.url);
    if (/^(?:starting|draining)$/.test(lifecycle.state) && /^\/(?:(?:v1|admin)\/|mcp\/?$)/.test(pathname))
      throw new HttpRefusal("service.unready", "The service is starting or stopping; try again in a moment.");
    guardRequest(request, pathname);
    const page = await pages?.page(request);
    if (page) {
      context.route = "console page";
      return page;
    }
    const { request: forwarded, session } = (await pages?.forward(request)) ?? { request };
    context.session = session;
    remember(forwarded, context);
    const methods = allowed(new URL(forwarded.url).pathname);
    if (methods.length > 0 && !methods.includes(method)) throw methodRefusal(methods);
    return await routes.handle(forwarded);
  }

  return async (incoming, peer) => {
    const start = performance.now();
    const context = createContext(incoming, peer, trustProxyHops);
    let response: Response;
    try {
      if (UNSUPPORTED_METHODS.has(incoming.method)) throw methodRefusal(["GET", "POST"]);
      const request = routable(incoming);
      remember(request, context);
      const answered = await raceAbort(answer(request, incoming.method, context), lifecycle.drained);
      response = await compressed(request, withCommonHeaders(answered, context, await context.quota?.()));
    } catch (error) {
      response = withCommonHeaders(refusedWith(error, context, log), context, undefined);
    }
    await context
      .audited?.(response.status)
      .catch((err) => log.error({ request_id: context.id, err }, "an entry of the audit trail has no result"));
    const milliseconds = performance.now() - start;
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
}

/** No path has them; the target of CONNECT is not a path. */
const UNSUPPORTED_METHODS = new Set(["CONNECT", "TRACE"]);

function withCommonHeaders(
  response: Response,
  { id }: RequestContext,
  quota: Parameters<typeof quotaHeaders>[0] | undefined,
): Response {
  // In place: a copy would read the body as a stream.
  const { headers } = response;
  headers.set("x-request-id", id);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  for (const [name, value] of Object.entries(quota ? quotaHeaders(quota) : {})) headers.set(name, value);
  return response;
}

/** The problem for an error; what is not a refusal is a bug and logged. */
function refusedWith(error: unknown, { id }: RequestContext, log: Logger): Response {
  if (!isRefusal(error)) log.error({ request_id: id, err: error }, "a handler failed");
  return problemResponse(error, id);
}

const isRefusal = (error: unknown) => error instanceof HttpRefusal || error instanceof Failure;

/** Elysia's own errors as refusals. */
function asRefusal(error: unknown): unknown {
  if (error instanceof ValidationError) return invalidInput(error);
  const code = errorCode(error);
  if (code === "NOT_FOUND")
    return new HttpRefusal("route.not_found", "This path does not exist; /docs lists the endpoints.");
  // Elysia wraps what a body parser throws.
  if (code === "PARSE" && error instanceof Error && isRefusal(error.cause)) return error.cause;
  return error;
}

/**
 * The methods of each path. Elysia keeps one tree per method, so it would take `GET /v1/casestudies/semantic`, a path
 * that has only POST, for the case study with the id `semantic`. One tree of all methods finds the exact path.
 */
function allowedMethods(
  routes: readonly { readonly method: string; readonly path: string }[],
): (path: string) => readonly string[] {
  const byPath = Map.groupBy(routes, ({ path }) => path.replace(/:[^/]+/g, ":part").replace(/(?<=.)\/$/, ""));
  const tree = new Memoirist<readonly string[]>();
  for (const [path, at] of byPath) {
    const methods = new Set(at.map(({ method }) => method));
    // A keyed GET is counted: a HEAD would scan, count and throw the result away.
    if (methods.has("GET") && !KEYED.test(path)) methods.add("HEAD");
    tree.add("any", path, [...methods]);
  }
  return (path) => tree.find("any", path.replace(/(?<=.)\/$/, ""))?.store ?? [];
}

const KEYED = /^\/v1\/(?:enrich(?:-stream)?|casestudies|companies|industries)(?:\/|$)/;
