import { forOperator, withKeyAuth, withOperatorAuth, withQuota } from "../accounts/http-auth.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import type { Metrics } from "../http/metrics.ts";
import { openApiDetail } from "../http/openapi.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import { domainParam, enrichmentSchema, enrichQuery, healthSchema, streamEventSchema, streamQuery } from "./schemas.ts";
import type { Step } from "./service.ts";
import { enrichmentView, parseInclude, stepView } from "./view.ts";

/** Proxies close what is silent; a comment keeps them awake and is invisible to `onmessage`. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Sends steps as server-sent events without an event name: `id: n`, `data: {…}`.
 *
 * @param onEnd called once, when the stream is over or the client is gone
 */
function eventStream(steps: AsyncIterable<Step>, onEnd: (error?: unknown) => void): Response {
  const encoder = new TextEncoder();
  const iterator = steps[Symbol.asyncIterator]();
  let ended = false;
  let gone = false;
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  const end = (error?: unknown) => {
    if (ended) return;
    ended = true;
    clearInterval(keepAlive);
    onEnd(error);
  };

  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (text: string) => {
        if (!ended) controller.enqueue(encoder.encode(text));
      };
      keepAlive = setInterval(() => send(": \n\n"), KEEP_ALIVE_MS);
      try {
        let id = 0;
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          id += 1;
          send(`id: ${id}\ndata: ${JSON.stringify(stepView(next.value))}\n\n`);
        }
        end();
      } catch (error) {
        // The status line is long gone, and an error would take back events that still wait to be sent: a stream
        // that ends without `done` is how a client learns of it.
        end(gone ? undefined : error);
      }
      if (!gone) controller.close();
    },
    async cancel() {
      gone = true;
      end();
      await iterator.return?.();
    },
  });

  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      // nginx would hold events back otherwise.
      "x-accel-buffering": "no",
    },
  });
}

const PROBLEMS = [401, 404, 406, 422, 429, 503];

/** A company's tools, in one answer or as they are found. */
export const detectionRoutes = (
  app: Services,
  places: StreamPlaces,
  broke: (requestId: string, error: unknown) => void,
) => {
  const enrich = (request: Request, domain: string, query: { include?: string; max_age?: string }) => {
    const include = parseInclude(query.include);
    if (!include) {
      throw new HttpRefusal("request.invalid", "Ask for `evidence`, `sources`, or both with a comma.", {
        problems: [{ pointer: "/include", detail: "Only `evidence` and `sources` can be included." }],
      });
    }
    return withQuota(app, request, 1, async () => {
      const enrichment = await app.detection.enrich(domain, { ...ageOf(query.max_age), signal: request.signal });
      return jsonAnswer(request, enrichmentView(enrichment, include));
    });
  };

  const stream = (request: Request, domain: string, query: { max_age?: string }) =>
    withQuota(app, request, 1, async () => {
      const place = places.take();
      const gone = new AbortController();
      try {
        const steps = await app.detection.enrichSteps(domain, {
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
    withKeyAuth(app, "enrich", "/v1")
      .get("/enrich/:domain", ({ request, params, query }) => enrich(request, params.domain, query), {
        params: domainParam,
        query: enrichQuery,
        detail: openApiDetail(
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
        detail: openApiDetail(
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

/** Bounds how many event streams are open at once. */
interface StreamPlaces {
  /** @throws Failure `service.overloaded` when all are taken */
  take(): { leave(): void };
}

export function createStreamLimit(limit: number, metrics: Metrics): StreamPlaces {
  let taken = 0;
  return {
    take() {
      if (taken >= limit) {
        throw new Failure("service.overloaded", "Too many streams are open; ask again in a few seconds.", {
          retryAfterSeconds: 5,
        });
      }
      taken += 1;
      metrics.streamOpened();
      let here = true;
      return {
        leave() {
          if (!here) return;
          here = false;
          taken -= 1;
          metrics.streamClosed();
        },
      };
    },
  };
}
/** How the ways of looking fare. */
export const dataSourceRoutes = (app: Services) =>
  withOperatorAuth(app, "sources").get(
    "",
    async ({ request }) => jsonAnswer(request, await app.detection.sourceHealth()),
    {
      query: noQuery,
      detail: forOperator("sourceHealth", "How each way of looking fared in the latest scans", healthSchema, []),
    },
  );
