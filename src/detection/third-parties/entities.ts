import { hostOfUrl } from "../../core/domain.ts";
import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import { suffixes } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Rule, Strength } from "../fingerprints/types.ts";
import { compactName, thirdPartyId } from "../self-naming/names.ts";
import { SIGNALS, type Signal, type SignalKind } from "../signals.ts";
import type { PackedEntity } from "./pack.ts";
import { packedEntities } from "./packed.ts";

/**
 * What a host of a known third party in a signal of each kind shows. A script, a frame, a form or a recorded request is
 * loaded from it; an image may be content, and the others only name it.
 */
const STRENGTHS: Partial<Record<SignalKind, Strength>> = {
  "html.script": "strong",
  "html.frame": "strong",
  "html.form": "strong",
  "html.request": "strong",
  "html.inline-url": "strong",
  "html.link": "weak",
  "html.image": "weak",
  "html.inline-host": "weak",
  "html.hint": "weak",
  "http.policy-host": "weak",
  "gtm.host": "weak",
};

const SCRIPT = /\.m?js(?:[?#]|$)/i;

/** The id of the rule in evidence, which marks these detections. */
export const KNOWN_HOST = "third-party-web";

/**
 * Matches hosts that no rule matches by the list of known third parties. The names and categories are those of the list; a
 * tool of the catalogue keeps its own.
 *
 * @returns a matcher for signals: one hit or none
 */
export function createThirdPartyMatcher(
  tools: ReadonlyMap<string, Fingerprint>,
  entities: () => readonly PackedEntity[] = () => JSON.parse(packedEntities()),
): (signal: Signal) => RuleHit[] {
  const rules = new Map<SignalKind, Rule>();
  let byDomain: ReadonlyMap<string, Fingerprint> | undefined;

  return ({ kind, value, location }) => {
    const strength = STRENGTHS[kind];
    if (strength === undefined) return [];
    const host = SIGNALS[kind].shape === "url" ? hostOfUrl(value) : value;
    // Code loads scripts; its other addresses may be links in a text.
    if (!host || (kind === "html.inline-url" && !SCRIPT.test(value))) return [];
    byDomain ??= toolsByDomain(tools, entities());
    const tool = toolOf(host, byDomain);
    if (!tool || isOwn(tool, location, byDomain)) return [];
    // Evidence is merged by the identity of the rule.
    const rule = rules.get(kind) ?? ruleOf(kind, strength);
    rules.set(kind, rule);
    return [{ tool, rule, excerpt: excerptOf(value), version: null }];
  };
}

const toolOf = (host: string, byDomain: ReadonlyMap<string, Fingerprint>): Fingerprint | undefined => {
  for (const domain of suffixes(host)) {
    const tool = byDomain.get(domain);
    if (tool) return tool;
  }
  return undefined;
};

/** A site's own hosts are in the list too: an auction house loads its images from a domain of its own. */
function isOwn(tool: Fingerprint, location: string, byDomain: ReadonlyMap<string, Fingerprint>): boolean {
  const site = hostOfUrl(location).replace(/^www\./, "");
  const label = compactName(site.split(".")[0] ?? "");
  return toolOf(site, byDomain) === tool || (label.length >= 4 && compactName(tool.name + tool.vendor).includes(label));
}

function toolsByDomain(
  tools: ReadonlyMap<string, Fingerprint>,
  entities: readonly PackedEntity[],
): ReadonlyMap<string, Fingerprint> {
  const byDomain = new Map<string, Fingerprint>();
  for (const [name, category, vendor, website, known, ...domains] of entities) {
    const id = thirdPartyId(name);
    const listed: Fingerprint | undefined =
      category === "" ? undefined : { id, name, vendor, website, category, rules: [] };
    const tool = tools.get(known) ?? listed;
    if (tool) for (const domain of domains) byDomain.set(domain, tool);
  }
  return byDomain;
}

const ruleOf = (see: SignalKind, strength: Strength): Rule => ({
  id: KNOWN_HOST,
  see,
  match: {},
  strength,
  means: "runs",
  why: "host of a third party in the list of third-party-web or in that of Casefile",
  hit: "",
  miss: "",
});
