import type { SignalKind } from "../vocabulary/signal.ts";

const TOKEN = /[A-Za-z0-9_~+-]{16,}/g;
/** Also as a query has it, `ada%40acme.com`; `library@3.2.1` in a path is no address. */
const MAIL = /[A-Za-z0-9._%+-]{1,64}(?:@|%40)(?=(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}(?![A-Za-z0-9]))/gi;
/** The user part of a URL, which is a key or a password whatever it looks like. */
const USER = /(:\/\/)[^\s/?#@]{1,512}@/g;
/** The wordy start of a value without a separator: `vendor-site-verification_`. */
const NAME = /^(?:(?:[a-z]{2,20}|[A-Z]{2,20}|[A-Z][a-z]{1,19})[_-]){0,6}/;
/** Starts that vendors give to their keys. */
const KEY = /^(?:[prs]k_(?:live|test)|whsec|xox[abp]|gh[opsu])[_-]/;
const SHOWN = 6;

/**
 * Cuts what could identify a person or serve as a secret: verification tokens, keys, the user part of addresses.
 * What is left recognises the record; nobody can use it.
 */
export function redact(kind: SignalKind, value: string): string {
  const bare = /@|%40/.test(value) ? value.replace(USER, "$1…@").replace(MAIL, "…@") : value;
  if (kind === "dns.txt") return cutToken(bare);
  return bare.replace(TOKEN, (token) => (looksRandom(token) ? `${token.slice(0, SHOWN)}…` : token));
}

/** `vendor-verification=abcdef0123` → `vendor-verification=abcdef…` */
function cutToken(text: string): string {
  const split = /[=:]\s{0,3}(?=[^=:]{0,400}$)/.exec(text.replace(/=+$/, ""));
  const start = split ? split.index + split[0].length : 0;
  const end = start + SHOWN;
  if (text.length <= end) return text;
  if (!split) {
    const cut = (token: string) => `${token.slice(0, (NAME.exec(token)?.[0].length ?? 0) + SHOWN)}…`;
    return text.replace(TOKEN, (token) => (looksRandom(token) ? cut(token) : token)).slice(0, 120);
  }
  return `${text.slice(0, end)}…`;
}

/** Words have vowels and no digits in between; host labels and file names pass, keys do not. */
function looksRandom(token: string): boolean {
  const digits = token.replace(/\D/g, "").length;
  const upper = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(token);
  return (
    KEY.test(token) || digits >= 4 || (digits >= 1 && upper) || (upper && !/[-_]/.test(token) && token.length >= 24)
  );
}
