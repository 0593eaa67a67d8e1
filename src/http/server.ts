import { Failure } from "../core/errors.ts";

/** Answers one request; `peer` is the address at the other end of the connection. Never rejects. */
export type HttpHandler = (request: Request, peer: string) => Promise<Response>;

/** The state of the service, which requests are checked against. */
export interface Lifecycle {
  state: "starting" | "ready" | "draining";
}

export interface Serving {
  readonly url: string;
  /** Refuses new work, lets open requests end for at most `drainMs`, then cuts them. */
  stop(drainMs: number): Promise<void>;
}

/** More than the largest body that a handler reads, so that the handler words the refusal. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
/** Seconds a connection may be silent; a stream sends a comment every five. */
const IDLE_SECONDS = 30;
const BACKUP_PATH = "/admin/backup";

/** Opens the port. @throws Failure `config.invalid` when the system does not give it */
export function serveHttp(handler: HttpHandler, listen: { host: string; port: number }, lifecycle: Lifecycle): Serving {
  const server = orRefused(listen, () =>
    Bun.serve({
      hostname: listen.host,
      port: listen.port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      development: false,
      // Outside development Bun shares a port unless it is told not to.
      reusePort: false,
      fetch(request, self) {
        // A large backup is silent for longer than that until it is made.
        // A request without a host has a path for an address.
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

/** Of an address that the system does not have; a name that nobody knows is told by the same codes. */
const NO_SUCH_HOST = new Set(["EADDRNOTAVAIL", "EINVAL", "EAFNOSUPPORT", "ENOTFOUND", "ERR_INVALID_ARG_TYPE"]);
const TAKEN: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses it",
  EACCES: "this user may not",
};

function orRefused<T>({ host, port }: { host: string; port: number }, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    const advice = NO_SUCH_HOST.has(code)
      ? `Cannot listen on ${host}: it is no address of this machine; choose another with --host.`
      : code in TAKEN
        ? `Cannot listen on ${host} port ${port}: ${TAKEN[code]}; choose another with --port.`
        : `Cannot listen on ${host} port ${port}: the system refuses it (${code}); choose others with --host and --port.`;
    throw new Failure("config.invalid", advice);
  }
}
