import type { PeerCertificate, SecureContext, TLSSocket } from "node:tls";
import type { Semaphore } from "../core/async.ts";
import { resolveAllowedAddresses } from "./client.ts";
import { dialFirst, dialTunnel, secure } from "./dial.ts";
import { describe } from "./exchange.ts";
import type { Policy } from "./policy.ts";
import type { Resolver } from "./resolver.ts";
import type { CertificateAnswer, LookupStatus } from "./snapshot.ts";

export interface CertificateSettings {
  /** Milliseconds for connecting and the handshake. */
  readonly certificateMs: number;
  /** As in `HttpSettings`. */
  readonly proxy: string | null;
  readonly connectPorts: ReadonlyMap<number, number>;
}

const HTTPS = 443;
const MAX_NAMES = 500;
const MAX_TEXT = 500;

/**
 * Looks at the certificate that `host` shows on port 443. It is read and not believed: one that is not trusted is an
 * answer too, and `detail` says so. Rejects only when `signal` aborts.
 */
export async function readCertificate(
  host: string,
  settings: CertificateSettings,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  trust: SecureContext | undefined,
  gate: Semaphore,
  signal: AbortSignal,
): Promise<CertificateAnswer> {
  const name = host.toLowerCase().replace(/\.$/, "");
  const url = URL.parse(`https://${name}/`);
  const refusal = url?.pathname === "/" ? policy.refusal(url) : "not a host name";
  if (!url || refusal !== null) return nothing(name, "refused", refusal ?? "not a host name");

  const leave = await gate.acquire(signal);
  const clock = new AbortController();
  const abort = () => clock.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => clock.abort(), settings.certificateMs);
  let socket: TLSSocket | undefined;
  try {
    const open = async () => {
      if (settings.proxy !== null)
        return dialTunnel(new URL(settings.proxy), `${url.hostname}:${HTTPS}`, trust, clock.signal);
      const place = await resolveAllowedAddresses(url.hostname, policy, resolver, clock.signal);
      if ("status" in place) return place;
      const port = settings.connectPorts.get(HTTPS) ?? HTTPS;
      return dialFirst(place.addresses, port, settings.certificateMs, clock.signal);
    };
    const line = await open();
    if ("status" in line) return nothing(name, line.status, line.detail);
    socket = await secure(line, { host: url.hostname.replace(/^\[|\]$/g, ""), trust, verify: false }, clock.signal);
    return read(name, socket);
  } catch (error) {
    signal.throwIfAborted();
    return clock.signal.aborted
      ? nothing(name, "timeout", `no certificate within ${settings.certificateMs} ms`)
      : nothing(name, "failed", describe(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    socket?.destroy();
    leave();
  }
}

/** A certificate answer that tells only why there is no certificate. */
export function nothing(host: string, status: Exclude<LookupStatus, "ok">, detail: string): CertificateAnswer {
  const none = { issuer: null, subject: "", names: [], valid_from: null, valid_to: null };
  return { host: host.slice(0, 253), status, ...none, detail };
}

function read(host: string, socket: TLSSocket): CertificateAnswer {
  const shown: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (!shown.issuer || !shown.subject) return nothing(host, "failed", "the server showed no certificate");
  const why = String(socket.authorizationError ?? "");
  return {
    host,
    status: "ok",
    issuer: { organisation: text(shown.issuer.O), name: text(shown.issuer.CN) },
    subject: text(shown.subject.CN),
    names: namesOf(shown.subjectaltname ?? ""),
    valid_from: instant(shown.valid_from),
    valid_to: instant(shown.valid_to),
    ...(socket.authorized ? {} : { detail: `not trusted${/^[A-Z0-9_]{1,60}$/.test(why) ? ` (${why})` : ""}` }),
  };
}

/** The runtime lists the names as `DNS:a, DNS:b`; other kinds of names and quoted oddities are left out. */
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

function instant(value: string | undefined): string | null {
  const time = Date.parse(value ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
