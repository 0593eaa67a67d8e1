import { createHash } from "node:crypto";
import type { Visit } from "../net/visit.ts";
import { belongsTo } from "../vocabulary/domain.ts";
import type { DnsAnswer } from "../vocabulary/snapshot.ts";
import { asHost, isForeign } from "./host-name.ts";

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
export async function aliasChain(visit: Visit, host: string): Promise<readonly string[]> {
  const targets: string[] = [];
  let name: string | undefined = host;
  while (name !== undefined && targets.length < CHAIN_LIMIT) {
    const target = aliasTarget(await visit.dns(name, "CNAME"));
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
export function ownTexts(answer: DnsAnswer, visit: Visit): readonly string[] {
  const own = answer.records.filter(
    ({ type, name }) => type === "TXT" && belongsTo(name.toLowerCase(), visit.domain.name),
  );
  return own.slice(0, TEXTS_LIMIT).map(({ value }) => value);
}

/** The first CNAME of an answer. */
export function aliasTarget(answer: DnsAnswer): string | undefined {
  const alias = answer.records.find(({ type }) => type === "CNAME");
  return alias ? asHost(alias.value) : undefined;
}

/**
 * Two names under `parent` that nobody would create. What they answer, every guessed name answers, and so it tells
 * nothing. Derived from the parent, so that a replay asks what the recording asked.
 */
export function unlikelyNames(parent: string): readonly [string, string] {
  const digest = createHash("sha256").update(parent).digest("hex");
  return [`x${digest.slice(0, 11)}.${parent}`, `x${digest.slice(11, 22)}.${parent}`];
}

/** First CNAME targets of names under `parent` that nobody created: the aliases of a wildcard, empty without one. */
export async function wildcardAliases(visit: Visit, parent: string): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(unlikelyNames(parent).map((name) => visit.dns(name, "CNAME")));
  return new Set(answers.map(aliasTarget).filter((target) => target !== undefined));
}
