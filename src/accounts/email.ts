import { domainToASCII } from "node:url";
import { Failure } from "../vocabulary/failure.ts";

const LOCAL_PART = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]{1,64}(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]{1,64}){0,31}$/u;
/** Checked before the conversion to ASCII, which would cut a path, a port or a user away. */
const DOMAIN = /^[\p{L}\p{N}\p{M}.-]{1,253}$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * One form for one address: trimmed, in lower case, an international domain in ASCII.
 * Takes what mail systems take in practice; quoted local parts and bare IP addresses are refused.
 *
 * @throws Failure `email.invalid`
 */
export function foldEmail(input: string): string {
  const text = input.trim();
  const at = text.lastIndexOf("@");
  if (text.length > 254 || at < 1) throw invalid();
  const local = text.slice(0, at).normalize("NFC").toLowerCase();
  const host = text.slice(at + 1);
  const domain = DOMAIN.test(host) ? domainToASCII(host) : "";
  const folded = `${local}@${domain}`;
  if (local.length > 64 || !LOCAL_PART.test(local) || !isMailDomain(domain) || folded.length > 254) throw invalid();
  return folded;
}

function isMailDomain(domain: string): boolean {
  const labels = domain.split(".");
  return (
    domain.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? "")
  );
}

const invalid = () => new Failure("email.invalid", "Give one e-mail address, such as ada@acme.com.");
