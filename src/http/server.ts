import { errorCode, Failure } from "../core/errors.ts";
import { MAX_LIST_BYTES } from "./requests.ts";

/** Answers one request; `peer` is the address at the other end of the connection. Never rejects. */
export type HttpHandler = (request: Request, peer: string) => Promise<Response>;

/** The state of the service, which requests are checked against. */
export interface Lifecycle {
  /** `leaving`: requests are answered, and `/readyz` says that the next ones should go elsewhere. */
  state: "starting" | "ready" | "leaving" | "draining";
  /** While it is starting: what it waits for. */
  waitsFor?: string | undefined;
  /** Aborts when the drain is over, with the failure that open requests are then answered with. */
  readonly drained?: AbortSignal | undefined;
}

export interface Serving {
  readonly url: string;
  /** Also where the URL leaves out the default one. */
  readonly port: number;
  /**
   * Answers new requests with 503 and waits up to `drainMs` for those in progress. Then calls `endRequests`, after which
   * they have a second to be answered, and closes all connections.
   */
  stop(drainMs: number, endRequests?: () => void): Promise<void>;
}

/** Above the limits of the handler, so that the handler sends the error. */
const MAX_REQUEST_BYTES = 2 * MAX_LIST_BYTES;
/** Idle timeout of connections; a stream sends a comment every 5 seconds. */
const IDLE_SECONDS = 30;
const BACKUP_PATH = "/admin/backup";
/** For requests that were sent before the stop: they are still read, and answered with 503. */
const UNREAD_REQUESTS_MS = 50;
/** For the responses to requests that were ended. */
const LAST_RESPONSES_MS = 1_000;

export interface Listen {
  readonly host: string;
  readonly port: number;
  /** Idle timeout of connections; 30 by default. */
  readonly idleSeconds?: number;
}

/** Listens on the port. @throws Failure `config.invalid` if the system refuses */
export function serveHttp(handler: HttpHandler, listen: Listen, lifecycle: Lifecycle): Serving {
  const { idleSeconds = IDLE_SECONDS } = listen;
  const answering = new Set<Promise<Response>>();
  const server = withListenError(listen, () =>
    Bun.serve({
      hostname: listen.host,
      port: listen.port,
      idleTimeout: idleSeconds,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      development: false,
      // By default Bun shares a port with other processes outside development.
      reusePort: false,
      fetch(request, self) {
        // A busy service may need longer for an answer than its client may be idle. One that sends a body may stop to.
        const owesAnswer = request.method === "GET" || request.method === "HEAD";
        if (owesAnswer) self.timeout(request, 0);
        const answer = handler(request, self.requestIP(request)?.address ?? "unknown");
        answering.add(answer);
        return answer
          .then((response) => {
            // A large backup sends nothing for longer than the idle timeout until it is made.
            // Without a Host header the URL is only a path.
            const isBackup = URL.parse(request.url, "http://localhost")?.pathname === BACKUP_PATH;
            if (owesAnswer && !isBackup) self.timeout(request, idleSeconds);
            return closingAfter(request, response);
          })
          .finally(() => answering.delete(answer));
      },
    }),
  );
  const port = server.port ?? listen.port;
  return {
    port,
    url: `http://${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${port}`,
    async stop(drainMs, endRequests = () => {}) {
      lifecycle.state = "draining";
      // A closed listener resets the connections whose request was not read yet.
      await Bun.sleep(UNREAD_REQUESTS_MS);
      const deadline = performance.now() + drainMs;
      const isDrained = await settlesWithin(Promise.allSettled(answering), drainMs);
      // Responses that are still being sent, such as streams.
      const sent = () => server.stop(false);
      if (isDrained && (await settlesWithin(sent(), deadline - performance.now()))) return;
      endRequests();
      await settlesWithin(Promise.allSettled(answering), LAST_RESPONSES_MS);
      if (!(await settlesWithin(sent(), LAST_RESPONSES_MS))) await server.stop(true);
    },
  };
}

/**
 * Bun reads the trailers of a chunked body, and what follows a CONNECT, as the next request. A connection that ends with
 * this response has no next one.
 */
function closingAfter({ method, headers }: Request, response: Response): Response {
  if (method !== "CONNECT" && !headers.has("transfer-encoding")) return response;
  const closing = new Headers(response.headers);
  closing.set("connection", "close");
  return new Response(response.body, { status: response.status, headers: closing });
}

async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), milliseconds);
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The system has no file descriptor left, for any address. */
const EXHAUSTED = new Set(["EMFILE", "ENFILE"]);

/**
 * Bun sometimes reports the code of an earlier error (an unknown host as `EADDRINUSE`), so another attempt decides
 * whether the host or the port is at fault.
 */
function withListenError<T>({ host, port }: { host: string; port: number }, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = errorCode(error);
    if (code === "") throw error;
    throw new Failure("config.invalid", `Cannot listen on ${host}${listenFault(host, port, code)}`);
  }
}

function listenFault(host: string, port: number, code: string): string {
  if (EXHAUSTED.has(code)) return ` port ${port}: ${code}. Allow more open files.`;
  if (!hasAddress(host)) return ": not an address of this machine. Choose another with --host.";
  if (code.startsWith("ERR_")) return ` port ${port}: ${code}. Choose another with --port.`;
  const reason = code === "EACCES" ? "permission denied" : "the port is in use";
  return ` port ${port}: ${reason}. Choose another with --port.`;
}

/** Whether this machine can listen on the address, on a port that the system chooses. */
function hasAddress(hostname: string): boolean {
  try {
    Bun.listen({ hostname, port: 0, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
