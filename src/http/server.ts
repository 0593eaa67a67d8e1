import { errorCode, Failure } from "../core/errors.ts";

/** Answers one request; `peer` is the address at the other end of the connection. Never rejects. */
export type HttpHandler = (request: Request, peer: string) => Promise<Response>;

/** The state of the service, which requests are checked against. */
export interface Lifecycle {
  state: "starting" | "ready" | "draining";
}

export interface Serving {
  readonly url: string;
  /** Refuses new requests, waits up to `drainMs` for requests in progress, then closes all connections. */
  stop(drainMs: number): Promise<void>;
}

/** Above the limit of the handler, so that the handler sends the error. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
/** Idle timeout of connections; a stream sends a comment every 5 seconds. */
const IDLE_SECONDS = 30;
const BACKUP_PATH = "/admin/backup";

/** Listens on the port. @throws Failure `config.invalid` if the system refuses */
export function serveHttp(handler: HttpHandler, listen: { host: string; port: number }, lifecycle: Lifecycle): Serving {
  const server = withListenError(listen, () =>
    Bun.serve({
      hostname: listen.host,
      port: listen.port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      development: false,
      // By default Bun shares a port with other processes outside development.
      reusePort: false,
      fetch(request, self) {
        // A large backup sends nothing for longer than the idle timeout until it is made.
        // Without a Host header the URL is only a path.
        if (URL.parse(request.url, "http://localhost")?.pathname === BACKUP_PATH) self.timeout(request, 0);
        return handler(request, self.requestIP(request)?.address ?? "unknown");
      },
    }),
  );
  return {
    url: `http://${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${server.port}`,
    async stop(drainMs) {
      lifecycle.state = "draining";
      const late = Promise.withResolvers<"late">();
      const timer = setTimeout(() => late.resolve("late"), drainMs);
      const ended = await Promise.race([server.stop(false), late.promise]);
      clearTimeout(timer);
      if (ended === "late") await server.stop(true);
    },
  };
}

/** Errors for an address that this machine does not have, and for unknown host names. */
const NO_SUCH_HOST = new Set(["EADDRNOTAVAIL", "EINVAL", "EAFNOSUPPORT", "ENOTFOUND", "ERR_INVALID_ARG_TYPE"]);
const PORT_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "permission denied",
};

function withListenError<T>({ host, port }: { host: string; port: number }, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = errorCode(error);
    if (code === "") throw error;
    const message = NO_SUCH_HOST.has(code)
      ? `Cannot listen on ${host}: not an address of this machine. Choose another with --host.`
      : code in PORT_ERRORS
        ? `Cannot listen on ${host} port ${port}: ${PORT_ERRORS[code]}. Choose another with --port.`
        : `Cannot listen on ${host} port ${port}: ${code}. Choose others with --host and --port.`;
    throw new Failure("config.invalid", message);
  }
}
