import { createHash } from "node:crypto";
import { getDomainWithoutSuffix } from "tldts";
import { belongsTo, type Domain } from "../../core/domain.ts";
import type { DnsAnswer } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";

const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){1,40}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Shorter labels are parts of too many words to identify a sister domain. */
const MIN_SISTER_LABEL = 4;

/** A host name in lower case without a trailing dot; undefined for an address, a single label or an invalid name. */
export function asHost(text: string): string | undefined {
  if (text.length > 254) return undefined;
  const host = text.trim().replace(/\.$/, "").toLowerCase();
  return HOST.test(host) && host.length <= 253 && !/\.\d{1,10}$/.test(host) ? host : undefined;
}

/** {@link asHost}, but undefined for the company's names. */
export function thirdPartyHost(text: string, domain: Domain): string | undefined {
  const host = asHost(text);
  return host !== undefined && !belongsTo(host, domain.name) ? host : undefined;
}

/** The host of an http(s) URL, unless it is the company's. */
export function thirdPartyUrlHost(text: string, domain: Domain): string | undefined {
  const url = URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) ? thirdPartyHost(url.hostname, domain) : undefined;
}

/** Whether a name is neither the company's nor that of a sister domain that contains its label (`acmecdn.net`). */
export function isThirdParty(host: string, domain: Domain): boolean {
  if (belongsTo(host, domain.name)) return false;
  return domain.label.length < MIN_SISTER_LABEL || !getDomainWithoutSuffix(host)?.includes(domain.label);
}

const CHAIN_LIMIT = 8;
const NAMES_LIMIT = 2_000;
const TEXTS_LIMIT = 200;

/** The apex, then the company's names in the recording, with a leading `*.`; at most 2,000. */
export function knownNames(visit: Visit): readonly string[] {
  const known = visit.known.names.slice(0, NAMES_LIMIT).map((name) => name.toLowerCase());
  const names = known.filter((name) => belongsTo(name, visit.domain.name) && asHost(name.replace(/^\*\./, "")));
  return [...new Set([visit.domain.name, ...names])];
}

/**
 * The CNAME targets that the company chose: those within its own or sister domains, and the first one beyond them. The
 * vendor chose the rest.
 */
export async function cnameChain(visit: Visit, host: string): Promise<readonly string[]> {
  const targets: string[] = [];
  let name: string | undefined = host;
  while (name !== undefined && targets.length < CHAIN_LIMIT) {
    const target = cnameTarget(await visit.dns(name, "CNAME"));
    if (target === undefined || targets.includes(target)) break;
    targets.push(target);
    name = isThirdParty(target, visit.domain) ? undefined : target;
  }
  return targets;
}

/** TXT strings of the company's names, without those behind a CNAME to a vendor, which a resolver returns as well. */
export function companyTexts(answer: DnsAnswer, visit: Visit): readonly string[] {
  const texts = answer.records.filter(
    ({ type, name }) => type === "TXT" && belongsTo(name.toLowerCase(), visit.domain.name),
  );
  return texts.slice(0, TEXTS_LIMIT).map(({ value }) => value);
}

/** The first CNAME of an answer. */
export function cnameTarget(answer: DnsAnswer): string | undefined {
  const alias = answer.records.find(({ type }) => type === "CNAME");
  return alias ? asHost(alias.value) : undefined;
}

/**
 * Two names under `parent` that do not exist unless there is a wildcard. Derived from the parent, so that a replay queries
 * the recorded names.
 */
export function wildcardProbes(parent: string): readonly [string, string] {
  const digest = createHash("sha256").update(parent).digest("hex");
  return [`x${digest.slice(0, 11)}.${parent}`, `x${digest.slice(11, 22)}.${parent}`];
}

/** The CNAME targets of a wildcard under `parent`, empty without one. */
export async function wildcardTargets(visit: Visit, parent: string): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(wildcardProbes(parent).map((name) => visit.dns(name, "CNAME")));
  return new Set(answers.map(cnameTarget).filter((target) => target !== undefined));
}

/** Subdomains that companies commonly use for hosted products. */
export const COMMON_SUBDOMAINS: readonly string[] = `
  academy account admin affiliates ai analytics answers api app apply apps argocd assets auth
  billing blog book booking bounce brand
  calendar campaigns careers cart cdn chat checkout ci click clicks cms code community confluence connect console content
  crm customer
  dashboard data demo design dev developer developers discover docs download
  edu em email engage events examples
  faq feedback files forms forum
  get git gitlab go grafana gtm
  health help helpdesk hire hiring home hr hub
  ideas images img info insights investor investors invoice ir
  jenkins jira jobs join
  kb kibana knowledge knowledgebase
  landing learn learning legal library link links lists live login lp
  m mailer marketing media meet meetings metrics mkt mkto my
  n8n news newsletter newsroom
  offers onboarding
  page pages partner partners pay payments people portal press privacy product promo
  qa
  recruiting refer referral register release reports resources respond reviews rewards roadmap
  sales sandbox sc search secure security sentry server-side service servicedesk sgtm share shop signup smetrics sms sonar
  stage staging start static stats status store stories stream subscribe success support survey surveys
  t tags talent team tech tickets track tracking training trust try
  university updates upload url
  vault video videos vpn
  web webinar webinars whistleblower whistleblowing wiki work workspace`
  .trim()
  .split(/\s+/);
