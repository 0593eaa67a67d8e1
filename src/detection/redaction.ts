import type { SignalKind } from "./signals.ts";
import type { Detection, Report } from "./types.ts";

/** One that was cut already is not cut again. */
const TOKEN = /[A-Za-z0-9_~+-]{16,}(?![A-Za-z0-9_~+…-])/g;
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
const VALUE = "(?:(?!%2[26]|%3B|…)[^\\s&;,\"'<>(){}\\\\\\][#|]){1,2000}";
const keyed = (keys: string) => new RegExp(`((?:^|%[0-9a-f]{2}|[^a-z0-9%])(?:${keys})${SEPARATOR})(${VALUE}…?)`, "gi");
const VISITOR_VALUE = keyed(VISITOR_KEYS);
const SECRET_VALUE = keyed(SECRET_KEYS);
/** Identifiers that cookies of analytics and advertising contain, with or without their name: `GA1.2.123.456`, `fb.1.123.456`. */
const COOKIE_ID = /\b((?:GA1|GS[12]|fb)(?:[.-]\d{1,3}){1,2}[.-])[\w.$-]{6,200}|\b\d{7,10}\.1\d{9}\b/g;
/** A secret of fewer characters is cut whole. */
const MIN_RECOGNISABLE = 12;
const CUT = "…";

/** Cuts values whose parameter, cookie or field says that they identify a visitor or are secret. */
export function redactKeyed(text: string): string {
  // No key is the scheme of an address, and most addresses hold no other colon.
  const isPlain = !SEPARATES.test(text.replace(SCHEME, ""));
  return (isPlain ? text : redactValues(text)).replace(COOKIE_ID, (_, name: string = "") => `${name}${CUT}`);
}

const SEPARATES = /[=:]|%3[AD]/i;
const SCHEME = /^https?:/;

function redactValues(text: string): string {
  return text.replace(VISITOR_VALUE, `$1${CUT}`).replace(SECRET_VALUE, (all, key: string, value: string) => {
    if (value.endsWith(CUT)) return all;
    return `${key}${value.length < MIN_RECOGNISABLE ? "" : value.slice(0, KEPT)}${CUT}`;
  });
}

/** A report as it may be shown: also one that an earlier release stored. */
export const redactReport = (report: Report): Report => ({
  ...report,
  detections: report.detections.map(redactDetection),
  ...(report.possible && { possible: report.possible.map(redactDetection) }),
});

const redactDetection = (detection: Detection): Detection => ({
  ...detection,
  evidence: detection.evidence.map((each) => ({
    ...each,
    value: each.signal === "implied" ? each.value : redact(each.signal, each.value),
    location: redact("html.anchor", each.location),
  })),
});

/**
 * Cuts what could identify a person or serve as a secret: verification tokens, keys, the local part of email addresses.
 * The rest is enough to recognise the record and useless otherwise.
 */
export function redact(kind: SignalKind, value: string): string {
  const anonymous = /@|%40/.test(value) ? value.replace(USER_INFO, "$1…@").replace(EMAIL, "…@") : value;
  if (kind === "dns.txt") return redactTxt(anonymous);
  return redactKeyed(anonymous).replace(TOKEN, (token) => (looksRandom(token) ? `${token.slice(0, KEPT)}…` : token));
}

/** `vendor-verification=abcdef0123` → `vendor-verification=abcdef…` */
function redactTxt(text: string): string {
  const separator = /[=:]\s{0,3}(?=[^=:]{0,400}$)/.exec(text.replace(/=+$/, ""));
  const end = (separator ? separator.index + separator[0].length : 0) + KEPT;
  if (text.length <= end) return text;
  if (separator) return `${text.slice(0, end)}…`;
  const cut = (token: string) => `${token.slice(0, (NAME_PREFIX.exec(token)?.[0].length ?? 0) + KEPT)}…`;
  return text.replace(TOKEN, (token) => (looksRandom(token) ? cut(token) : token)).slice(0, 120);
}

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
