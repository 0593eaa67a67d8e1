import { once } from "node:events";
import { createServer as createPlain, type Server, type Socket } from "node:net";
import { createServer as createSecure, createSecureContext, type SecureContext } from "node:tls";
import type { Authority } from "./authority.ts";
import {
  companyOf,
  type Fault,
  findPage,
  type Page,
  type PageFields,
  type Sites,
  type WebFault,
  type World,
} from "./company.ts";
import { head, pageBody, pageHeaders, pageStatus, parseRequest, type Request } from "./http-wire.ts";
import { misbehave } from "./web-faults.ts";

export interface WebServer {
  readonly httpPort: number;
  readonly httpsPort: number;
  close(): Promise<void>;
}

export interface WebHit {
  readonly kind: "http";
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the box was opened. */
  readonly at: number;
}

/** Called at each request, so that the description can change while the server runs. */
export interface WebSource {
  world(): World;
  sites(): Sites;
  saw(hit: Omit<WebHit, "at">): void;
}

/**
 * Every described host, by Host header on http and by server name on https, each with a separate certificate.
 * HTTP/1.1 by hand on bare sockets, because most faults are things that a well-made server cannot be made to do.
 * A request whose Host is not the TLS server name is answered 421, as the large CDNs do.
 */
export async function startWeb(source: WebSource, authority: Authority, address: string): Promise<WebServer> {
  const sockets = new Set<Socket>();
  const timers = new Set<ReturnType<typeof setInterval>>();
  const later = (milliseconds: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, milliseconds);
    timers.add(timer);
  };
  const every = (milliseconds: number, act: () => void) => {
    const timer = setInterval(act, milliseconds);
    timers.add(timer);
    return () => {
      timers.delete(timer);
      clearInterval(timer);
    };
  };

  const serve = (socket: Socket, scheme: "http" | "https", serverName?: string) => {
    let held: Buffer = Buffer.alloc(0);
    let busy = false;
    const next = () => {
      const request = busy ? undefined : parseRequest(held);
      if (request === null) socket.destroy();
      if (!request || socket.destroyed) return;
      held = held.subarray(request.length);
      const host = (request.headers.host ?? "").toLowerCase().replace(/:\d+$/, "");
      source.saw({
        kind: "http",
        method: request.method,
        url: `${scheme}://${host}${request.target}`,
        headers: request.headers,
      });
      const fault = webFault(source.world(), host, request.target);
      busy = true;
      // What is wrong with its TLS does not concern plain http.
      if (fault && fault !== "no-tls") return misbehave(fault, socket, every);
      const page =
        serverName !== undefined && serverName !== host ? MISDIRECTED : pageFor(source, scheme, host, request.target);
      const reply = () => {
        if (socket.destroyed) return;
        respond(socket, request, page);
        busy = false;
        next();
      };
      const delayMs = typeof page === "string" ? 0 : (page.delayMs ?? 0);
      if (delayMs > 0) later(delayMs, reply);
      else reply();
    };
    socket.on("data", (bytes: Buffer) => {
      held = Buffer.concat([held, bytes]);
      next();
    });
  };

  const watch = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };

  const plain = createPlain((socket) => {
    watch(socket);
    serve(socket, "http");
  });

  const contexts = certificates(source, authority);
  const secure = createSecure({
    ...authority.issue({ names: ["unknown-host.test"] }),
    SNICallback(name, done) {
      const host = name.toLowerCase();
      const fault = webFault(source.world(), host);
      if (fault === "no-tls") done(new Error("this host has no TLS"));
      // Never calling back leaves the client waiting inside the handshake.
      else if (fault !== "slow-tls") done(null, contexts(host));
    },
  });
  secure.on("connection", watch);
  secure.on("secureConnection", (socket) => {
    watch(socket);
    serve(socket, "https", typeof socket.servername === "string" ? socket.servername.toLowerCase() : undefined);
  });
  secure.on("tlsClientError", (_error, socket) => socket.destroy());

  const httpPort = await listen(plain, address);
  const httpsPort = await listen(secure, address);
  return {
    httpPort,
    httpsPort,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await Promise.all([plain, secure].map((server) => new Promise<void>((done) => server.close(() => done()))));
    },
  };
}

async function listen(server: Server, address: string): Promise<number> {
  server.listen(0, address);
  await once(server, "listening");
  const bound = server.address();
  return bound !== null && typeof bound === "object" ? bound.port : 0;
}

/** Each holds some 50 KB. */
const MAX_CONTEXTS = 2_000;

/** One certificate for each server name, made when it is first asked for, and again when many others were. */
function certificates(source: WebSource, authority: Authority): (host: string) => SecureContext {
  const made = new Map<string, SecureContext>();
  return (host) => {
    const described = companyOf(source.world(), host)?.certificate ?? { names: [host] };
    const key = JSON.stringify(described);
    const context = made.get(key) ?? createSecureContext(authority.issue(described));
    // The oldest is first.
    made.delete(key);
    made.set(key, context);
    for (const oldest of made.keys()) {
      if (made.size <= MAX_CONTEXTS) break;
      made.delete(oldest);
    }
    return context;
  };
}

const MISDIRECTED: Page = { status: 421, body: "This host is not served on this connection." };

function pageFor(source: WebSource, scheme: "http" | "https", host: string, target: string): Page {
  const company = companyOf(source.world(), host);
  if (scheme === "http" && company && company.plain !== "same") {
    return { status: 301, redirect: `https://${host}${target}` };
  }
  return findPage(source.sites(), host, target) ?? { status: 404, body: "<title>Not found</title>" };
}

/** The asker has this very page. */
const isKnown = ({ headers }: PageFields, known: string | undefined): boolean =>
  known !== undefined && Object.entries(headers ?? {}).some(([name, value]) => /^etag$/i.test(name) && value === known);

function respond(socket: Socket, { method, headers }: Request, page: Page): void {
  const described = typeof page === "string" ? { body: page } : page;
  const fields = isKnown(described, headers["if-none-match"]) ? { ...described, status: 304, body: "" } : described;
  const body = Buffer.from(pageBody(fields));
  const closing = headers.connection?.toLowerCase() === "close";
  const length: [string, string] = ["content-length", String(body.length)];
  socket.write(
    head(pageStatus(fields), [...pageHeaders(fields), length, ...(closing ? [["connection", "close"] as const] : [])]),
  );
  if (method !== "HEAD") socket.write(body);
  if (closing) socket.end();
}

const isWeb = (fault: Fault): fault is Extract<Fault, { host: string }> => "host" in fault;

/** The fault of a host; with a target also those of its path. */
export function webFault(world: World, host: string, target?: string): WebFault | undefined {
  const path = target?.split("?", 1)[0];
  return world.faults
    ?.filter(isWeb)
    .find((each) => each.host.toLowerCase() === host && (each.path === undefined || each.path === path))?.fault;
}
