import type { Excerpt } from "./excerpt.ts";
import type { SignalKind } from "./signals.ts";
import type { Detection, Report } from "./types.ts";

const TOKEN = /[A-Za-z0-9_~+-]{16,}/g;
/** Also URL-encoded, `ada%40acme.com`; but not `library@3.2.1` in a path. */
const EMAIL = /[A-Za-z0-9._%+-]{1,64}(?:@|%40)(?=(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}(?![A-Za-z0-9]))/gi;
/** The user part of a URL, which is a credential whatever it looks like. */
const USER_INFO = /(:\/\/)[^\s/?#@]{1,512}@/g;
/** The readable prefix of a value without a separator: `vendor-site-verification_`. */
const NAME_PREFIX = /^(?:(?:[a-z]{2,20}|[A-Z]{2,20}|[A-Z][a-z]{1,19})[_-]){0,6}/;
/** Prefixes of vendors' secret keys. */
const SECRET_PREFIX = /^(?:[prs]k_(?:live|test)|whsec|xox[abp]|gh[opsu])[_-]/;
/** Characters of a token that are kept. */
const KEPT = 6;

/** Parameters, cookies and fields whose value identifies one visitor. The whole value is cut: a prefix could identify the visitor too. */
const VISITOR_KEYS = [
  "_?cid|_ga(?:_[a-z0-9]{1,20})?|_gid|_gcl_[a-z]{2}|_?fb[pc]|_uetsid|_uetvid|_ttp|_scid|_pin_unauth|_clck|amp_[a-z0-9]{1,20}",
  "fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|ttclid|yclid|ymclid|li_fat_id|igshid|epik|rdt_cid|sccid|irclickid",
  "_hsenc|_hsmi|__hstc|__hssc|hubspotutk|hutk|mc_eid|mkt_tok|_mkto_trk|_kx|vero_id|oly_(?:anon|enc)_id|ajs_(?:anonymous|user)_id",
  "(?:visitor|user|client|customer|member|subscriber|contact|session|sess|device|browser|anonymous|distinct|person|lead)[_-]?(?:id|uuid|guid|token|key)",
  "uid|uuid|guid|vid|sid|suid|jsessionid|phpsessid|asp\\.net_sessionid|s_vi|s_fid|mid|ecid|mcmid|d_uuid|anon_?id",
  "(?:user|client|visitor|remote|real)?_?ip(?:_?addr(?:ess)?)?|remote_addr|uip|_ip",
  "(?:user_?|sha256_|hashed_)?e?mail|email_(?:address|sha256)|phone(?:_?number)?|(?:first|last|full|user)_?name",
].join("|");
/** Parameters and fields whose value is a secret. A prefix is kept, which shows its kind. */
const SECRET_KEYS =
  "(?:[a-z0-9]{1,20}[_-]|api|access|auth|secret|private|write|refresh|csrf|security)?(?:key|token|secret|password|passwd|pwd|signature|sig|jwt|nonce|csrf|credential|hmac)|authorization|bearer";
/** The end of a key and the separator before its value, plain or URL-encoded: `=`, `":"`, `%3D`. */
const SEPARATOR = "(?:%22|[\"'\\]])?\\s{0,3}(?:=|:|%3[AD])\\s{0,3}(?:%22|[\"'])?";
const ENDS_VALUE = "\\s&;,\"'<>(){}\\\\\\][#|";
const ENDS_CODE = "%2[26]|%3B";
/** Up to the end, character by character: a repeated group matches nothing in a text of some hundred kilobytes. */
const VALUE = `(?!${ENDS_CODE})[^…${ENDS_VALUE}]+?(?=${ENDS_CODE}|[…${ENDS_VALUE}]|$)`;
const keyed = (keys: string) => new RegExp(`((?:^|%[0-9a-f]{2}|[^a-z0-9%])(?:${keys})${SEPARATOR})(${VALUE}…?)`, "gi");
const VISITOR_VALUE = keyed(VISITOR_KEYS);
const SECRET_VALUE = keyed(SECRET_KEYS);
/** Identifiers that cookies of analytics and advertising contain, with or without their name: `GA1.2.123.456`, `fb.1.123.456`. */
const COOKIE_ID = /\b((?:GA1|GS[12]|fb)(?:[.-]\d{1,3}){1,2}[.-])[\w.$-]{6,}|\b\d{7,10}\.1\d{9}\b/g;
/** A secret of fewer characters is cut whole. */
const MIN_RECOGNISABLE = 12;
const CUT = "…";

/** One replacement: what it replaces, and by what. It may return the match as it is. */
interface Step {
  readonly pattern: RegExp;
  /** Whether the text may have a match: cheaper than the pattern. */
  readonly mayMatch?: (text: string) => boolean;
  readonly by: (match: string, group?: string, value?: string) => string;
}

const SEPARATES = /[=:]|%3[AD]/i;
const SCHEME = /^https?:/;
/** No key is the scheme of an address, and most addresses hold no other colon. */
const mayBeKeyed = (text: string) => SEPARATES.test(text.replace(SCHEME, ""));
const mayHaveUser = (text: string) => /@|%40/.test(text);

const KEYED: readonly Step[] = [
  { pattern: VISITOR_VALUE, mayMatch: mayBeKeyed, by: (_, key = "") => `${key}${CUT}` },
  {
    pattern: SECRET_VALUE,
    mayMatch: mayBeKeyed,
    by(all, key = "", value = "") {
      // One that was cut already is not cut again.
      if (value.endsWith(CUT) && value.length <= KEPT + CUT.length) return all;
      return `${key}${value.length < MIN_RECOGNISABLE ? "" : value.slice(0, KEPT)}${CUT}`;
    },
  },
  { pattern: COOKIE_ID, by: (_, name) => `${name ?? ""}${CUT}` },
];
const USERS: readonly Step[] = [
  { pattern: USER_INFO, mayMatch: mayHaveUser, by: (_, scheme = "") => `${scheme}${CUT}@` },
  { pattern: EMAIL, mayMatch: mayHaveUser, by: () => `${CUT}@` },
];
const TOKENS: readonly Step[] = [
  { pattern: TOKEN, by: (token) => (looksRandom(token) ? `${token.slice(0, KEPT)}${CUT}` : token) },
];
const ALL = [...USERS, ...KEYED, ...TOKENS];

const apply = (steps: readonly Step[], text: string): string =>
  steps.reduce(
    (done, { pattern, mayMatch, by }) => (mayMatch?.(done) === false ? done : done.replace(pattern, by)),
    text,
  );

/** Cuts values whose parameter, cookie or field says that they identify a visitor or are secret. */
export const redactKeyed = (text: string): string => apply(KEYED, text);

/** Replaces in the whole text. An end of the part that is within a replaced match moves to the end of that match. */
function applyAround(steps: readonly Step[], part: Excerpt): Excerpt {
  let { text, from, to } = part;
  for (const { pattern, mayMatch, by } of steps) {
    if (mayMatch?.(text) === false) continue;
    let [start, end, moved] = [from, to, 0];
    text = text.replace(pattern, (...found: unknown[]) => {
      const [match = "", group, value] = found.slice(0, -2) as string[];
      const at = found.at(-2) as number;
      const replacement = by(match, group, value);
      if (replacement === match) return match;
      const after = at + match.length;
      const change = replacement.length - match.length;
      if (from >= after) start = from + moved + change;
      else if (from > at) start = at + moved;
      if (to >= after) end = to + moved + change;
      else if (to > at) end = at + moved + replacement.length;
      moved += change;
      return replacement;
    });
    [from, to] = [start, end];
  }
  return { ...part, text, from, to };
}

/**
 * Characters after an excerpt that are read, which show what a secret in it is, and before the value in which it begins:
 * enough for a key and its separator.
 */
const MARGIN = 600;
/** Characters of a value before an excerpt that are read. What an excerpt has of a longer one is data, and cut whole. */
const MAX_BEFORE = 2_000;
const VALUE_END = new RegExp(`[${ENDS_VALUE}]`);

/** Where what is shown of an excerpt begins, and the text that decides what in it is secret. */
function startOf({ text, from, to }: Excerpt): { readonly shown: number; readonly read: number } {
  // Most code has an end of a value at or near that place.
  let start = from;
  while (start > 0 && from - start <= MAX_BEFORE && !VALUE_END.test(text.charAt(start - 1))) start -= 1;
  if (from - start <= MAX_BEFORE) return { shown: from, read: Math.max(0, start - MARGIN) };
  let end = from;
  while (end < to && !VALUE_END.test(text.charAt(end))) end += 1;
  return { shown: end, read: end - MARGIN };
}

/** White space that does not stay: single spaces do. */
const COLLAPSE: readonly Step[] = [{ pattern: /\s{2,}|[^\S ]/g, by: () => " " }];

/** An excerpt as {@link redact} returns it: what is secret in the text is cut before the text is. */
export function redactExcerpt(kind: SignalKind, excerpt: Excerpt): string {
  const { text, to, isPassage } = excerpt;
  const { shown: from, read } = startOf(excerpt);
  const near = { text: text.slice(read, to + MARGIN), from: from - read, to: to - read };
  if (kind === "dns.txt") {
    const anonymous = applyAround(USERS, near);
    return redactTxt(anonymous.text.slice(anonymous.from, anonymous.to));
  }
  if (!isPassage && from === 0 && to === text.length) return apply(ALL, text);
  const found = applyAround(isPassage ? [...COLLAPSE, ...ALL] : ALL, near);
  const shown = found.text.slice(found.from, found.to);
  if (!isPassage) return `${from > excerpt.from ? CUT : ""}${shown}`;
  const isMarked = to >= text.length || shown.endsWith(CUT);
  return `${from > 0 ? CUT : ""}${shown}${isMarked ? "" : CUT}`;
}

/** A report as it may be shown: also one that an earlier release stored. */
export function redactReport(report: Report): Report {
  const redactDetection = createDetectionRedaction();
  return {
    ...report,
    detections: report.detections.map(redactDetection),
    ...(report.possible && { possible: report.possible.map(redactDetection) }),
  };
}

/** Returns what redacts stored detections. Equal values of several detections, as in a history, are redacted once. */
export function createDetectionRedaction(): (detection: Detection) => Detection {
  const storedOf = once(redactStored);
  const locationOf = once(redact);
  return (detection) => ({
    ...detection,
    evidence: detection.evidence.map((each) => ({
      ...each,
      value: each.signal === "implied" ? each.value : storedOf(each.signal, each.value),
      location: locationOf("html.anchor", each.location),
    })),
  });
}

/** Computes each result once. */
function once(redacts: (kind: SignalKind, value: string) => string): typeof redacts {
  const done = new Map<string, string>();
  return (kind, value) => {
    if (value === "") return value;
    const key = `${kind} ${value}`;
    const known = done.get(key) ?? redacts(kind, value);
    done.set(key, known);
    return known;
  };
}

/** What is left of an address at an end where an earlier release cut before it redacted. */
const ADDRESS_AT_CUT = /(mailto:)[\w.+%-]{1,300}…$/i;

/** A value of this release stays as it is. Of one of an earlier release, up to 15 characters of a cut token may remain. */
const redactStored = (kind: SignalKind, value: string): string =>
  redact(kind, value).replace(ADDRESS_AT_CUT, `$1${CUT}`);

/**
 * Cuts what could identify a person or serve as a secret: verification tokens, keys, the local part of email addresses.
 * The rest is enough to recognise the record and useless otherwise.
 */
export const redact = (kind: SignalKind, value: string): string =>
  kind === "dns.txt" ? redactTxt(apply(USERS, value)) : apply(ALL, value);

/** `vendor-verification=abcdef0123` → `vendor-verification=abcdef…` */
function redactTxt(text: string): string {
  const separator = /[=:]\s{0,3}(?=[^=:]{0,400}$)/.exec(text.replace(/=+$/, ""));
  const end = (separator ? separator.index + separator[0].length : 0) + KEPT;
  if (text.length <= end) return text;
  if (separator) return `${cutTokens(text.slice(0, end - KEPT))}${text.slice(end - KEPT, end)}…`;
  return cutTokens(text).slice(0, 120);
}

/** In a TXT record, whose tokens may follow a name: `vendor-site-verification_abcdef…`. */
const cutTokens = (text: string): string =>
  text.replace(MARKED_TOKEN, (token) => {
    const end = (NAME_PREFIX.exec(token)?.[0].length ?? 0) + KEPT;
    // One that was cut already is not cut again.
    const isCut = token.endsWith(CUT) && token.length <= end + CUT.length;
    return isCut || !looksRandom(token) ? token : `${token.slice(0, end)}${CUT}`;
  });
const MARKED_TOKEN = /[A-Za-z0-9_~+-]{16,}…?/g;

/** Words have vowels and no digits in between; host labels and file names pass, keys do not. */
function looksRandom(token: string): boolean {
  const digits = token.replace(/\D/g, "").length;
  const mixedCase = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(token);
  return (
    SECRET_PREFIX.test(token) ||
    digits >= 4 ||
    (digits >= 1 && mixedCase) ||
    (mixedCase && !/[-_]/.test(token) && token.length >= 24)
  );
}
