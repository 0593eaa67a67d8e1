import type { PeerCertificate, SecureContext, TLSSocket } from "node:tls";
import type { Semaphore } from "../core/async.ts";
import { parseInstant } from "../core/dates.ts";
import { dialFirst, dialTunnel, resolveAllowedAddresses, startTls, withoutBrackets } from "./dial.ts";
import { describeError } from "./exchange.ts";
import type { Policy } from "./policy.ts";
import type { Resolver } from "./resolver.ts";
import type { CertificateAnswer, LookupStatus } from "./snapshot.ts";

export interface CertificateSettings {
  /** Milliseconds for connecting and the handshake. */
  readonly certificateMs: number;
  /** See `HttpSettings`. */
  readonly proxy: string | null;
  readonly connectPorts: ReadonlyMap<number, number>;
}

const HTTPS = 443;
const MAX_NAMES = 500;
const MAX_TEXT = 500;

/**
 * Reads the certificate that `host` presents on port 443 without trusting it: an untrusted certificate is a result too,
 * and its `detail` says so. Rejects only when `signal` aborts.
 */
export async function readCertificate(
  host: string,
  settings: CertificateSettings,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  trust: SecureContext | undefined,
  semaphore: Semaphore,
  signal: AbortSignal,
): Promise<CertificateAnswer> {
  const name = host.toLowerCase().replace(/\.$/, "");
  const url = URL.parse(`https://${name}/`);
  const refusal = url?.pathname === "/" ? policy.refusal(url) : "not a host name";
  if (!url || refusal !== null) return noCertificate(name, "refused", refusal ?? "not a host name");

  const connect = async (limit: AbortSignal) => {
    if (settings.proxy !== null) return dialTunnel(new URL(settings.proxy), `${url.hostname}:${HTTPS}`, trust, limit);
    const resolved = await resolveAllowedAddresses(url.hostname, policy, resolver, limit);
    if ("status" in resolved) return resolved;
    const port = settings.connectPorts.get(HTTPS) ?? HTTPS;
    return dialFirst(resolved.addresses, port, settings.certificateMs, limit);
  };

  const release = await semaphore.acquire(signal);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.certificateMs)]);
  let socket: TLSSocket | undefined;
  try {
    const connected = await connect(limit);
    if ("status" in connected) return noCertificate(name, connected.status, connected.detail);
    socket = await startTls(connected, { host: withoutBrackets(url.hostname), trust, verify: false }, limit);
    return read(name, socket);
  } catch (error) {
    signal.throwIfAborted();
    return limit.aborted
      ? noCertificate(name, "timeout", `no certificate within ${settings.certificateMs} ms`)
      : noCertificate(name, "failed", describeError(error));
  } finally {
    socket?.destroy();
    release();
  }
}

/** The result for a host without a certificate. */
export function noCertificate(host: string, status: Exclude<LookupStatus, "ok">, detail: string): CertificateAnswer {
  const none = { issuer: null, subject: "", names: [], valid_from: null, valid_to: null };
  return { host: host.slice(0, 253), status, ...none, detail };
}

function read(host: string, socket: TLSSocket): CertificateAnswer {
  const peer: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (!peer.issuer || !peer.subject) return noCertificate(host, "failed", "the server presented no certificate");
  const reason = String(socket.authorizationError ?? "");
  return {
    host,
    status: "ok",
    issuer: { organisation: text(peer.issuer.O), name: text(peer.issuer.CN) },
    subject: text(peer.subject.CN),
    names: namesOf(peer.subjectaltname ?? ""),
    valid_from: parseInstant(peer.valid_from) ?? null,
    valid_to: parseInstant(peer.valid_to) ?? null,
    ...(socket.authorized ? {} : { detail: `not trusted${/^[A-Z0-9_]{1,60}$/.test(reason) ? ` (${reason})` : ""}` }),
  };
}

/** The runtime lists the names as `DNS:a, DNS:b`; names of other kinds and quoted names are skipped. */
function namesOf(list: string): string[] {
  const names = list.split(", ").flatMap((part) => {
    const name = part.startsWith("DNS:") ? part.slice(4).toLowerCase() : "";
    return /^[a-z0-9_*.-]{1,253}$/.test(name) ? name : [];
  });
  return [...new Set(names)].slice(0, MAX_NAMES);
}

function text(value: string | string[] | undefined): string {
  const first = Array.isArray(value) ? value[0] : value;
  return (first ?? "").replace(/[\x00-\x1f\x7f]/g, " ").slice(0, MAX_TEXT);
}
