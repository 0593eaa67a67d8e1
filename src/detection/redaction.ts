import { registeredDomain } from "../core/domain.ts";
import type { Excerpt } from "./excerpt.ts";
import { createPersonLists, EQUALS, INDEX, openingAt, PEOPLE, type PersonLists, QUOTE } from "./person-lists.ts";
import type { SignalKind } from "./signals.ts";
import type { Detection, Report } from "./types.ts";

const TOKEN = /[A-Za-z0-9_~+-]{16,}/g;
/** The user part of a URL, which is a credential whatever it looks like. JSON may write `:\/\/`. */
const USER_INFO = /(:\\?\/\\?\/)[^\s/?#@]{1,512}@/g;
/** The readable prefix of a value without a separator: `vendor-site-verification_`. */
const NAME_PREFIX = /^(?:(?:[a-z]{2,20}|[A-Z]{2,20}|[A-Z][a-z]{1,19})[_-]){0,6}/;
/** Prefixes of vendors' secret keys. */
const SECRET_PREFIX = /^(?:[prs]k_(?:live|test)|whsec|xox[abp]|gh[opsu])[_-]/;
/** Characters of a token that are kept. */
const KEPT = 6;

/** Letters outside ASCII, as in the domain of `ada@münchen.de`; not the ellipsis, and no other form of `@` and of the full stop. */
const LETTERS =
  "\\u00a1-\\u1fff\\u2c00-\\u3001\\u3003-\\ud7ff\\uf900-\\ufe6a\\ufe6c-\\uff0d\\uff0f-\\uff1f\\uff21-\\uff60\\uff62-\\uffef";
/** The sign of an email address, plain or as URLs, scripts and mark-up write it; also full-width and small. */
const AT_SIGN =
  /[@\uff20\ufe6b]|%(?:25){0,2}(?:40|EF%(?:25){0,2}(?:BC%(?:25){0,2}A0|B9%(?:25){0,2}AB))|\\{1,8}(?:u0040|x40|uff20|ufe6b)|&(?:amp;){0,2}(?:#0{0,4}64|#x0{0,4}40|commat|#65312|#xff20|#65131|#xfe6b);/gi;
/** After the sign; but not `3.2.1` of `library@3.2.1` in a path. */
const MAIL_DOMAIN = new RegExp(
  `(?:(?:[a-z0-9${LETTERS}-]|%[89a-f][0-9a-f]|\\\\{1,8}u[0-9a-f]{4}){1,63}(?:[.\\u3002\\uff0e\\uff61]|%2E|&#46;)){1,8}[a-z${LETTERS}]{2,63}(?![a-z0-9])`,
  "iy",
);
const OF_MAILBOX = new RegExp(`[a-z0-9._%+!#$^~${LETTERS}-]`, "i");
/** What is no mailbox alone: `!@acme.example`. */
const OF_NOBODY = /^[!#$^~]+$/;
/** In a name, between letters: elsewhere it is a quote. */
const APOSTROPHE = /^[a-z]['’]$/i;
const MAX_MAILBOX = 64;

/** Parameters, cookies and fields whose value identifies one visitor. The whole value is cut: a prefix could identify the visitor too. */
const VISITOR_KEYS = [
  "_?cid|_ga(?:_[a-z0-9]{1,20})?|_gid|_gcl_[a-z]{2}|_?fb[pc]|_uetsid|_uetvid|_ttp|_scid|_pin_unauth|_cl(?:ck|sk)|amp_[a-z0-9]{1,20}",
  "fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|ttclid|yclid|ymclid|li_fat_id|igshid|epik|rdt_cid|sccid|irclickid",
  "_hsenc|_hsmi|__hstc|__hssc|hubspotutk|hutk|mc_eid|mkt_tok|_mkto_trk|_kx|vero_id|oly_(?:anon|enc)_id|ajs_(?:anonymous|user)_id",
  `(?:current|logged_?in|external|unique|hashed|my|wp|set)?(?:${PEOPLE})(?:s?\\.\\d{1,4})?[_.-]?(?:ids?|uuids?|guids?|token|key)\\d{0,12}`,
  "m?uids?|uuids?|guid|vid|sid|suid|jsessionid|phpsessid|asp\\.net_sessionid|s_vi|s_fid|mid|ecid|mcmid|d_uuid|anon_?id",
  "_hj(?:sessionuser|session|id|userid)(?:_\\d{1,12})?|_pk_id[\\w.]{0,40}|_hp2_id\\.\\d{1,20}|intercom-(?:id|session)-[a-z0-9]{1,20}",
  "__cfduid|_vwo_uuid(?:_v2)?|optimizelyenduserid|driftt_aid|_shopify_[ys]|__stripe_[ms]id|\\.aspnetcore\\.[a-z.]{1,40}|(?:laravel|ci)_session",
  "(?:user|client|visitor|remote|real)?_?ip(?:_?addr(?:ess)?)?|remote_addr|x-forwarded-for|uip|_ip",
  "(?:[a-z]{2,20}[_-]?)?email(?:[_-]?(?:addr(?:ess)?|sha256|hash|md5|id))?\\d{0,2}|(?:user_?|sha256_|hashed_)?mail|em|ph",
  "(?:customer|user|contact|billing|shipping|mobile|home|work)?[_-]?phone(?:_?number)?\\d{0,2}|telephone|msisdn",
  "(?:first|last|full|user|given|family|customer|nick)[_-]?name|login",
].join("|");
/** Parameters and fields whose value is a secret. A prefix is kept, which shows its kind. */
const SECRET_KEYS =
  "(?:[a-z0-9]{1,20}[_-]|api|access|auth|secret|private|write|refresh|csrf|security)?(?:key|token|secret|password|passwd|pwd|signature|sig|jwt|nonce|csrf|credential|hmac)|authorization|bearer|auth|pass|pass(?:phrase|code)|otp";
/** At the end of a name: what is before it is another word of the name, `my_user_id`. */
const isNameOf = (keys: string) => new RegExp(`(?:^|[^a-z0-9])(?:${keys})$`, "i");
const VISITOR_KEY = isNameOf(VISITOR_KEYS);
const SECRET_KEY = isNameOf(SECRET_KEYS);
/** Longer than every key: only the end of a longer name is read. */
const MAX_KEY = 80;

const BRACE = "%(?:25){0,2}7B";
const BLANKS = "\\s{0,8}(?:%20){0,3}";
/** Before a value; in a form, a space is a plus sign. */
const BLANKS_AFTER = "\\s{0,8}(?:%(?:25){0,2}20|\\+(?=%)){0,3}";
const IN_NAME = "A-Za-z0-9_.$-";
/**
 * A name, the sign after it, and the quote that begins its value. In arguments, names and values are quoted:
 * `set("user_id", "8412")`. One character decides for most words that they are no name.
 */
const NAMED_VALUE = new RegExp(
  `(^|[^${IN_NAME}])([${IN_NAME}]{2,})(?=["'\`\\\\%&\\][\\s=:])(?:(?:${QUOTE})?(?:\\]|%(?:25)?5D)?(?:${INDEX})?${BLANKS}(?:${EQUALS})${BLANKS_AFTER}(${QUOTE})?|(?:${QUOTE})(,)\\s?(${QUOTE}))`,
  "gi",
);
/** Most addresses have no sign but that of their scheme. */
const MAY_BE_NAMED = /[=,\\&]|:(?!\/\/)|%(?:25)*3[AD]/i;
/** Calls whose argument identifies the visitor: `identify("8412")`, `setUserId(u8412)`, `["setUserId", "8412"]`. */
const CALLS = new RegExp(
  `(?:^|[^a-z])(?:identify|set_?(?:user|visitor|customer|contact|external|login)_?(?:id(?:entifier)?|name|email)?|set_?e?mail)(?:\\s{0,3}\\(\\s{0,8}|(?:${QUOTE})\\s?(,)\\s{0,8})(?:\\[\\s{0,8})?(?:(?:String|Number|parseInt)\\(\\s?)?(?:(${QUOTE})|(?=[\\w.+-]{0,40}\\d))`,
  "gi",
);
/** The beginning of a list of values, and what is before the next one. */
const LIST = /(?:(?:\[|%(?:25){0,2}5B)\s{0,8}){1,3}/iy;
const NEXT = new RegExp(`(?:${QUOTE})?\\s{0,8}(?:,|%(?:25){0,2}2C)\\s{0,8}`, "iy");
const OPENING = new RegExp(`(?:${QUOTE})?`, "iy");
/** Before `id`, directly: the person whose it is, or the persons: `"user":{`, `users[0][`, `users[0]` of `users[0].id`. */
const OF_PERSON = new RegExp(
  `(?:(?:${PEOPLE}|profile)s?|people|identify)(?:_?id)?(?:(?:${QUOTE})?\\s{0,3}[:=,(]\\s{0,3}\\[?\\s{0,3}(?:\\{|${BRACE})\\s{0,40}|(?:${INDEX})?(?:\\[|%(?:25){0,2}5B)|(?:${INDEX}))(?:${QUOTE})?$`,
  "i",
);
const ID = /^[._]?ids?$/i;
/** In an authorization: what comes before the secret. */
const SCHEME = /(?:basic|bearer|digest|token)(?:\s|%20|\+){1,3}/iy;
/** The rest of the code of a character, after the first sign of the code: `22` of `%22`, `u0026` of `\u0026`. */
const CODE: Readonly<Record<string, RegExp>> = {
  "%": /^(?:25){0,2}[0-9a-f]{2}/i,
  "\\": /^(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[bfnrt])/i,
};
const ENDS_VALUE = "\\s&;,\"'<>(){}\\\\\\][#|";
/** Of the codes in a value, only those of a quote, `&`, `;`, `<`, `>` and of white space end it. */
const VALUE_ENDS = new RegExp(
  `%(?:25){0,2}(?:2[26]|3B)|…|(?!\\\\{1,8}(?:u00(?!2[267]|3[bce]|0[9ad])|x(?!2[267]|3[bce]|0[9ad]))[0-9a-f]{2}|\\\\{1,8}u(?!00)[0-9a-f]{4}|&#(?!0?3[489];|x2[267];))[${ENDS_VALUE}]`,
  "gi",
);
/** What cannot begin a value in quotes: the quote ends the text before it, as in `"id=" + id`. */
const NO_VALUE = /[\s&;,<>(){}\][|…]|\+(?!\d)/y;
/** Of a value in quotes, in which white space and signs do not end it. */
const MAX_QUOTED = 400;
/** Identifiers that cookies of analytics and advertising contain, with or without their name: `GA1.2.123.456`, `fb.1.123.456`. */
const COOKIE_ID = /(?:\b|(%2[27]))((?:GA1|GS[12]|fb)(?:[.-]\d{1,3}){1,2}[.-])[\w.$-]{6,}|\b\d{7,10}\.1\d{9}\b/g;
/** A secret of fewer characters is cut whole. */
const MIN_RECOGNISABLE = 12;
const CUT = "…";

/** A part of a text, and what is shown in its place. */
interface Change {
  readonly at: number;
  readonly end: number;
  readonly by: string;
}
/** The changes of one kind in a text, in order. */
type Step = (text: string) => readonly Change[];

const NO_CHANGES: readonly Change[] = [];

/** Replaces what matches; a match may stay as it is. */
function replacing(pattern: RegExp, by: (found: RegExpExecArray) => string): Step {
  return (text) => {
    let changes = NO_CHANGES as Change[];
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      const [match] = found;
      const shown = by(found);
      if (shown === match) continue;
      if (changes === NO_CHANGES) changes = [];
      changes.push({ at: found.index, end: found.index + match.length, by: shown });
    }
    return changes;
  };
}

/** The mailbox of an email address. */
const mailboxes: Step = (text) => {
  let changes = NO_CHANGES as Change[];
  AT_SIGN.lastIndex = 0;
  for (let found = AT_SIGN.exec(text); found; found = AT_SIGN.exec(text)) {
    const end = found.index + found[0].length;
    MAIL_DOMAIN.lastIndex = end;
    if (!MAIL_DOMAIN.test(text)) continue;
    const at = startOfMailbox(text, found.index, changes.at(-1)?.end ?? 0);
    if (at === found.index) continue;
    if (changes === NO_CHANGES) changes = [];
    changes.push({ at, end, by: `${CUT}@` });
  }
  return changes;
};

function startOfMailbox(text: string, end: number, least: number): number {
  if (text[end - 1] === '"') {
    const quote = text.lastIndexOf('"', end - 2);
    return quote >= least && end - quote <= MAX_MAILBOX && !/[\n<>=@]/.test(text.slice(quote, end)) ? quote : end;
  }
  let at = end;
  while (at > least && end - at < MAX_MAILBOX) {
    if (OF_MAILBOX.test(text.charAt(at - 1))) at -= 1;
    else if (at < end && APOSTROPHE.test(text.slice(Math.max(0, at - 2), at))) at -= 2;
    else break;
  }
  if (OF_NOBODY.test(text.slice(at, end))) return end;
  // A letter that a script writes as its code: `j\u00fcrgen`.
  return at > least && /^u[0-9a-f]{4}/i.test(text.slice(at, at + 5)) && text[at - 1] === "\\" ? at - 1 : at;
}

/** What makes the value of a name personal or secret. */
interface Key {
  /** Where it begins in the name. */
  readonly at: number;
  readonly isPersonal: boolean;
}
const WHOLE_NAME: Key = { at: 0, isPersonal: true };
/** Pages use the same names again and again. */
const MAX_NAMES = 4_096;
const keysByName = new Map<string, Key | null>();

function keyIn(name: string): Key | null {
  const known = keysByName.get(name);
  if (known !== undefined) return known;
  const personal = VISITOR_KEY.exec(name);
  const found = personal ?? SECRET_KEY.exec(name);
  const key = found && { at: found.index, isPersonal: personal !== null };
  if (keysByName.size >= MAX_NAMES) keysByName.clear();
  // A copy: a part of a text keeps the whole text in memory.
  keysByName.set(Buffer.from(name).toString(), key);
  return key;
}

/** Values that their names make personal or secret. */
const namedValues: Step = (text) => {
  if (!MAY_BE_NAMED.test(text)) return NO_CHANGES;
  let changes = NO_CHANGES as Change[];
  let persons: PersonLists | undefined;
  const isOfPerson = (name: string, end: number): boolean => {
    if (!ID.test(name)) return false;
    if (OF_PERSON.test(text.slice(Math.max(0, end - MAX_KEY), end - name.length))) return true;
    persons ??= createPersonLists(text);
    return persons.isField(end - name.length);
  };
  NAMED_VALUE.lastIndex = 0;
  for (let found = NAMED_VALUE.exec(text); found; found = NAMED_VALUE.exec(text)) {
    const [whole, before = "", written = "", opening, comma, argument] = found;
    const nameEnd = found.index + before.length + written.length;
    NAMED_VALUE.lastIndex = nameEnd;
    const code = CODE[before];
    const name = (code ? written.replace(code, "") : written).slice(-MAX_KEY);
    const key =
      keyIn(name) ?? (isOfPerson(name, nameEnd) || isOfKey(name, text, nameEnd - written.length) ? WHOLE_NAME : null);
    if (key === null || (comma !== undefined && !key.isPersonal)) continue;
    const start = found.index + whole.length;
    // With the name, so that an excerpt that begins within shows it.
    const at = nameEnd - name.length + key.at - (key.at === 0 && code === undefined ? before.length : 0);
    if (key.isPersonal && opening === undefined && comma === undefined && isAt(LIST, text, start)) {
      const values = valuesOfList(text, LIST.lastIndex);
      if (changes === NO_CHANGES && values.length > 0) changes = [];
      for (const [index, value] of values.entries())
        changes.push(
          index > 0 ? { ...value, by: CUT } : { at, end: value.end, by: `${text.slice(at, value.at)}${CUT}` },
        );
      NAMED_VALUE.lastIndex = values.at(-1)?.end ?? nameEnd;
      continue;
    }
    const value = valueAt(text, key.isPersonal ? start : afterScheme(text, start), opening ?? argument);
    if (value === undefined || (comma !== undefined && !endsCall(text, value))) continue;
    const part = text.slice(value.at, value.end);
    const shown = key.isPersonal ? CUT : recognisable(part);
    if (shown === undefined || IS_NOBODY.test(part)) continue;
    if (changes === NO_CHANGES) changes = [];
    changes.push({ at, end: value.end, by: text.slice(at, value.at) + shown });
    NAMED_VALUE.lastIndex = value.end;
  }
  return changes;
};

/** What the value of an object is called: `"user_id":{"value":"8412"}`. */
const OF_OBJECT = /^(?:values?|raw|plain|hashed|sha256)$/i;
const OF_GAP = /[\s["'`\\]/;
/** Whether a name is of an object that a name makes personal. Reads no more than {@link MAX_KEY} characters each time. */
function isOfKey(name: string, text: string, start: number): boolean {
  if (!OF_OBJECT.test(name)) return false;
  const inside = text.slice(Math.max(0, start - MAX_KEY), start);
  const brace = inside.lastIndexOf("{");
  if (brace < 0 || inside.includes("}", brace)) return false;
  const before = text.slice(Math.max(0, start - inside.length + brace - MAX_KEY), start - inside.length + brace);
  let end = before.length;
  const skip = () => {
    while (end > 0 && OF_GAP.test(before.charAt(end - 1))) end -= 1;
  };
  skip();
  if (!/[:=]/.test(before.charAt(end - 1))) return false;
  end -= 1;
  skip();
  let at = end;
  while (at > 0 && /[\w.$-]/.test(before.charAt(at - 1))) at -= 1;
  return at < end && keyIn(before.slice(at, end))?.isPersonal === true;
}
const afterScheme = (text: string, at: number): number => (isAt(SCHEME, text, at) ? SCHEME.lastIndex : at);
/** Values that name nobody. */
const IS_NOBODY = /^(?:true|false|null|undefined)$/;
/** After an argument: the words of a list, as of the names of cookies, are no arguments. */
const ENDS_CALL = new RegExp(`(?:${QUOTE})?\\s?\\]?\\s?\\)`, "y");
/** After a number, which is no word. */
const ENDS_LIST = new RegExp(`(?:${QUOTE})?\\s?\\]`, "y");
const endsCall = (text: string, { at, end }: Value): boolean =>
  isAt(ENDS_CALL, text, end) || (isAt(ENDS_LIST, text, end) && /^[+-]?\d+$/.test(text.slice(at, end)));

/** A token by the word before it. */
const BEARER = /\bbearer(?:\s|%20|\+){1,3}(?=[\w.~+/-]{8})/gi;
const bearers: Step = (text) => (text.includes("earer") ? valuesAfter(BEARER, text, recognisable) : NO_CHANGES);

/** A secret with its beginning alone; one that was cut already is not cut again. */
function recognisable(secret: string): string | undefined {
  if (secret.endsWith(CUT) && secret.length <= KEPT + CUT.length) return undefined;
  return `${secret.length < MIN_RECOGNISABLE ? "" : secret.slice(0, KEPT)}${CUT}`;
}

const calls: Step = (text) =>
  text.includes("dentify") || text.includes("set") || text.includes("Set")
    ? valuesAfter(CALLS, text, () => CUT)
    : NO_CHANGES;

/** What follows a match, after the quote that is its second group; after a comma, its first, the last argument alone. */
function valuesAfter(pattern: RegExp, text: string, shownOf: (value: string) => string | undefined): readonly Change[] {
  let changes = NO_CHANGES as Change[];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const value = valueAt(text, found.index + found[0].length, found[2]);
    const by = value && shownOf(text.slice(value.at, value.end));
    if (value === undefined || by === undefined || (found[1] && !endsCall(text, value))) continue;
    if (changes === NO_CHANGES) changes = [];
    changes.push({ ...value, by });
    pattern.lastIndex = value.end;
  }
  return changes;
}

interface Value {
  readonly at: number;
  readonly end: number;
}

/** The values of a list that is no list of lists, those that name somebody and were not cut. */
function valuesOfList(text: string, start: number): readonly Value[] {
  const values: Value[] = [];
  for (let at = start; ; at = NEXT.lastIndex) {
    isAt(OPENING, text, at);
    const begin = OPENING.lastIndex;
    const isCut = text.startsWith(CUT, begin);
    const value = isCut
      ? { at: begin, end: begin + CUT.length }
      : valueAt(text, begin, text.slice(at, begin) || undefined);
    if (value === undefined) {
      if (isAt(NEXT, text, begin)) continue;
      return values;
    }
    if (!isCut && !IS_NOBODY.test(text.slice(value.at, value.end))) values.push(value);
    if (!isAt(NEXT, text, value.end)) return values;
  }
}

/** The value that begins here, after its opening quote if it has one; undefined if it is empty or cut already. */
function valueAt(text: string, at: number, quote: string | undefined): Value | undefined {
  if (text.startsWith(CUT, at)) return undefined;
  if (quote !== undefined && !isAt(NO_VALUE, text, at)) {
    let end = text.indexOf(quote, at);
    while (quote.length === 1 && text[end - 1] === "\\") end = text.indexOf(quote, end + 1);
    if (end > at && end - at <= MAX_QUOTED && !/[\r\n]/.test(text.slice(at, end))) return { at, end };
  }
  VALUE_ENDS.lastIndex = at;
  const end = VALUE_ENDS.exec(text)?.index ?? text.length;
  if (end === at) return undefined;
  return { at, end: text.startsWith(CUT, end) ? end + CUT.length : end };
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

const KEYED: readonly Step[] = [
  namedValues,
  calls,
  bearers,
  replacing(COOKIE_ID, ([, quote = "", name = ""]) => `${quote}${name}${CUT}`),
];
const USERS: readonly Step[] = [replacing(USER_INFO, ([, scheme = ""]) => `${scheme}${CUT}@`), mailboxes];
const TOKENS: readonly Step[] = [
  replacing(TOKEN, ([token]) => (looksRandom(token) ? `${token.slice(0, KEPT)}${CUT}` : token)),
];
const ALL = [...USERS, ...KEYED, ...TOKENS];

const apply = (steps: readonly Step[], text: string): string =>
  steps.reduce((done, step) => withChanges(done, step(done)), text);

function withChanges(text: string, changes: readonly Change[]): string {
  if (changes.length === 0) return text;
  let shown = "";
  let from = 0;
  for (const { at, end, by } of changes) {
    shown += text.slice(from, at) + by;
    from = end;
  }
  return shown + text.slice(from);
}

/** Cuts values whose parameter, cookie or field says that they identify a visitor or are secret. */
export const redactKeyed = (text: string): string => apply(KEYED, text);

/** Replaces in the whole text. An end of the part that is within a replaced match moves to the end of that match. */
function applyAround(steps: readonly Step[], part: Excerpt): Excerpt {
  let { text, from, to } = part;
  for (const step of steps) {
    const changes = step(text);
    if (changes.length === 0) continue;
    let [start, end, moved] = [from, to, 0];
    for (const { at, end: after, by } of changes) {
      const change = by.length - (after - at);
      if (from >= after) start = from + moved + change;
      else if (from > at) start = at + moved;
      if (to >= after) end = to + moved + change;
      else if (to > at) end = at + moved + by.length;
      moved += change;
    }
    text = withChanges(text, changes);
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
const COLLAPSE: readonly Step[] = [replacing(/\s{2,}|[^\S ]/g, () => " ")];

/** An excerpt as {@link redact} returns it: what is secret in the text is cut before the text is. */
export function redactExcerpt(kind: SignalKind, excerpt: Excerpt): string {
  const { text, to, isPassage } = excerpt;
  const { shown: from, read } = startOf(excerpt);
  const opening = kind === "dns.txt" || read === 0 ? { at: read, text: "" } : openingAt(text, read);
  const moved = opening.text.length - opening.at;
  const near = { text: opening.text + text.slice(opening.at, to + MARGIN), from: from + moved, to: to + moved };
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

/** A key, a token or the id of a person as words of a name, in which other signs may be blanks. */
const NAMED_SECRET =
  /(?:^|[^a-z0-9])(?:gh[opsu]|[prs]k[ _-](?:live|test)|whsec|xox[abp])[ _-][a-z0-9]{10}|[0-9a-f]{8}(?:[ _-][0-9a-f]{4}){3}[ _-][0-9a-f]{12}|\d{10}|\S(?:[@\uff20\ufe6b]|%40)\S/i;

/** Whether a part of a name has the shape of a secret or of an id: a page may have chosen the name. */
export const hasSecret = (name: string): boolean =>
  NAMED_SECRET.test(name) || (name.length >= MIN_TOKEN && name.split(/[^A-Za-z0-9]+/).some(isRandomPart));
const MIN_TOKEN = 16;
/** Names of libraries have many letters: `OverlappingMarkerSpiderfier`. */
const isRandomPart = (part: string): boolean => part.length >= MIN_TOKEN && /\d/.test(part) && looksRandom(part);

/** A host without the labels that could be a secret or the id of a visitor, and without those below them. */
export function withoutSecretLabels(host: string): string {
  const domain = registeredDomain(host) ?? "";
  const labels = host.slice(0, Math.max(0, host.length - domain.length - 1)).split(".");
  const at = labels.findLastIndex((label) => label.length >= MIN_TOKEN && looksRandom(label));
  return [...labels.slice(at + 1), domain].filter((label) => label !== "").join(".");
}
