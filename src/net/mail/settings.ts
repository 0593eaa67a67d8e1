import { isIP } from "node:net";
import { Failure } from "../../vocabulary/failure.ts";

export interface MailServer {
  /** Without brackets around an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte instead of STARTTLS. */
  readonly immediate: boolean;
  /** Plain text and certificates that nobody vouches for are taken: the URL says so, else the host is this machine. */
  readonly lax: boolean;
  readonly user: string | null;
  readonly password: string;
}

/**
 * Reads `smtp[s]://[user:password@]host[:port][?insecure=1|0]`.
 *
 * @throws Failure `config.invalid`; it never repeats the URL, which may hold a password
 */
export function parseMailServer(text: string): MailServer {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname)) {
    throw invalid("smtp.url is not a URL such as smtp://user:password@mail.example:587.");
  }
  for (const [name, value] of url.searchParams) {
    if (name !== "insecure" || !/^[01]$/.test(value)) throw invalid("smtp.url takes no parameter but insecure=1.");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const immediate = url.protocol === "smtps:";
  const insecure = url.searchParams.get("insecure");
  return {
    host,
    port: Number(url.port || (immediate ? 465 : 587)),
    immediate,
    lax: insecure === null ? isThisMachine(host) : insecure === "1",
    user: url.username === "" ? null : decoded(url.username),
    password: decoded(url.password),
  };
}

export interface Sender {
  readonly name: string;
  readonly address: string;
  readonly domain: string;
}

/**
 * Reads `casefile@acme.example` or `Casefile <casefile@acme.example>`.
 *
 * @throws Failure `config.invalid`
 */
export function parseSender(text: string): Sender {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("<");
  const address = at >= 0 && trimmed.endsWith(">") ? trimmed.slice(at + 1, -1) : trimmed;
  const name = at >= 0 ? trimmed.slice(0, at).trim().replace(/^"|"$/g, "") : "";
  if (!isAddress(address) || /[\0-\x1f\x7f<>]/.test(name)) {
    throw invalid("smtp.from is not a sender such as Casefile <casefile@acme.example>.");
  }
  return { name, address, domain: address.slice(address.lastIndexOf("@") + 1) };
}

/** One plain address: no list, no display name, nothing that could end a header or a command. */
export const isAddress = (text: string): boolean =>
  text.length <= 320 && /^[^\s\0-\x20\x7f@<>()[\]\\,;:"]{1,64}@[^\s\0-\x20\x7f@<>()[\]\\,;:"]{1,255}$/.test(text);

const isThisMachine = (host: string) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid("The user or password of smtp.url has a % that stands for no character; write it as %25.");
  }
}

const invalid = (advice: string) => new Failure("config.invalid", advice);
