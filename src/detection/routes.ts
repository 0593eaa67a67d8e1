import { callerOf, forOperator, withKeyAuth, withOperatorAuth, withQuota } from "../accounts/http-auth.ts";
import type { Accounts, Operator } from "../accounts/service.ts";
import { Failure } from "../core/errors.ts";
import type { Metrics } from "../http/metrics.ts";
import { openApiDetail } from "../http/openapi.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import { parseMinConfidence } from "./levels.ts";
import { domainParam, enrichmentSchema, enrichQuery, healthSchema, streamEventSchema, streamQuery } from "./schemas.ts";
import type { DetectionService } from "./service.ts";
import type { Step } from "./types.ts";
import { enrichmentView, INCLUDED, parseInclude, stepView } from "./view.ts";

/** Proxies close silent connections; a comment keeps them open, and `EventSource` ignores it. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Sends steps as unnamed server-sent events: `id: n`, `data: {…}`.
 *
 * @param onEnd called once, when the stream ends or the client disconnects
 */
function eventStream(steps: AsyncIterable<Step>, onEnd: (error?: unknown) => void): Response {
  const encoder = new TextEncoder();
  const iterator = steps[Symbol.asyncIterator]();
  let ended = false;
  let disconnected = false;
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
        // The status was already sent, and an error would discard queued events: the client notices a failure because
        // the stream ends without `done`.
        end(disconnected ? undefined : error);
      }
      if (!disconnected) controller.close();
    },
    async cancel() {
      disconnected = true;
      end();
      await iterator.return?.();
    },
  });

  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      // Turns off the response buffering of nginx.
      "x-accel-buffering": "no",
    },
  });
}

const PROBLEMS = [401, 404, 406, 422, 429, 503];

interface DetectionRouteServices {
  readonly detection: DetectionService;
  readonly accounts: Accounts;
}

/**
 * The tools of a company, in one answer or as a stream.
 *
 * @param onError receives what breaks a stream after its status was sent
 */
export const detectionRoutes = (
  services: DetectionRouteServices,
  streamLimit: StreamLimit,
  onError: (requestId: string, error: unknown) => void,
) => {
  const { detection } = services;

  const enrich = (request: Request, domain: string, query: EnrichQuery) => {
    const include = parseInclude(query.include);
    if (!include) {
      throw new HttpRefusal(
        "request.invalid",
        `Unknown include "${query.include}": use ${INCLUDED.join(", ")}, separated by commas.`,
        {
          problems: [
            { pointer: "/include", detail: "Only `evidence`, `sources` and `third_parties` can be included." },
          ],
        },
      );
    }
    return withQuota(services, request, 1, async () => {
      const options = { ...optionsOf(query), signal: request.signal, caller: callerOf(request) };
      return jsonAnswer(request, enrichmentView(await detection.enrich(domain, options), include));
    });
  };

  const stream = (request: Request, domain: string, query: EnrichQuery) =>
    withQuota(services, request, 1, async () => {
      const release = streamLimit.acquire();
      const disconnected = new AbortController();
      try {
        const steps = await detection.enrichSteps(domain, {
          ...optionsOf(query),
          caller: callerOf(request),
          signal: AbortSignal.any([disconnected.signal, request.signal]),
        });
        return eventStream(steps, (error) => {
          if (error !== undefined && !(error instanceof Failure)) onError(contextOf(request).id, error);
          disconnected.abort(new Error("the stream is closed"));
          release();
        });
      } catch (error) {
        release();
        throw error;
      }
    });

  return (
    withKeyAuth(services, "enrich", "/v1")
      .get("/enrich/:domain", ({ request, params, query }) => enrich(request, params.domain, query), {
        params: domainParam,
        query: enrichQuery,
        detail: openApiDetail(
          "enrich",
          "List the tools that a company uses",
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
          "Stream the tools of a company as they are detected",
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
      // A domain pasted as a URL contains slashes.
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

interface EnrichQuery {
  readonly include?: string;
  readonly max_age?: string;
  readonly min_confidence?: string;
}

const optionsOf = ({ max_age, min_confidence }: EnrichQuery) => ({
  maxAgeSeconds: toSeconds(max_age),
  minConfidence: min_confidence === undefined ? undefined : parseMinConfidence(min_confidence),
});

const toSeconds = (maxAge: string | undefined) =>
  maxAge === undefined ? undefined : maxAge === "any" ? Number.POSITIVE_INFINITY : Number(maxAge);

/** Limits the number of open event streams. */
interface StreamLimit {
  /** @returns a function that releases the stream. @throws Failure `service.overloaded` */
  acquire(): () => void;
}

export function createStreamLimit(limit: number, metrics: Pick<Metrics, "streamOpened" | "streamClosed">): StreamLimit {
  let open = 0;
  return {
    acquire() {
      if (open >= limit) {
        throw new Failure("service.overloaded", "Too many streams are open; try again in a few seconds.", {
          retryAfterSeconds: 5,
        });
      }
      open += 1;
      metrics.streamOpened();
      let released = false;
      return () => {
        if (released) return;
        released = true;
        open -= 1;
        metrics.streamClosed();
      };
    },
  };
}

/** The status of each data source. */
export const dataSourceRoutes = (services: { readonly detection: DetectionService; readonly operator: Operator }) =>
  withOperatorAuth(services, "sources").get(
    "",
    async ({ request }) => jsonAnswer(request, await services.detection.sourceHealth()),
    {
      query: noQuery,
      detail: forOperator("sourceHealth", "Show the status of each data source in recent scans", healthSchema, []),
    },
  );
