import { connect as connectTcp, isIP, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { Failure } from "../core/errors.ts";

/** The only place in which a connection for HTTP or a certificate is opened. Every address is vetted by the caller. */
export interface Target {
  readonly address: string;
  readonly port: number;
}

/**
 * @param extraCa PEM of authorities to trust beside the usual ones
 * @throws Failure `config.invalid` when no certificate is in it
 */
export function createTrust(extraCa: string | null): SecureContext | undefined {
  if (extraCa === null) return undefined;
  try {
    // Made once: reading some 260 roots anew costs several milliseconds at each connection.
    return createSecureContext({ ca: [...getCACertificates("default"), extraCa] });
  } catch {
    throw new Failure("config.invalid", "The file of net.ca_file holds no certificates in PEM that can be read.");
  }
}

/** Rejects with the socket's error, or with the signal's reason. */
export function dialTcp({ address, port }: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: address, port });
  return opened(socket, "connect", signal);
}

/** Tries vetted addresses in turn until one takes the connection, each for its share of `timeoutMs`. */
export async function dialFirst(
  addresses: readonly string[],
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  let last: unknown;
  for (const address of addresses) {
    const share = AbortSignal.timeout(Math.ceil(timeoutMs / addresses.length));
    try {
      return await dialTcp({ address, port }, AbortSignal.any([signal, share]));
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

export interface TlsOptions {
  /** Name for SNI and for the check of the certificate; an IP address is checked but not sent. */
  readonly host: string;
  readonly trust: SecureContext | undefined;
  /** False to look at a certificate without believing it; nothing secret may be sent then. */
  readonly verify: boolean;
}

/** Speaks TLS over a socket that is already open. The socket is destroyed with the result, or when this rejects. */
export async function secure(socket: Socket, options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    // What the certificate is checked against. As `host` alone an address is not sent as SNI, which takes names only.
    ...(isIP(options.host) === 0 ? { servername: options.host } : { host: options.host }),
    ...(options.trust ? { secureContext: options.trust } : {}),
    rejectUnauthorized: options.verify,
    ALPNProtocols: ["http/1.1"],
  });
  return opened(secured, "secureConnect", signal).catch((error) => {
    socket.destroy();
    throw error;
  });
}

const MAX_TUNNEL_REPLY = 8_192;

/**
 * Asks an HTTP proxy for a way to `host:port`. The proxy looks the name up, so only its owner can keep it from
 * internal addresses.
 */
export async function dialTunnel(
  proxy: URL,
  target: string,
  trust: SecureContext | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await dialProxy(proxy, trust, signal);
  try {
    const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
    const credentials = proxyCredentials(proxy);
    if (credentials) lines.push(`Proxy-Authorization: ${credentials}`);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const head = await readHead(socket, signal);
    const code = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? "no HTTP";
    if (code !== "200") throw new Error(`the proxy answered ${code}`);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** An https proxy is spoken to over TLS from the first byte, and must show a certificate of its name. */
export async function dialProxy(proxy: URL, trust: SecureContext | undefined, signal: AbortSignal): Promise<Socket> {
  const encrypted = proxy.protocol === "https:";
  const host = proxy.hostname.replace(/^\[|\]$/g, "");
  const socket = await dialTcp({ address: host, port: Number(proxy.port || (encrypted ? 443 : 80)) }, signal);
  return encrypted ? secure(socket, { host, trust, verify: true }, signal) : socket;
}

/** Value of Proxy-Authorization, or undefined when the proxy's URL has no user. */
export function proxyCredentials(proxy: URL): string | undefined {
  if (!proxy.username) return undefined;
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = "";
    const finish = (then: () => void) => {
      socket.off("data", read).off("error", reject).off("close", cut);
      signal.removeEventListener("abort", abort);
      socket.pause();
      then();
    };
    const read = (chunk: Buffer) => {
      head += chunk.toString("latin1");
      if (head.includes("\r\n\r\n")) finish(() => resolve(head));
      else if (head.length > MAX_TUNNEL_REPLY) finish(() => reject(new Error("the proxy's answer is too long")));
    };
    const cut = () => finish(() => reject(new Error("the proxy hung up")));
    const abort = () => finish(() => reject(signal.reason));
    socket.on("data", read).on("error", reject).on("close", cut);
    signal.addEventListener("abort", abort, { once: true });
  });
}

function opened<S extends Socket>(socket: S, event: "connect" | "secureConnect", signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown) => {
      signal.removeEventListener("abort", abort);
      // A late error of a socket that nobody waits for any more must not end the process.
      socket.on("error", () => {});
      socket.destroy();
      reject(reason);
    };
    const abort = () => fail(signal.reason);
    if (signal.aborted) return abort();
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("the connection was closed")));
    signal.addEventListener("abort", abort, { once: true });
    socket.once(event, () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", fail);
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
