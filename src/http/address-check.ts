import { quoted } from "../core/text.ts";
import { HttpRefusal } from "./problems.ts";

/** The names under which the service may be addressed. */
export interface Addresses {
  /** Address or name that the service listens on; null when it listens on none. */
  readonly host: string | null;
  /** Other web origins of the service, such as `https://casefile.acme.example` behind a proxy. */
  readonly origins: readonly string[];
}

/**
 * Checks the Host and Origin headers of every request.
 *
 * A foreign page can resolve a name of its own to this machine (DNS rebinding). Its requests then have the service's
 * address and the page's origin, and the browser lets it read the responses; only the name in the Host header shows it.
 * So a name must be `localhost`, the one that the service listens on, or that of a configured origin, with any port. IP
 * addresses are always allowed, because a page cannot rebind them, and so is a missing header, because every browser
 * sends one.
 *
 * An Origin header must name the host that the request is sent to, this machine, or a configured origin.
 *
 * @throws HttpRefusal 421 for an unknown host, 403 for a foreign origin
 */
export function createAddressCheck({ host, origins }: Addresses): (headers: Headers) => void {
  const configured = origins.flatMap((origin) => URL.parse(origin) ?? []);
  const names = new Set(["localhost", ...configured.map(({ hostname }) => hostname)]);
  if (host !== null) names.add(host.toLowerCase());
  const known = new Set(configured.map(({ origin }) => origin));
  const isKnownHost = (hostname: string) => IP_ADDRESS.test(hostname) || names.has(hostname);

  return (headers) => {
    const sent = headers.get("host") ?? "";
    const asked = parseHost(sent);
    if (sent !== "" && !(asked && isKnownHost(asked.hostname))) {
      const remedy = asked
        ? `if this is a name of the service, start it with --server-origins http://${asked.host}`
        : "send the name or address of the service";
      throw new HttpRefusal("host.refused", `Unknown host ${quoted(sent)}: ${remedy}.`);
    }
    const origin = headers.get("origin");
    if (origin === null || origin === "") return;
    const page = URL.parse(origin.slice(0, MAX_ORIGIN));
    const isWeb = page !== null && /^https?:$/.test(page.protocol);
    if (isWeb && (known.has(page.origin) || page.host === asked?.host || isLoopback(page.hostname))) return;
    const remedy = isWeb
      ? `if this is an address of the service, start it with --server-origins ${page.origin}`
      : "send requests from a page of the service";
    throw new HttpRefusal("origin.refused", `Pages of the origin ${quoted(origin)} are not allowed: ${remedy}.`);
  };
}

const MAX_ORIGIN = 300;

/** The host and port of a Host header; undefined if it is invalid. A trailing dot of the name is removed. */
function parseHost(header: string): URL | undefined {
  if (!/^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i.test(header)) return undefined;
  return URL.parse(`http://${header.replace(/\.(?=$|:)/, "")}`) ?? undefined;
}

/** The URL parser refuses other names with a numeric last label, and everything else in brackets. */
const IP_ADDRESS = /^(?:\[.+\]|(?:\d{1,3}\.){3}\d{1,3})$/;

/** Matches the whole name: `127.0.0.1.example.com` is foreign. */
const isLoopback = (hostname: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
