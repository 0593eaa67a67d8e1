import type { Attributes } from "../../html/page-reader.ts";

/**
 * Names of services in the configuration of consent platforms: what the site's owner says that it may load after consent.
 * A list may be longer than what is in use.
 */

/** Attributes that assign an element to a service, by the tools that read them. */
const SERVICE_ATTRIBUTES = [
  "data-usercentrics",
  "data-borlabs-cookie-id",
  "data-borlabs-script-blocker-id",
  "data-cookiefirst-service",
  "data-cookieconsent-service",
];
/** Attributes that other tools use too: they count on an element that a consent tool has disabled. */
const BLOCKED_ATTRIBUTES = ["data-name", "data-service"];

/** The service that an element of the page belongs to. */
export function serviceOf(element: string, attributes: Pick<Attributes, "get">): string | undefined {
  for (const name of SERVICE_ATTRIBUTES) {
    const value = attributes.get(name);
    if (value) return nameOf(value);
  }
  if (element !== "script" && element !== "iframe") return undefined;
  if (element === "script" && attributes.get("type")?.trim().toLowerCase() !== "text/plain") return undefined;
  if (element === "iframe" && attributes.get("src")) return undefined;
  for (const name of BLOCKED_ATTRIBUTES) {
    const value = attributes.get(name);
    if (value) return nameOf(value);
  }
  return undefined;
}

interface Configuration {
  /** A text that every such configuration contains. */
  readonly mark: string;
  /** The first group is a name, or a list of quoted names. */
  readonly names: RegExp;
}

/** `name: "x"`, `"label":"x"`. */
const NAMED = /["']?\b(?:name|title|label)["']?\s{0,3}:\s{0,3}(["'][^"'\\<>{}]{2,60}["'])/g;
const CONFIGURATIONS: readonly Configuration[] = [
  { mark: "klaroConfig", names: NAMED },
  { mark: "CookieConsent.run", names: NAMED },
  { mark: "initCookieConsent", names: NAMED },
  { mark: "CookieControl.load", names: NAMED },
  { mark: "didomiConfig", names: /["']?\b(?:didomi|include)["']?\s{0,3}:\s{0,3}\[([^[\]{}]{2,2000})\]/g },
  // "cookies":{"marketing":["facebook-pixel"]}: lists of a group.
  {
    mark: "orlabsCookieConfig",
    names: /["'](?:essential|statistics|marketing|external-media)["']\s{0,3}:\s{0,3}\[([^[\]{}]{2,2000})\]/g,
  },
  {
    mark: "tarteaucitron.job",
    names: /tarteaucitron\.job(?:\s{0,3}\|\|\s{0,3}\[\]\))?\.push\((["'][\w-]{2,60}["'])\)/g,
  },
];
const QUOTED = /["']([^"'\\<>{}]{2,60})["']/g;
/** Per script: the configurations of real sites name fewer. */
const MAX_NAMES = 200;

/** The services that the configuration in a script names. */
export function servicesIn(script: string): Set<string> {
  const services = new Set<string>();
  for (const { mark, names } of CONFIGURATIONS) {
    const start = script.indexOf(mark);
    if (start < 0) continue;
    for (const [, list = ""] of script.slice(start, start + MAX_CONFIGURATION).matchAll(names)) {
      for (const [, written = ""] of list.matchAll(QUOTED)) {
        if (services.size >= MAX_NAMES) return services;
        const name = nameOf(written);
        if (name !== undefined) services.add(name);
      }
    }
  }
  return services;
}

const MAX_CONFIGURATION = 60_000;

/** Undefined for what is no name: a sentence, an address, a number. */
function nameOf(written: string): string | undefined {
  const name = written.trim();
  return /^[\p{L}\p{N}][\p{L}\p{N} .&+_/()-]{1,59}$/u.test(name) && /\p{L}{2}/u.test(name) ? name : undefined;
}
