import ipaddr from "ipaddr.js";

/** How a configuration value is written, read and shown. */
export interface Kind<T> {
  /** Completes "must be …". */
  readonly expects: string;
  /** Several values: text is cut at its commas, and a flag may be repeated. */
  readonly list: boolean;
  /** A flag may stand without a value. */
  readonly bare?: true;
  /** The value, or undefined when it is not what the kind expects. Text comes from flags and variables too. */
  parse(raw: unknown): T | undefined;
  /** As it is written in a variable. */
  show(value: T): string;
}

/** One line of text: some of it ends in headers and in logs. */
export function text(options: { empty?: boolean; max?: number } = {}): Kind<string> {
  const { empty = false, max = 1_000 } = options;
  return {
    expects: `one line of text${empty ? "" : " that is not empty"}, at most ${max} characters`,
    list: false,
    parse: (raw) =>
      typeof raw === "string" && raw.length <= max && (empty || raw.trim() !== "") && !/[\0-\x1f\x7f]/.test(raw)
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

/** A number from 0 to 1. */
export const fraction: Kind<number> = {
  expects: "a number from 0 to 1",
  list: false,
  parse(raw) {
    const given = typeof raw === "string" && /^\d?\.?\d{1,9}$/.test(raw.trim()) ? Number(raw) : raw;
    return typeof given === "number" && given >= 0 && given <= 1 ? given : undefined;
  },
  show: String,
};

export const boolean: Kind<boolean> = {
  expects: "true or false",
  list: false,
  bare: true,
  parse(raw) {
    if (raw === true || raw === "true") return true;
    return raw === false || raw === "false" ? false : undefined;
  },
  show: String,
};

/** A count of proxies; `false` is none. */
export const hops: Kind<number> = {
  expects: "false, or the number of proxies in front, from 0 to 10",
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
    list: false,
    parse: (raw) => options.find((option) => option === raw),
    show: (value) => value,
  };
}

/** `off` and empty text are null. */
export function orOff<T>(kind: Kind<T>): Kind<T | null> {
  return {
    expects: `${kind.expects}, or off`,
    list: kind.list,
    parse: (raw) => (raw === "off" || raw === "" ? null : kind.parse(raw)),
    show: (value) => (value === null ? "off" : kind.show(value)),
  };
}

/** At most 200 items; `off` and empty text are none. */
export function listOf<T>(kind: Kind<T>): Kind<readonly T[]> {
  return {
    expects: `a list, each item ${kind.expects}`,
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

/** An http(s) URL; with `places`, one in which at least one of them is written `{place}`, to be filled in later. */
export function url(...places: readonly string[]): Kind<string> {
  const needed = places.map((place) => `{${place}}`).join(" or ");
  return {
    expects: `an http or https URL${needed && ` with ${needed}`}`,
    list: false,
    parse(raw) {
      if (typeof raw !== "string" || raw.length > 2_000) return undefined;
      const given = [...raw.matchAll(/\{([^}]{0,50})\}/g)].map(([, place]) => place ?? "");
      if (places.length > 0 && given.length === 0) return undefined;
      if (given.some((place) => !places.includes(place))) return undefined;
      const parsed = URL.parse(raw.replaceAll(/[{}]/g, ""));
      return parsed && /^https?:$/.test(parsed.protocol) ? raw : undefined;
    },
    show: withoutSecrets,
  };
}

/** A mail server: `smtp://user:password@host:587`, or `smtps://` for one that speaks TLS from the first byte. */
export const mailServer: Kind<string> = {
  expects: "an smtp or smtps URL such as smtp://user:password@mail.example:587",
  list: false,
  parse(raw) {
    if (typeof raw !== "string" || raw.length > 2_000 || /[\s\0-\x1f\x7f]/.test(raw)) return undefined;
    const parsed = URL.parse(raw);
    return parsed && /^smtps?:$/.test(parsed.protocol) && parsed.hostname !== "" ? raw : undefined;
  },
  show: withoutSecrets,
};

/** A key or a password: printable ASCII, as it has to fit into a header. */
export const secret: Kind<string> = {
  expects: "a secret of 1 to 1000 printable ASCII characters without white space",
  list: false,
  parse: (raw) => (typeof raw === "string" && /^[\x21-\x7e]{1,1000}$/.test(raw) ? raw : undefined),
  show: () => "***",
};

/** Hides what gives access: a user and password, and the values of parameters that are named like secrets. */
function withoutSecrets(value: string): string {
  return value
    .replace(/^((?:https?|smtps?):\/\/)[^/?#]{0,1000}@/i, "$1***@")
    .replaceAll(/([?&][^=&#]{0,50}(?:key|token|secret|password|auth)[^=&#]{0,50}=)[^&#]{1,1000}/gi, "$1***");
}

export const zone: Kind<string> = {
  expects: "a DNS zone",
  list: false,
  parse: (raw) =>
    typeof raw === "string" && raw.length <= 200 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63}){0,20}$/.test(raw)
      ? raw
      : undefined,
  show: (value) => value,
};

/** A top-level name or several labels, in lower case. */
export const name: Kind<string> = { ...zone, expects: "a name in lower case without dots at its ends" };

/** `10.0.0.0/8`; a single address stands for itself. */
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

/** `443:8443`: what is asked for port 443 goes to port 8443. */
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
  list: false,
  parse(raw) {
    const [, label, rest] = /^([a-z0-9-]{1,40})=(.{1,2000})$/.exec(typeof raw === "string" ? raw : "") ?? [];
    const found = url("label", "domain").parse(rest);
    return label && found ? { label, url: found } : undefined;
  },
  show: (value) => `${value.label}=${withoutSecrets(value.url)}`,
};

const isAddress = (host: string) => ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);

const wholeOf = (raw: unknown) => (typeof raw === "string" && /^\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw);

const within = (value: unknown, min: number, max: number) =>
  typeof value === "number" && value >= min && value <= max && Number.isSafeInteger(value) ? value : undefined;
