import { Elysia, ValidationError } from "elysia";
import type { Logger } from "pino";
import { keylessRoutes, keyRoutes } from "./accounts/routes.ts";
import { backupListRoutes, backupRoutes } from "./backup/routes.ts";
import { companyRoutes, vendorRoutes } from "./casestudies/companies/routes.ts";
import { correctionRoutes, emailRoutes, submissionRoutes } from "./casestudies/intake/routes.ts";
import { studyRoutes } from "./casestudies/routes.ts";
import type { Services } from "./compose.ts";
import { Failure } from "./core/errors.ts";
import { feedbackRoutes, fingerprintRoutes } from "./detection/fingerprints/routes.ts";
import { createStreamLimit, dataSourceRoutes, detectionRoutes } from "./detection/routes.ts";
import type { ServiceMetrics } from "./health/metrics.ts";
import { serviceRoutes } from "./health/routes.ts";
import { compressed } from "./http/content-coding.ts";
import { HttpRefusal, invalidInput, methodRefusal, problemResponse } from "./http/problems.ts";
import {
  clientAddress,
  contextOf,
  guardRequest,
  isLoopback,
  type RequestContext,
  readable,
  refuseRepeated,
  remember,
  requestIdOf,
} from "./http/requests.ts";
import { quotaHeaders } from "./http/responses.ts";
import type { HttpHandler, Lifecycle } from "./http/server.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { type Agents, agentRoutes } from "./mcp/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { changeRoutes, watchRoutes, webhookRoutes } from "./watches/routes.ts";

/** What the operator does; whatever changes something is a command too. */
const adminRoutes = (app: Services) =>
  new Elysia({ name: "admin" })
    .use(keyRoutes(app))
    .use(submissionRoutes(app))
    .use(jobRoutes(app))
    .use(emailRoutes(app))
    .use(correctionRoutes(app))
    .use(vendorRoutes(app))
    .use(backupRoutes(app))
    .use(modelRoutes(app))
    .use(feedbackRoutes(app))
    .use(fingerprintRoutes(app))
    .use(dataSourceRoutes(app))
    .use(watchRoutes(app))
    .use(changeRoutes(app))
    .use(webhookRoutes(app))
    .use(backupListRoutes(app));

interface Route {
  readonly method: string;
  /** As the router has it: `/v1/companies/:slug`. */
  readonly path: string;
}

/**
 * Tells which methods a path takes; none, where nothing is. Of several routes that match, the one counts that has the
 * most of the path written out: `/v1/casestudies/semantic` is no case study's id, whatever the method.
 */
function allowedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const known = routes.map(({ method, path }) => ({
    method,
    pattern: patternOf(path),
    open: path.split("/").filter((segment) => segment.startsWith(":") || segment === "*").length,
  }));
  return (path) => {
    const matching = known.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ open }) => open));
    const methods = new Set(matching.filter(({ open }) => open === fewest).map(({ method }) => method));
    // What counts is asked for its body: a HEAD would scan, count and throw the result away.
    if (methods.has("GET") && !isCounted(path)) methods.add("HEAD");
    return [...methods];
  };
}

const isCounted = (path: string) => /^\/v1\/(?:enrich(?:-stream)?|casestudies|companies|industries)(?:\/|$)/.test(path);

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.+?^$()|[\]\\]/g, "\\$&")
      .replace(/:[^/]+/g, "[^/]+")
      .replace(/\*/g, ".*")
      .replace(/\/$/, "")}/?$`,
  );

export interface HttpParts {
  readonly app: Services;
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
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
interface Pages {
  answer(
    request: Request,
  ): Promise<
    | { readonly route: string; readonly response: Response; readonly request?: never }
    | { readonly request: Request; readonly response?: never }
  >;
}

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
    .use(detectionRoutes(app, createStreamLimit(settings.maxStreams, metrics), broke));

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
      response = await compressed(request, await finished(await answer(request, incoming.method), context));
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
      if (lifecycle.state !== "ready" && /^\/(?:(?:v1|admin)\/|mcp\/?$)/.test(pathname))
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
async function finished(response: Response, context: RequestContext): Promise<Response> {
  const quota = await context.quota?.();
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
