import { createHash } from "node:crypto";
import { getDomainWithoutSuffix } from "tldts";
import { belongsTo, type Domain } from "../../core/domain.ts";
import type { DnsAnswer } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";

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
export function thirdPartyHost(text: string, domain: Domain): string | undefined {
  const host = asHost(text);
  return host !== undefined && !belongsTo(host, domain.name) ? host : undefined;
}

/** The host of an http(s) URL, unless it is the company's own. */
export function thirdPartyUrlHost(text: string, domain: Domain): string | undefined {
  const url = URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) ? thirdPartyHost(url.hostname, domain) : undefined;
}

/** Whether somebody else runs the name: neither the company's own nor a sister domain that carries its label (`acmecdn.net`). */
export function isForeign(host: string, domain: Domain): boolean {
  if (belongsTo(host, domain.name)) return false;
  return domain.label.length < TELLING_LABEL || !getDomainWithoutSuffix(host)?.includes(domain.label);
}

const CHAIN_LIMIT = 8;
const NAMES_LIMIT = 2_000;
const TEXTS_LIMIT = 200;

/** The apex, then the names that the recording tells of (a leading `*.` stays); at most 2,000. */
export function ownNames(visit: Visit): readonly string[] {
  const known = visit.known.names.slice(0, NAMES_LIMIT).map((name) => name.toLowerCase());
  const own = known.filter((name) => belongsTo(name, visit.domain.name) && asHost(name.replace(/^\*\./, "")));
  return [...new Set([visit.domain.name, ...own])];
}

/**
 * The CNAME targets that the company itself chose: every hop within its own or sister domains, and the first beyond
 * them. What lies behind that is the vendor's choice, and so says nothing of the company.
 */
export async function cnameChain(visit: Visit, host: string): Promise<readonly string[]> {
  const targets: string[] = [];
  let name: string | undefined = host;
  while (name !== undefined && targets.length < CHAIN_LIMIT) {
    const target = cnameTarget(await visit.dns(name, "CNAME"));
    if (target === undefined || targets.includes(target)) break;
    targets.push(target);
    name = isForeign(target, visit.domain) ? undefined : target;
  }
  return targets;
}

/**
 * TXT strings that stand at a name of the company. Strings behind a CNAME to somebody else's name are that one's
 * records, though a resolver hands them out in one answer.
 */
export function companyTexts(answer: DnsAnswer, visit: Visit): readonly string[] {
  const own = answer.records.filter(
    ({ type, name }) => type === "TXT" && belongsTo(name.toLowerCase(), visit.domain.name),
  );
  return own.slice(0, TEXTS_LIMIT).map(({ value }) => value);
}

/** The first CNAME of an answer. */
export function cnameTarget(answer: DnsAnswer): string | undefined {
  const alias = answer.records.find(({ type }) => type === "CNAME");
  return alias ? asHost(alias.value) : undefined;
}

/**
 * Two names under `parent` that nobody would create. What they answer, every guessed name answers, and so it tells
 * nothing. Derived from the parent, so that a replay asks what the recording asked.
 */
export function wildcardProbes(parent: string): readonly [string, string] {
  const digest = createHash("sha256").update(parent).digest("hex");
  return [`x${digest.slice(0, 11)}.${parent}`, `x${digest.slice(11, 22)}.${parent}`];
}

/** First CNAME targets of names under `parent` that nobody created: the aliases of a wildcard, empty without one. */
export async function wildcardTargets(visit: Visit, parent: string): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(wildcardProbes(parent).map((name) => visit.dns(name, "CNAME")));
  return new Set(answers.map(cnameTarget).filter((target) => target !== undefined));
}

/** First labels that companies give to what a vendor runs for them. */
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
