/** What the head of one response tells: its headers, the cookies that it sets, and the hosts that its policies name. */
import type { Signal } from "../vocabulary/signal.ts";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { hostsInPolicy, type OwnNames } from "./page-hosts.ts";

/** Different in every response, and the mark of nobody. */
const SAYS_NOTHING = new Set([
  "age",
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "expires",
  "keep-alive",
  "last-modified",
  "set-cookie",
  "transfer-encoding",
]);
/** Headers whose value is a policy that lists hosts. */
const POLICIES = new Set([
  "content-security-policy",
  "content-security-policy-report-only",
  "feature-policy",
  "nel",
  "permissions-policy",
  "report-to",
  "reporting-endpoints",
]);
const HEADER_CAP = 200;
const VALUE_CAP = 500;

export function headerSignals(exchange: HttpExchange, own: OwnNames): Signal[] {
  const location = exchange.url;
  const signals = new Map<string, Signal>();
  const add = (kind: Signal["kind"], value: string) => signals.set(`${kind} ${value}`, { kind, value, location });
  for (const [written, content] of exchange.headers.slice(0, HEADER_CAP)) {
    const name = written.toLowerCase();
    if (name === "set-cookie") {
      const cookie = cookieName(content);
      if (cookie) add("http.cookie", cookie);
    }
    if (!SAYS_NOTHING.has(name)) add("http.header", `${name}: ${content.slice(0, VALUE_CAP).trim()}`);
    if (POLICIES.has(name)) for (const host of hostsInPolicy(content, own)) add("http.policy-host", host);
    if (name === "link")
      for (const target of loadedLinks(content))
        for (const host of hostsInPolicy(target, own)) add("http.policy-host", host);
  }
  return [...signals.values()];
}

/** The name of the cookie in a Set-Cookie header or a `name=value` pair; undefined for a nameless one. */
export function cookieName(header: string): string | undefined {
  const name = header.slice(0, 4_096).split(/[=;]/, 1)[0]?.trim();
  return name && name.length <= 200 ? name : undefined;
}

const LINK = /<([^<>]{1,2000})>((?:;[^,<]{0,300}){1,8})/g;
/** Targets of a Link header that a browser opens or fetches; canonical and alternate addresses are words. */
function loadedLinks(content: string): string[] {
  return [...content.slice(0, 32_768).matchAll(LINK)].flatMap(([, target, parameters]) =>
    target && /rel="?[^"]{0,40}(?:preconnect|dns-prefetch|preload|stylesheet)/i.test(parameters ?? "") ? [target] : [],
  );
}
