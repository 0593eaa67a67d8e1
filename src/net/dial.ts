import { connect as connectTcp, isIP, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { onAbort } from "../core/async.ts";
import { isReservedTop, topLevelOf } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import type { Policy } from "./policy.ts";
import type { Resolver } from "./resolver.ts";
import type { DnsAnswer, HttpFault, RecordType } from "./snapshot.ts";
import { knowsTopLevel } from "./top-level.ts";

/** The allowed addresses of a host in the order to try them, or the reason why there are none. */
type AllowedAddresses =
  | { readonly addresses: readonly [string, ...string[]] }
  | { readonly status: "failed" | "timeout" | "refused"; readonly detail: string; readonly fault: HttpFault };

/** Addresses of one host to try before it counts as down. */
const MAX_ADDRESSES = 3;

/**
 * Resolves a host once and checks its addresses against the policy. Callers must connect to these addresses and not to
 * the name: a second lookup could return other ones (DNS rebinding).
 */
export async function resolveAllowedAddresses(
  host: string,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  signal: AbortSignal,
): Promise<AllowedAddresses> {
  const literal = withoutBrackets(host);
  if (isIP(literal) !== 0) return selectAllowed([literal], policy);
  const answers = await Promise.all([resolver.lookup(host, "A", signal), resolver.lookup(host, "AAAA", signal)]);
  // IPv4 first: hosts without an IPv6 route are common, hosts without an IPv4 route are not.
  const [first, ...rest] = answers.flatMap((answer) =>
    answer.records.flatMap(({ type, value }) => (type === "A" || type === "AAAA" ? value : [])),
  );
  if (first !== undefined) return selectAllowed([first, ...rest], policy);
  return unresolved(host, answers, (name, type) => resolver.lookup(name, type, signal));
}

function selectAllowed(found: readonly [string, ...string[]], policy: Policy): AllowedAddresses {
  const [first, ...rest] = found.filter((ip) => policy.addressAllowed(ip));
  if (first === undefined)
    return { status: "refused", detail: `the address ${found[0]} is not allowed`, fault: "forbidden" };
  return { addresses: [first, ...rest.slice(0, MAX_ADDRESSES - 1)] };
}

async function unresolved(
  host: string,
  answers: readonly DnsAnswer[],
  lookup: (name: string, type: RecordType) => Promise<DnsAnswer>,
): Promise<AllowedAddresses> {
  const open = answers.find(({ status }) => status === "timeout") ?? answers.find(({ status }) => status === "failed");
  const name = host.slice(0, 253);
  if (open) {
    const status = open.status === "timeout" ? "timeout" : "failed";
    return { status, detail: open.detail ?? `${name} has no address`, fault: "dns_failed" };
  }
  const isMissing = answers.some(({ status }) => status === "nxdomain");
  if (isMissing && !(await knowsTopLevel(host, lookup)))
    return { status: "failed", detail: "the DNS server does not know the top-level domain", fault: "dns_failed" };
  const missing = isReservedTop(topLevelOf(host)) ? "reserved_name" : "no_such_name";
  return { status: "failed", detail: `${name} has no address`, fault: isMissing ? missing : "no_address" };
}

/** The address of a URL's host name, in which IPv6 addresses have brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, "");

export interface Target {
  readonly address: string;
  readonly port: number;
}

/**
 * @param extraCa PEM text of certificate authorities to trust in addition to the default ones
 * @throws Failure `config.invalid` when it holds no certificate
 */
export function createTrust(extraCa: string | null): SecureContext | undefined {
  if (extraCa === null) return undefined;
  try {
    // Built once: reading about 260 roots takes several milliseconds.
    return createSecureContext({ ca: [...getCACertificates("default"), extraCa] });
  } catch {
    throw new Failure("config.invalid", "The file in net.ca_file contains no certificate in PEM format.");
  }
}

/** Connects to an address that the caller has checked. Rejects with the error of the socket or the reason of the signal. */
export function dialTcp({ address, port }: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: address, port });
  return whenOpen(socket, "connect", signal);
}

/** Tries the checked addresses in order until one accepts the connection, each for its share of `timeoutMs`. */
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
  /** Name for SNI and for the verification of the certificate; an IP address is verified but not sent. */
  readonly host: string;
  readonly trust: SecureContext | undefined;
  /** False to read a certificate without trusting it; nothing secret may be sent then. */
  readonly verify: boolean;
}

/** Starts TLS on an open socket, which is destroyed together with the result or when this rejects. */
export async function startTls(socket: Socket, options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    // SNI allows names only; an address as `host` is verified and not sent.
    ...(isIP(options.host) === 0 ? { servername: options.host } : { host: options.host }),
    secureContext: options.trust,
    rejectUnauthorized: options.verify,
    ALPNProtocols: ["http/1.1"],
  });
  return whenOpen(secured, "secureConnect", signal).catch((error) => {
    socket.destroy();
    throw error;
  });
}

const MAX_TUNNEL_REPLY = 8_192;

/**
 * Opens a tunnel to `host:port` through an HTTP proxy. The proxy resolves the name, so only the proxy can block internal
 * addresses.
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

/** Connects to a proxy; an https proxy must present a valid certificate for its name. */
export async function dialProxy(proxy: URL, trust: SecureContext | undefined, signal: AbortSignal): Promise<Socket> {
  const encrypted = proxy.protocol === "https:";
  const host = withoutBrackets(proxy.hostname);
  const socket = await dialTcp({ address: host, port: Number(proxy.port || (encrypted ? 443 : 80)) }, signal);
  return encrypted ? startTls(socket, { host, trust, verify: true }, signal) : socket;
}

/** The value of `Proxy-Authorization`; undefined when the URL of the proxy has no user. */
export function proxyCredentials(proxy: URL): string | undefined {
  if (!proxy.username) return undefined;
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = "";
    let stopListening = () => {};
    const finish = (then: () => void) => {
      socket.off("data", read).off("error", reject).off("close", cut);
      stopListening();
      socket.pause();
      then();
    };
    const read = (chunk: Buffer) => {
      head += chunk.toString("latin1");
      if (head.includes("\r\n\r\n")) finish(() => resolve(head));
      else if (head.length > MAX_TUNNEL_REPLY) finish(() => reject(new Error("the proxy's answer is too long")));
    };
    const cut = () => finish(() => reject(new Error("the proxy closed the connection")));
    socket.on("data", read).on("error", reject).on("close", cut);
    stopListening = onAbort(signal, () => finish(() => reject(signal.reason)));
  });
}

function whenOpen<S extends Socket>(socket: S, event: "connect" | "secureConnect", signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    let stopListening = () => {};
    const fail = (reason: unknown) => {
      stopListening();
      // Without a listener, a late error would end the process.
      socket.on("error", () => {});
      socket.destroy();
      reject(reason);
    };
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("the connection was closed")));
    stopListening = onAbort(signal, () => fail(signal.reason));
    socket.once(event, () => {
      stopListening();
      socket.off("error", fail);
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
