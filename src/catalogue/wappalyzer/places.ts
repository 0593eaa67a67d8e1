import { placesInDom } from "./dom.ts";
import type { Place } from "./rule-of.ts";
import { entriesIn, readTagged, type Tagged, textsIn } from "./tagged.ts";

/** One pattern of a technology and where it is to be tried, or why it is not carried. */
export type Found = { readonly key: string; readonly text: string } & (
  | { readonly tagged: Tagged; readonly place: Place }
  | { readonly refused: string }
);

const runs = { means: "runs", strength: "strong" } as const;
const SCRIPT: Place = { ...runs, see: "html.script", why: "address of a script of the tool" };
const MARKUP: Place = { ...runs, see: "html.markup", why: "mark in the page's source" };
const CODE: Place = { ...runs, see: "code", why: "text of the tool's scripts" };
const REQUEST: Place = { ...runs, see: "html.request", why: "address that the tool's script asks" };

/** Keys with a pattern, or a list of them. */
const LISTS: Readonly<Record<string, Place>> = {
  scriptSrc: SCRIPT,
  script: SCRIPT,
  html: MARKUP,
  scripts: CODE,
  xhr: REQUEST,
  robots: { ...runs, see: "file.robots", why: "text of robots.txt" },
  certIssuer: { ...runs, see: "tls.issuer", why: "issuer of the certificate" },
};
/** Keys with patterns by name. */
const DNS: Readonly<Record<string, Place>> = {
  MX: { ...runs, see: "dns.mx", why: "mail exchange of the tool" },
  NS: { ...runs, see: "dns.ns", why: "name server of the tool" },
  CNAME: { ...runs, see: "dns.cname", why: "host of the tool behind an alias" },
  SOA: { ...runs, see: "dns.soa", why: "name server of the tool in the zone's head" },
  TXT: { see: "dns.txt", means: "verified-once", strength: "weak", why: "text that the tool asks for in DNS" },
};
const NOT_KEPT: Readonly<Record<string, string>> = {
  url: "the site's own address is no proof here",
  text: "the visible text is no proof here",
  css: "style sheets are not kept",
  probe: "addresses are not probed",
  requiresCategory: "a tool can require tools, not categories",
};

/** Every pattern of a technology. What is no proof (icon, price, description) is not among them. */
export function placesIn(technology: Readonly<Record<string, unknown>>): readonly Found[] {
  const found: Found[] = [];
  const add = (key: string, raw: unknown, place: Place | undefined, refused?: string, shown = String(raw)) => {
    const tagged = readTagged(raw);
    const text = shown.slice(0, 200);
    if (!tagged) found.push({ key, text, refused: "no pattern, or one that is too long" });
    else if (refused !== undefined || !place) found.push({ key, text, refused: refused ?? "no signal of this kind" });
    else found.push({ key, text, tagged, place });
  };

  for (const [key, place] of Object.entries(LISTS)) for (const raw of textsIn(technology[key])) add(key, raw, place);
  for (const [key, reason] of Object.entries(NOT_KEPT)) {
    for (const raw of textsIn(technology[key]))
      add(key, typeof raw === "object" ? key : String(raw), undefined, reason);
  }
  for (const [name, raw] of entriesIn(technology.headers)) {
    const place: Place = { ...runs, see: "http.header", name: name.toLowerCase(), why: "header of the site's answer" };
    for (const one of textsIn(raw)) add("headers", one, place, nameFault(name));
  }
  for (const [name, raw] of entriesIn(technology.meta)) {
    const place: Place = { ...runs, see: "html.meta", name: name.toLowerCase(), why: "meta tag of the page" };
    for (const one of textsIn(raw)) add("meta", one, place, nameFault(name));
  }
  for (const [name, raw] of entriesIn(technology.cookies)) {
    const hasValue = (readTagged(raw)?.source ?? "") !== "";
    const place: Place = { ...runs, see: "http.cookie", why: "cookie that the tool sets" };
    add("cookies", whole(name, raw), place, hasValue ? "values of cookies are not kept" : undefined, name);
  }
  for (const [kind, raw] of entriesIn(technology.dns)) {
    for (const one of textsIn(raw)) add("dns", one, DNS[kind.toUpperCase()]);
  }
  for (const [chain, raw] of entriesIn(technology.js)) found.push(globalIn(chain, raw));
  found.push(...placesInDom(technology.dom));
  return found;
}

const nameFault = (name: string) => (/^\S{1,100}$/.test(name) ? undefined : "a name with spaces");

/** The name itself, with the tags of what was asked of the value. */
const whole = (name: string, raw: unknown) => {
  const confidence = readTagged(raw)?.confidence ?? 100;
  return `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$\\;confidence:${confidence}`;
};

/** We run nothing: a variable is known by its name in the code, so short names say too little. */
function globalIn(chain: string, raw: unknown): Found {
  const found = { key: "js", text: chain.slice(0, 200) };
  const tagged = readTagged(raw);
  if (!tagged) return { ...found, refused: "no pattern, or one that is too long" };
  if (!/^[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){0,6}$/.test(chain))
    return { ...found, refused: "no name of a variable" };
  if (chain.length < 5) return { ...found, refused: "a name of fewer than five characters" };
  const strength = chain.length < 8 && !chain.includes(".") && !chain.startsWith("_") ? "weak" : "strong";
  const place: Place = { ...runs, strength, see: "code", why: "variable of the tool, named in the code" };
  return { ...found, tagged, place: { ...place, global: chain } };
}
