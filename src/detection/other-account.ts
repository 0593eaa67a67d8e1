import { hostOfUrl, siteOf } from "../core/domain.ts";
import type { Rule } from "./fingerprints/types.ts";
import type { Signal } from "./signals.ts";

/**
 * Whether a link leads to the account of somebody else: sites link to their owners', their sisters' and their guests' job
 * boards and sign-up forms. The account is the subdomain of the rule's host: `acme.board.com`. Unknown is not somebody else.
 */
export function isOtherAccount(
  { value, location }: Pick<Signal, "value" | "location">,
  { match }: Pick<Rule, "match">,
): boolean {
  if (match.host === undefined) return false;
  const host = hostOfUrl(value);
  const hosts = typeof match.host === "string" ? [match.host] : match.host;
  const account = hosts.flatMap((each) => (host.endsWith(`.${each}`) ? [host.slice(0, -each.length - 1)] : []))[0];
  if (account === undefined) return false;
  const [name = ""] = account.split(".").filter((label) => !SHARED.test(label));
  const site = hostOfUrl(location).replace(/^www\./, "");
  const plain = compact(name);
  if (plain.length < MIN_ACCOUNT || site === "") return false;
  return !namesOf(site).some((label) => areAlike(plain, compact(label)));
}

/** Subdomains that a vendor gives to no account: places, data centres, and parts of its product. */
const SHARED =
  /^(?:www|app|apps|api|apply|assets|board|boards|book|booking|calendar|careers?|cdn|chat|click|community|docs|download|e?forms?|forum|get|go|help|helpdesk|info|jobs?|link|links|login|mail|mobile|my|news|newsletter|page|pages|pay|portal|secure|service|share|shop|signup|static|store|support|survey|surveys|tickets?|track|web|webinar|[a-z]{1,3}\d{1,3}|.{1,3})$/;
const MIN_ACCOUNT = 5;
const MIN_COMMON = 4;

/** The labels of a host that its owner chose: those before its public suffix. */
function namesOf(host: string): readonly string[] {
  const domain = siteOf(host);
  return [...host.slice(0, -domain.length).split("."), domain.split(".", 1)[0] ?? ""];
}

const compact = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Whether one holds four characters of the other in a row, or all of them. */
function areAlike(account: string, label: string): boolean {
  if (label.length < MIN_COMMON) return label.length > 1 && account.startsWith(label);
  for (let at = 0; at + MIN_COMMON <= label.length; at++) {
    if (account.includes(label.slice(at, at + MIN_COMMON))) return true;
  }
  return false;
}
