import { asHost } from "./host-name.ts";

/** A host that an SPF record names. */
export interface SpfHost {
  readonly host: string;
  /** The host publishes an SPF record of its own (`include`, `redirect`). */
  readonly record: boolean;
  /** Only the literal end of a name with macros. */
  readonly partial: boolean;
}

const TERM = /^[+?~]?(?:(include|a|mx|ptr|exists):|(redirect)=)(.{1,500})$/i;
const TERMS_LIMIT = 200;

export const isSpf = (text: string): boolean => /^v=spf1(?:\s|$)/i.test(text);

/**
 * The hosts of one SPF record, in order. Terms that forbid (`-include:`) name nobody who sends. Macros are not
 * expanded, for their values are a mail's: of `%{i}._spf.vendor.com` remains `_spf.vendor.com`, of `_spf.%{d}` nothing.
 */
export function parseSpf(text: string): readonly SpfHost[] {
  if (!isSpf(text)) return [];
  return text
    .split(/\s+/, TERMS_LIMIT)
    .slice(1)
    .flatMap((term) => {
      const [, mechanism = "", redirect, spec = ""] = TERM.exec(term) ?? [];
      const partial = spec.includes("%{");
      const host = asHost(partial ? afterMacros(spec) : spec.replace(/\/.{0,20}$/, ""));
      const record = redirect !== undefined || mechanism.toLowerCase() === "include";
      return host === undefined ? [] : [{ host, record: record && !partial, partial }];
    });
}

function afterMacros(spec: string): string {
  const end = spec.slice(spec.lastIndexOf("}") + 1);
  return end.includes(".") ? end.slice(end.indexOf(".") + 1) : "";
}
