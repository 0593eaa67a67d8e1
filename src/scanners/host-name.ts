import { getDomainWithoutSuffix } from "tldts";
import { belongsTo, type Domain } from "../vocabulary/domain.ts";

const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){1,40}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Shorter labels are parts of too many words to tell a sister domain by. */
const TELLING_LABEL = 4;

/** A host name in lower case without the last dot, or nothing for anything else: an address, a single label, junk. */
export function asHost(text: string): string | undefined {
  if (text.length > 254) return undefined;
  const host = text.trim().replace(/\.$/, "").toLowerCase();
  return HOST.test(host) && host.length <= 253 && !/\.\d{1,10}$/.test(host) ? host : undefined;
}

/** {@link asHost}, and nothing for the company's own names. */
export function outsideHost(text: string, domain: Domain): string | undefined {
  const host = asHost(text);
  return host !== undefined && !belongsTo(host, domain.name) ? host : undefined;
}

/** The host of an http(s) URL, unless it is the company's own. */
export function outsideUrlHost(text: string, domain: Domain): string | undefined {
  const url = URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) ? outsideHost(url.hostname, domain) : undefined;
}

/** Whether somebody else runs the name: neither the company's own nor a sister domain that carries its label (`acmecdn.net`). */
export function isForeign(host: string, domain: Domain): boolean {
  if (belongsTo(host, domain.name)) return false;
  return domain.label.length < TELLING_LABEL || !getDomainWithoutSuffix(host)?.includes(domain.label);
}
