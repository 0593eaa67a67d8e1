import { parseRecordedDomain } from "../../detection/captures/read-capture.ts";

const KNOWN = 50_000;

/** Finds the company of a host: its registrable domain, undefined for an IP address and the like. */
export function createCompanies(): (host: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (host) => {
    if (known.has(host)) return known.get(host);
    let name: string | undefined;
    try {
      name = parseRecordedDomain(host).name;
    } catch {
      // Archives contain hosts of all kinds.
    }
    if (known.size >= KNOWN) known.clear();
    known.set(host, name);
    return name;
  };
}

export type CompanyOf = ReturnType<typeof createCompanies>;

/** What readers of records need. */
export interface FormatContext {
  readonly companyOf: CompanyOf;
  /** ISO 8601 UTC, for records without a date. */
  readonly capturedAt: string;
}
