import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { enrichmentView, parseInclude } from "../enrichment-view.ts";
import { counted, jsonAnswer } from "./answers.ts";
import { described } from "./described.ts";
import { eventStream } from "./event-stream.ts";
import { keyed } from "./keyed.ts";
import { HttpRefusal } from "./problems.ts";
import { contextOf } from "./request-context.ts";
import { domainParam, enrichmentSchema, enrichQuery, streamEventSchema, streamQuery } from "./schemas.ts";
import type { StreamPlaces } from "./stream-places.ts";

const PROBLEMS = [401, 404, 406, 422, 429, 503];

/** A company's tools, in one answer or as they are found. */
export const enrichRoutes = (app: App, places: StreamPlaces, broke: (requestId: string, error: unknown) => void) => {
  const enrich = (request: Request, domain: string, query: { include?: string; max_age?: string }) => {
    const include = parseInclude(query.include);
    if (!include) {
      throw new HttpRefusal("request.invalid", "Ask for `evidence`, `sources`, or both with a comma.", {
        problems: [{ pointer: "/include", detail: "Only `evidence` and `sources` can be included." }],
      });
    }
    return counted(app, request, 1, async () => {
      const enrichment = await app.enrich(domain, { ...ageOf(query.max_age), signal: request.signal });
      return jsonAnswer(request, enrichmentView(enrichment, include));
    });
  };

  const stream = (request: Request, domain: string, query: { max_age?: string }) =>
    counted(app, request, 1, async () => {
      const place = places.take();
      const gone = new AbortController();
      try {
        const steps = await app.enrichSteps(domain, {
          ...ageOf(query.max_age),
          signal: AbortSignal.any([gone.signal, request.signal]),
        });
        return eventStream(steps, (error) => {
          // The answer has begun, so nobody else would ever hear of it.
          if (error !== undefined && !(error instanceof Failure)) broke(contextOf(request).id, error);
          gone.abort(new Error("the client closed the stream"));
          place.leave();
        });
      } catch (error) {
        place.leave();
        throw error;
      }
    });

  return (
    keyed(app, "enrich", "/v1")
      .get("/enrich/:domain", ({ request, params, query }) => enrich(request, params.domain, query), {
        params: domainParam,
        query: enrichQuery,
        detail: described(
          "enrich",
          "Tools that a company uses",
          "Enrichment",
          { status: 200, text: "The tools, sorted by category, then name.", schema: enrichmentSchema },
          PROBLEMS,
          { scheme: "key" },
        ),
      })
      .get("/enrich-stream/:domain", ({ request, params, query }) => stream(request, params.domain, query), {
        params: domainParam,
        query: streamQuery,
        detail: described(
          "enrichStream",
          "The same, as it is found",
          "Enrichment",
          {
            status: 200,
            text: "Server-sent events; the last has `done: true`.",
            schema: streamEventSchema,
            type: "text/event-stream",
          },
          PROBLEMS,
          { scheme: "key" },
        ),
      })
      // A domain pasted as a whole URL has slashes of its own.
      .get("/enrich/*", ({ request, params, query }) => enrich(request, params["*"], query), {
        query: enrichQuery,
        detail: { hide: true },
      })
      .get("/enrich-stream/*", ({ request, params, query }) => stream(request, params["*"], query), {
        query: streamQuery,
        detail: { hide: true },
      })
  );
};

const ageOf = (maxAge: string | undefined) => (maxAge === undefined ? {} : { maxAgeSeconds: Number(maxAge) });
