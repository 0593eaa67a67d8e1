import { pino } from "pino";
import { createHttp, type HttpParts } from "../../src/api.ts";
import type { Services } from "../../src/compose.ts";
import { createConsole } from "../../src/console/routes.ts";
import { createMetrics } from "../../src/health/metrics.ts";
import type { HttpHandler, Lifecycle } from "../../src/http/server.ts";
import { createMcpHttp } from "../../src/mcp/http.ts";
import { type FakeAppOptions, fakeVerbs, openFakeApp } from "../services/fake-app.ts";

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Sent as `X-API-Key`. */
  readonly key?: string;
  /** Sent as the operator's bearer token. */
  readonly operator?: string | null;
  /** Address of the peer. */
  readonly peer?: string;
  readonly signal?: AbortSignal;
}

export interface Opened {
  readonly app: Services;
  readonly handler: HttpHandler;
  readonly lifecycle: Lifecycle;
  readonly calls: ReturnType<typeof fakeVerbs>["calls"];
  /** Every log line so far. */
  logged(): Record<string, unknown>[];
  ask(path: string, asked?: Asked): Promise<Response>;
  /** Issues a key through the application. */
  key(email?: string, limit?: number): Promise<string>;
}

/** Methods of services that a test replaces. */
export type AppChanges = {
  readonly [Service in keyof Services]?: Services[Service] extends (...args: never[]) => unknown
    ? Services[Service]
    : Partial<Services[Service]>;
};

/** The application with some methods of its services replaced. */
export function withChanges(app: Services, changes: AppChanges = {}): Services {
  const merged = Object.entries(changes).map(([name, change]) => {
    const service: unknown = Reflect.get(app, name);
    return [name, typeof change === "object" && typeof service === "object" ? { ...service, ...change } : change];
  });
  return { ...app, ...Object.fromEntries(merged) };
}

/** The HTTP surface over a fake application, ready to answer, with its log in memory. */
export async function open(
  options: FakeAppOptions & {
    readonly settings?: Partial<HttpParts["settings"]>;
    readonly app?: AppChanges;
    /** With the pages and sessions of the console. */
    readonly withConsole?: boolean;
  } = {},
): Promise<Opened> {
  const { verbs, calls } = fakeVerbs();
  const app = withChanges(await openFakeApp({ verbs, ...options }), options.app);
  const lines: string[] = [];
  const lifecycle: Lifecycle = { state: "ready" };
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const handler = createHttp({
    app,
    log,
    ...(options.withConsole
      ? {
          console: createConsole(app, {
            consoleUrl: "http://casefile.test",
            onSignInError: (err) => log.warn({ err }, "a sign-in failed"),
          }),
        }
      : {}),
    agents: createMcpHttp({ services: app, onBug: (tool, err) => log.error({ tool, err }, "a tool broke") }),
    metrics: createMetrics(app),
    lifecycle,
    settings: {
      metricsPublic: false,
      trustProxyHops: 0,
      maxStreams: 10,
      addresses: { host: "127.0.0.1", origins: ["http://casefile.test"] },
      ...options.settings,
    },
  });
  return {
    app,
    handler,
    lifecycle,
    calls,
    logged: () => lines.map((line) => JSON.parse(line)),
    ask: (path, asked = {}) => handler(requestOf(path, asked), asked.peer ?? "127.0.0.1"),
    async key(email = "ana@brightpine.test", limit) {
      const { api_key } = await app.accounts.issue(email);
      if (limit !== undefined) await app.accounts.setLimit(email, limit);
      return api_key;
    },
  };
}

function requestOf(path: string, { method, headers, json, body, key, operator, signal }: Asked): Request {
  const sent = json === undefined ? body : JSON.stringify(json);
  return new Request(`http://casefile.test${path}`, {
    method: method ?? (sent === undefined ? "GET" : "POST"),
    headers: {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(typeof sent === "string" ? { "content-length": String(Buffer.byteLength(sent)) } : {}),
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(operator ? { authorization: `Bearer ${operator}` } : {}),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal ? { signal } : {}),
  });
}

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly unknown?: readonly string[];
}

/** The problem of a response; throws when it is not a problem or its parts disagree. */
export async function problemOf(response: Response): Promise<ProblemBody> {
  const type = response.headers.get("content-type");
  if (type !== "application/problem+json") throw new Error(`no problem but ${response.status} ${type}`);
  const body: unknown = await response.json();
  if (!isProblem(body)) throw new Error(`no problem details: ${JSON.stringify(body)}`);
  const extra = Object.keys(body).filter((name) => !FIELDS.includes(name));
  if (extra.length > 0) throw new Error(`fields that no problem has: ${extra}`);
  if (body.status !== response.status) throw new Error(`${body.status} in an answer of ${response.status}`);
  if (body.request_id !== response.headers.get("x-request-id")) throw new Error("another request's id");
  return body;
}

const ALWAYS = ["type", "title", "status", "detail", "code", "request_id"];
const FIELDS = [...ALWAYS, "errors", "unknown"];

const isProblem = (value: unknown): value is ProblemBody =>
  typeof value === "object" &&
  value !== null &&
  ALWAYS.every((name) => typeof Reflect.get(value, name) === (name === "status" ? "number" : "string"));

/** The JSON of a response, typed as far as a test reads it. */
export const jsonOf = async (response: Response): Promise<JsonObject> => JSON.parse(await response.text());

// biome-ignore lint/suspicious/noExplicitAny: the tests compare responses with literals, not types
type JsonObject = Record<string, any>;
