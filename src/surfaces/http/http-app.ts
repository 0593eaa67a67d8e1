import { Elysia, ValidationError } from "elysia";
import type { Logger } from "pino";
import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { adminRoutes } from "./admin-routes.ts";
import { quotaHeaders } from "./answers.ts";
import { enrichRoutes } from "./enrich-routes.ts";
import { keylessRoutes } from "./keyless-routes.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Metrics } from "./metrics.ts";
import { HttpRefusal, problemResponse } from "./problems.ts";
import { referenceRoutes } from "./reference-routes.ts";
import { clientAddress, contextOf, isLoopback, type RequestContext, remember } from "./request-context.ts";
import { guardRequest, readJsonBody, requestIdOf } from "./request-guards.ts";
import { serviceRoutes } from "./service-routes.ts";
import { createStreamPlaces } from "./stream-places.ts";

export interface HttpParts {
  readonly app: App;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly settings: {
    readonly metricsPublic: boolean;
    /** Proxies in front that are trusted to tell the client's address. */
    readonly trustProxyHops: number;
    readonly maxStreams: number;
  };
}

/** Answers one request; `peer` is the address at the other end of the connection. Never rejects. */
export type HttpHandler = (request: Request, peer: string) => Promise<Response>;

/** Every module of the HTTP surface, behind one entrance that guards, logs, counts and words every refusal. */
export function createHttp(parts: HttpParts): HttpHandler {
  const { app, metrics, lifecycle, settings, log } = parts;
  const routes = new Elysia({ normalize: false })
    .onParse(({ request }) => readJsonBody(request))
    .onTransform(({ request, route }) => {
      contextOf(request).route = route;
    })
    .onError(({ error, request, path }) =>
      problemResponse(asRefusal(error, methodsOf(path), request), contextOf(request).id),
    )
    .use(serviceRoutes(app, lifecycle, metrics, settings.metricsPublic))
    .use(referenceRoutes(app.version, app.categories))
    .use(keylessRoutes(app))
    .use(adminRoutes(app))
    .use(enrichRoutes(app, createStreamPlaces(settings.maxStreams, metrics)));

  const patterns = routes.routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  function methodsOf(path: string): string[] {
    return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
  }

  return async (incoming, peer) => {
    const began = performance.now();
    const request = readable(incoming);
    const forwarded = incoming.headers.get("x-forwarded-for");
    const context: RequestContext = {
      id: requestIdOf(incoming),
      client: clientAddress(peer, forwarded, settings.trustProxyHops),
      local: isLoopback(peer) && forwarded === null && !incoming.headers.has("forwarded"),
      route: "none",
    };
    remember(request, context);
    let response: Response;
    try {
      const path = pathOf(request);
      if (lifecycle.state() !== "ready" && path.startsWith("/v1/"))
        throw new HttpRefusal("service.unready", "The service is starting or stopping; ask again in a moment.");
      guardRequest(request, path);
      response = await routes.handle(request);
    } catch (error) {
      response = problemResponse(error, context.id);
    }
    response = await finished(response, context, parts);
    const milliseconds = performance.now() - began;
    metrics.request(request.method, context.route, response.status, milliseconds / 1_000);
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

  function asRefusal(error: unknown, methods: readonly string[], request: Request): unknown {
    if (error instanceof ValidationError) return invalidInput(error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "NOT_FOUND") {
      if (methods.length === 0)
        return new HttpRefusal("route.not_found", "There is nothing at this path; /docs lists what there is.");
      return new HttpRefusal("route.method", `This path takes ${methods.join(" and ")}.`, {
        headers: { allow: methods.join(", ") },
      });
    }
    if (code === "PARSE") return new HttpRefusal("request.not_json", "The body must be one JSON value in UTF-8.");
    if (!isRefusal(error)) log.error({ request_id: contextOf(request).id, err: error }, "a handler broke");
    return error;
  }
}

/** What every answer carries, whoever made it. */
async function finished(response: Response, context: RequestContext, { app }: HttpParts): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set("x-request-id", context.id);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  if (context.account) {
    const quota = context.quota ?? (await app.accounts.quota(context.account));
    for (const [name, value] of Object.entries(quotaHeaders(quota))) headers.set(name, value);
  }
  return new Response(response.body, { status: response.status, headers });
}

/** A HEAD is answered as the GET would be, without its body; streams and counted calls are not asked that way. */
function readable(request: Request): Request {
  if (request.method !== "HEAD" || pathOf(request).startsWith("/v1/enrich")) return request;
  return new Request(request.url, { headers: request.headers });
}

function pathOf(request: Request): string {
  const start = request.url.indexOf("/", request.url.indexOf("//") + 2);
  return start < 0 ? "/" : request.url.slice(start).split("?")[0]!;
}

function invalidInput(error: ValidationError): HttpRefusal {
  const problems = error.all.slice(0, 20).map((fault) => ({
    pointer: "path" in fault && typeof fault.path === "string" ? fault.path : "",
    detail: "message" in fault ? String(fault.message) : "Invalid.",
  }));
  const first = problems[0];
  return new HttpRefusal(
    "request.invalid",
    `Correct ${first?.pointer || "the input"}: ${first?.detail ?? "it is invalid"}.`,
    { problems },
  );
}

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.+?^$()|[\]\\]/g, "\\$&")
      .replace(/:[^/]+/g, "[^/]+")
      .replace(/\*/g, ".*")}$`,
  );

const isRefusal = (error: unknown) => error instanceof HttpRefusal || error instanceof Failure;
