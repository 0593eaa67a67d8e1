import ipaddr from "ipaddr.js";
import { databaseServers } from "../core/database-url.ts";
import { isRole, ROLES, type Role } from "../core/roles.ts";

/** How a configuration value is parsed and shown. */
export interface Kind<T> {
  /** Completes "expected …". */
  readonly expects: string;
  /** The allowed values, where they can be listed. */
  readonly options?: readonly string[] | undefined;
  /** May hold a password: messages do not repeat it. */
  readonly secret?: boolean | undefined;
  /** Several values: text is split at commas, and a flag may be repeated. */
  readonly list: boolean;
  /** The flag may be given without a value. */
  readonly bare?: true;
  /** The value, or undefined when it is invalid. Values of flags and environment variables are text. */
  parse(raw: unknown): T | undefined;
  /** As an environment variable would write it. */
  show(value: T): string;
}

/** One line of text, not empty: some values are sent in headers or written to logs. */
export function text({ max = 1_000 } = {}): Kind<string> {
  return {
    expects: `one line of text with 1 to ${max} characters`,
    list: false,
    parse: (raw) =>
      typeof raw === "string" && raw.length <= max && raw.trim() !== "" && !/[\0-\x1f\x7f]/.test(raw)
        ? raw.trim()
        : undefined,
    show: (value) => value,
  };
}

export function integer(min: number, max: number): Kind<number> {
  return {
    expects: `a whole number from ${min} to ${max}`,
    list: false,
    parse: (raw) => within(wholeOf(raw), min, max),
    show: String,
  };
}

/** Levels of confidence, by the lowest confidence of each. A scan reports no `possible` tools by default. */
const LEVELS: Readonly<Record<string, number>> = { confirmed: 0.8, likely: 0.5 };
/** Below it, mentions alone would be reported. */
const LOWEST_CONFIDENCE = 0.46;

/** A level, or a number. */
export const confidence: Kind<number> = {
  expects: `confirmed, likely, or a number from ${LOWEST_CONFIDENCE} to 1 (one question may ask for less: --min-confidence possible)`,
  list: false,
  parse(raw) {
    const text = typeof raw === "string" ? raw.trim() : "";
    const given = /^\d?\.?\d{1,9}$/.test(text) ? Number(text) : (LEVELS[text] ?? raw);
    return typeof given === "number" && given >= LOWEST_CONFIDENCE && given <= 1 ? given : undefined;
  },
  show: String,
};

export const boolean: Kind<boolean> = {
  expects: "true or false",
  options: ["true", "false"],
  list: false,
  bare: true,
  parse(raw) {
    if (raw === true || raw === "true") return true;
    return raw === false || raw === "false" ? false : undefined;
  },
  show: String,
};

/** A number of reverse proxies; `false` means none. */
export const hops: Kind<number> = {
  expects: "false, or a number of proxies from 0 to 10",
  list: false,
  parse: (raw) => (raw === false || raw === "false" ? 0 : within(wholeOf(raw), 0, 10)),
  show: (value) => (value === 0 ? "false" : String(value)),
};

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds, or text with a unit. */
export function duration(minMs: number, maxMs: number): Kind<number> {
  return {
    expects: `milliseconds from ${minMs} to ${maxMs}, or a duration such as "15s"`,
    list: false,
    parse(raw) {
      const [, digits, unit] = /^(\d{1,12})(ms|s|m|h)$/.exec(typeof raw === "string" ? raw.trim() : "") ?? [];
      const given = digits === undefined ? wholeOf(raw) : Number(digits) * (UNIT_MS[unit ?? ""] ?? Number.NaN);
      return within(given, minMs, maxMs);
    },
    show: String,
  };
}

const UNIT_BYTES: Readonly<Record<string, number>> = { kib: 1_024, mib: 1_048_576 };

/** Bytes, or text with a unit. */
export function bytes(min: number, max: number): Kind<number> {
  return {
    expects: `bytes from ${min} to ${max}, or a size such as "3MiB"`,
    list: false,
    parse(raw) {
      const [, digits, unit] = /^(\d{1,9}) ?(kib|mib)$/i.exec(typeof raw === "string" ? raw.trim() : "") ?? [];
      const given =
        digits === undefined ? wholeOf(raw) : Number(digits) * (UNIT_BYTES[unit?.toLowerCase() ?? ""] ?? Number.NaN);
      return within(given, min, max);
    },
    show: String,
  };
}

export function choice<const T extends string>(...options: readonly T[]): Kind<T> {
  return {
    expects: `one of ${options.join(", ")}`,
    options,
    list: false,
    parse: (raw) => options.find((option) => option === raw),
    show: (value) => value,
  };
}

/** `off` and empty text give null. */
export function orOff<T>(kind: Kind<T>): Kind<T | null> {
  return {
    expects: `${kind.expects}, or off`,
    secret: kind.secret,
    list: kind.list,
    parse: (raw) => (raw === "off" || raw === "" ? null : kind.parse(raw)),
    show: (value) => (value === null ? "off" : kind.show(value)),
  };
}

/** At most 200 items; `off` and empty text give none. */
export function listOf<T>(kind: Kind<T>): Kind<readonly T[]> {
  return {
    expects: `a list of items that are each ${kind.expects}`,
    secret: kind.secret,
    list: true,
    parse(raw) {
      if (raw === "off" || raw === "") return [];
      const items = typeof raw === "string" ? raw.split(",").map((item) => item.trim()) : raw;
      if (!Array.isArray(items) || items.length > 200) return undefined;
      const values = items.map((item) => kind.parse(item)).filter((item) => item !== undefined);
      return values.length === items.length ? values : undefined;
    },
    show: (values) => (values.length === 0 ? "off" : values.map((value) => kind.show(value)).join(",")),
  };
}

/** An HTTP(S) URL; with `places`, a URL template in which at least one of them is written as `{place}`. */
export function url(...places: readonly string[]): Kind<string> {
  const needed = places.map((place) => `{${place}}`).join(" or ");
  return {
    expects: `an http or https URL${needed && ` with ${needed}`}`,
    secret: true,
    list: false,
    parse(raw) {
      if (typeof raw !== "string" || raw.length > 2_000) return undefined;
      const given = [...raw.matchAll(/\{([^}]{0,50})\}/g)].map(([, place]) => place ?? "");
      if (places.length > 0 && given.length === 0) return undefined;
      if (given.some((place) => !places.includes(place))) return undefined;
      const parsed = URL.parse(raw.replaceAll(/[{}]/g, ""));
      return parsed && /^https?:$/.test(parsed.protocol) ? raw : undefined;
    },
    show: (value) => value,
  };
}

/** A browser's debugging port, or the WebSocket of the browser itself, which may contain a token. */
export const browserUrl: Kind<string> = {
  expects: "an http, https, ws or wss URL such as http://127.0.0.1:9222",
  secret: true,
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || raw.length > 2_000) return undefined;
    const parsed = URL.parse(raw);
    return parsed && /^(?:http|ws)s?:$/.test(parsed.protocol) ? raw : undefined;
  },
  show: (value) => value,
};

/** An email address or a web page, as a header can carry it. */
export const contact: Kind<string> = {
  expects: "an email address such as scans@acme.example, or an http or https URL",
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || raw.length > 200) return undefined;
    const value = raw.trim();
    const isEmail =
      /^[\x21-\x7e]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/i.test(value) && !/[()<>,;:"\\[\]]/.test(value);
    const isPage = /^https?:\/\/[\x21-\x7e]+$/i.test(value) && !/[()]/.test(value) && URL.parse(value) !== null;
    return isEmail || isPage ? value : undefined;
  },
  show: (value) => value,
};

/** An SMTP server: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. */
export const mailServer: Kind<string> = {
  expects: "an smtp or smtps URL such as smtp://user:password@mail.example:587",
  secret: true,
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || raw.length > 2_000 || /[\s\0-\x1f\x7f]/.test(raw)) return undefined;
    const parsed = URL.parse(raw);
    return parsed && /^smtps?:$/.test(parsed.protocol) && parsed.hostname !== "" ? raw : undefined;
  },
  show: (value) => value,
};

/** A PostgreSQL database: `postgres://user:password@host:5432/name`, or `host1:5432,host2:5432` for a primary with standbys. */
export const database: Kind<string> = {
  expects: "a postgres or postgresql URL such as postgres://casefile:password@db.example:5432/casefile",
  secret: true,
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || raw.length > 2_000 || /[\s\0-\x1f\x7f]/.test(raw)) return undefined;
    return databaseServers(raw) === undefined ? undefined : raw;
  },
  show: (value) => value,
};

/** A key or a password: printable ASCII, because it is sent in a header. */
export const secret: Kind<string> = {
  expects: "1 to 1000 printable ASCII characters without white space",
  secret: true,
  list: false,
  parse: (raw) => (typeof raw === "string" && /^[\x21-\x7e]{1,1000}$/.test(raw) ? raw : undefined),
  show: () => "***",
};

export const zone: Kind<string> = {
  expects: "a DNS zone",
  list: false,
  parse: (raw) =>
    typeof raw === "string" && raw.length <= 200 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63}){0,20}$/.test(raw)
      ? raw
      : undefined,
  show: (value) => value,
};

/** A top-level domain, or a name of several labels. */
export const domainSuffix: Kind<string> = { ...zone, expects: "a lower-case name such as internal or corp.internal" };

/** `10.0.0.0/8`; a single address is a range of one. */
export const cidr: Kind<string> = {
  expects: "an address range such as 10.0.0.0/8",
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || !/^[0-9a-f.:]{2,45}(\/\d{1,3})?$/i.test(raw)) return undefined;
    if (!raw.includes("/")) return isAddress(raw) ? `${raw}/${raw.includes(":") ? 128 : 32}` : undefined;
    return ipaddr.isValidCIDR(raw) && isAddress(raw.split("/")[0] ?? "") ? raw : undefined;
  },
  show: (value) => value,
};

/** An address with or without a port: `9.9.9.9`, `127.0.0.1:5353`, `[::1]:5353`. */
export const resolver: Kind<string> = {
  expects: "an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353",
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || raw.length > 60) return undefined;
    if (isAddress(raw)) return raw;
    const [, six, four, digits] = /^(?:\[([^\]]{2,45})\]|([\d.]{7,15})):(\d{1,5})$/.exec(raw) ?? [];
    return digits && isAddress(six ?? four ?? "") && within(Number(digits), 1, 65_535) ? raw : undefined;
  },
  show: (value) => value,
};

/** `443:8443`: connections to port 443 go to port 8443 instead. */
export const portPair: Kind<{ readonly from: number; readonly to: number }> = {
  expects: "two ports such as 443:8443",
  list: false,
  parse(raw) {
    const [, first, second] = /^(\d{1,5}):(\d{1,5})$/.exec(typeof raw === "string" ? raw : "") ?? [];
    const from = within(Number(first), 1, 65_535);
    const to = within(Number(second), 1, 65_535);
    return from && to ? { from, to } : undefined;
  },
  show: ({ from, to }) => `${from}:${to}`,
};

/** `okta=https://{label}.okta.com/…`. */
export const tenantLookup: Kind<{ readonly label: string; readonly url: string }> = {
  expects: "LABEL=URL with {label} or {domain} in the URL",
  secret: true,
  list: false,
  parse(raw) {
    const [, label, rest] = /^([a-z0-9-]{1,40})=(.{1,2000})$/.exec(typeof raw === "string" ? raw : "") ?? [];
    const found = url("label", "domain").parse(rest);
    return label && found ? { label, url: found } : undefined;
  },
  show: (value) => `${value.label}=${value.url}`,
};

/** `casefile-admins=admin`, `ada@acme.com=reviewer`. */
export const roleOf: Kind<{ readonly value: string; readonly role: Role }> = {
  expects: `VALUE=ROLE with one of the roles ${ROLES.join(", ")}`,
  secret: false,
  list: false,
  parse(raw) {
    const [, value, role] = /^(.{1,300})=([a-z]{1,20})$/.exec(typeof raw === "string" ? raw.trim() : "") ?? [];
    return value && isRole(role) ? { value: value.trim(), role } : undefined;
  },
  show: ({ value, role }) => `${value}=${role}`,
};

const isAddress = (host: string) => ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);

const wholeOf = (raw: unknown) => (typeof raw === "string" && /^\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw);

const within = (value: unknown, min: number, max: number) =>
  typeof value === "number" && value >= min && value <= max && Number.isSafeInteger(value) ? value : undefined;
