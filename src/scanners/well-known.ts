/** Files under /.well-known: each is put there for one purpose, and many name who serves it. */
import type { Visit } from "../net/visit.ts";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { findOrigin } from "./company-home.ts";
import { inParallel } from "./in-parallel.ts";
import { field, parseJson } from "./parse-json.ts";
import type { Scanner } from "./scanner.ts";

const TEXT_CAP = 65_536;
const AT_ONCE = 6;
/** Asked first: what a server says to it, it says to every name. */
const ABSENT = "/.well-known/no-such-file-is-here";

const hasJson =
  (...names: string[]) =>
  (body: string) => {
    const value = parseJson(body);
    return names.some((name) => field(value, name) !== undefined);
  };
const hasText = (pattern: RegExp) => (body: string) => pattern.test(body.slice(0, TEXT_CAP));
const isListOf = (name: string) => (body: string) => {
  const value = parseJson(body);
  return Array.isArray(value) && field(value[0], name) !== undefined;
};

interface Place {
  readonly name: string;
  readonly path: string;
  readonly isPlausible: (body: string) => boolean;
  /** Characters that are kept. */
  readonly keep?: number;
}

const known = (name: string, isPlausible: Place["isPlausible"]): Place => ({
  name,
  path: `/.well-known/${name}`,
  isPlausible,
});
const isSecurityText = hasText(/^\s{0,20}(?:contact|expires|policy)\s{0,5}:/im);

const PLACES: readonly Place[] = [
  known("security.txt", isSecurityText),
  { name: "security.txt", path: "/security.txt", isPlausible: isSecurityText },
  known("apple-app-site-association", hasJson("applinks", "webcredentials", "appclips", "activitycontinuation")),
  known("assetlinks.json", isListOf("relation")),
  known("openid-configuration", hasJson("issuer")),
  known("oauth-authorization-server", hasJson("issuer")),
  known("oauth-protected-resource", hasJson("resource")),
  known("apple-developer-merchantid-domain-association", hasText(/^\s{0,20}(?:7b22|\{")/i)),
  known("microsoft-identity-association.json", hasJson("associatedApplications")),
  known("nostr.json", hasJson("names")),
  known("matrix/client", hasJson("m.homeserver")),
  known("matrix/server", hasJson("m.server")),
  known("dnt-policy.txt", hasText(/do not track/i)),
  known("gpc.json", hasJson("gpc")),
  known("traffic-advice", isListOf("user_agent")),
  known("ai.txt", hasText(/^\s{0,20}(?:user-agent|disallow|allow|#)/im)),
  // The rest of this file is about the company's products, and names others' freely.
  { name: "llms.txt", path: "/llms.txt", isPlausible: hasText(/^\s{0,20}#/), keep: 2_048 },
];

export const wellKnown: Scanner = {
  id: "well-known",
  phase: "disclosures",
  sees: ["file.well-known"],
  timeoutMs: 10_000,

  async scan(visit, emit) {
    const origin = await findOrigin(visit);
    const absent = await ask(visit, origin + ABSENT);
    await Promise.all([
      inParallel(PLACES, AT_ONCE, async ({ name, path, isPlausible, keep = TEXT_CAP }) => {
        const { final } = await ask(visit, origin + path);
        if (final.code !== 200 || final.body === absent.final.body || !isPlausible(final.body)) return;
        emit({ kind: "file.well-known", value: `${name}\n${final.body.slice(0, keep)}`, location: final.url });
      }),
      changePassword(visit, origin, absent.final).then((url) => {
        if (url) emit({ kind: "file.well-known", value: `change-password\n${url}`, location: `${origin}${CHANGE}` });
      }),
    ]);
  },
};

const CHANGE = "/.well-known/change-password";

const ask = (visit: Visit, url: string) => visit.http(url, { maxBytes: TEXT_CAP });

/** Where the standard address leads; undefined when it leads nowhere, or to where every unknown name leads. */
async function changePassword(visit: Visit, origin: string, absent: HttpExchange): Promise<string | undefined> {
  const { hops, final } = await ask(visit, origin + CHANGE);
  const leads = hops.length > 1 && final.status === "ok" && final.url !== absent.url;
  return leads && (hops[0].code === 301 || hops[0].code === 302 || hops[0].code === 303 || hops[0].code === 307)
    ? final.url
    : undefined;
}
