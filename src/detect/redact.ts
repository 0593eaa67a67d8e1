import type { SignalKind } from "../vocabulary/signal.ts";

const TOKEN = /[A-Za-z0-9_~+-]{16,}/g;
const MAIL = /[A-Za-z0-9._%+-]{1,64}@(?=[A-Za-z0-9.-]{1,253})/g;
const SHOWN = 6;

/**
 * Cuts what could identify a person or serve as a secret: verification tokens, keys, the user part of addresses.
 * What is left recognises the record; nobody can use it.
 */
export function redact(kind: SignalKind, value: string): string {
  const bare = value.replace(MAIL, "…@");
  if (kind === "dns.txt") return cutToken(bare);
  return bare.replace(TOKEN, (token) => (looksRandom(token) ? `${token.slice(0, SHOWN)}…` : token));
}

/** `vendor-verification=abcdef0123` → `vendor-verification=abcdef…` */
function cutToken(text: string): string {
  const split = /[=:]\s{0,3}(?=[^=:]{0,400}$)/.exec(text.replace(/=+$/, ""));
  const start = split ? split.index + split[0].length : 0;
  const end = start + SHOWN;
  if (text.length <= end) return text;
  // Without a separator the name itself may be long: `vendor-site-verification_abc`.
  if (!split)
    return text.replace(TOKEN, (token) => (looksRandom(token) ? `${token.slice(0, 24)}…` : token)).slice(0, 120);
  return `${text.slice(0, end)}…`;
}

/** Words have vowels and no digits in between; host labels and file names pass, keys do not. */
function looksRandom(token: string): boolean {
  const digits = token.replace(/\D/g, "").length;
  const upper = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(token);
  return digits >= 4 || (digits >= 1 && upper) || (upper && !/[-_]/.test(token) && token.length >= 24);
}
