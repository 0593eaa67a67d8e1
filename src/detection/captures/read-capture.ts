import { YAML } from "bun";
import { belongsTo, parseDomain } from "../../core/domain.ts";
import { Failure } from "../../core/errors.ts";
import type { Snapshot } from "../../net/snapshot.ts";
import { parseSnapshot } from "../visit/snapshot-file.ts";
import { answersOf, hostName, isRecordList, isZoneYaml, readRecordList, readZoneText, readZoneYaml } from "./dns.ts";
import { harStart, isHar, pageAddress, readHar, readPage, readResponse, snapshotOf } from "./web.ts";

export interface CaptureHints {
  /** The file's name without its folder: a zone's origin, when the file does not say it. */
  readonly name: string;
  /** Where a saved page, response or HAR comes from. */
  readonly url?: string;
  /** ISO 8601 UTC, for files that do not say when they were made. */
  readonly capturedAt: string;
  /** Reserved top-level names that this installation uses. */
  readonly reservedNames?: readonly string[];
}

/** Stands for the company when a page says nowhere where it comes from: a name that nobody can have (RFC 2606). */
export const UNIDENTIFIED_DOMAIN = "unknown.invalid";

/** Larger files are refused before they are parsed. */
export const MAX_CAPTURE_BYTES = 128 * 1024 * 1024;

/**
 * Reads whatever a user may have of a company: a snapshot of `casefile capture`, a browser's HAR file, a saved HTML
 * page, a raw HTTP response, a zone in octoDNS YAML, a zone file, what `dig` printed, or a record list in JSON.
 * A page or response that does not say where it comes from is read as {@link UNIDENTIFIED_DOMAIN}'s.
 *
 * @throws Failure `snapshot.invalid` when it is none of these, or when the domain cannot be told; `domain.*` when what
 *   it tells is no company's domain
 */
export function readCapture(file: string, hints: CaptureHints): Snapshot {
  // Windows programs put a byte order mark in front.
  const text = file.replace(/^\uFEFF/, "");
  if (text.length > MAX_CAPTURE_BYTES) throw unreadable("The file is larger than 128 MiB.");
  const start = text.slice(0, 2_000).trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return readJson(text, hints);
  if (/^HTTP\/\d/.test(start)) {
    const url = addressOf(hints.url ?? pageAddress(text) ?? hostInName(hints) ?? `https://${UNIDENTIFIED_DOMAIN}/`);
    return readResponse(text, url.href, domainOf(url.hostname, hints), hints.capturedAt);
  }
  if (start.startsWith("<")) {
    const url = addressOf(hints.url ?? pageAddress(text) ?? hostInName(hints) ?? `https://${UNIDENTIFIED_DOMAIN}/`);
    return readPage(text, url.href, domainOf(url.hostname, hints), hints.capturedAt);
  }
  return readZone(text, hints);
}

function readJson(text: string, hints: CaptureHints): Snapshot {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw unreadable("The file starts like JSON and is none.");
  }
  if (isHar(document)) {
    const url = addressOf(hints.url ?? harStart(document));
    return readHar(document, domainOf(url.hostname, hints), hints.capturedAt);
  }
  if (isRecordList(document)) return readRecordList(document, ownName(document.domain, hints), hints.capturedAt);
  return parseSnapshot(text);
}

function readZone(text: string, hints: CaptureHints): Snapshot {
  const zone = (origin: string, records: ReturnType<typeof readZoneText>) => {
    if (records.length === 0)
      throw unreadable("No DNS record was found in the file; `dig` must print its answers in full, without +short.");
    return snapshotOf(origin, "records", hints.capturedAt, { dns: answersOf(records), zone: true });
  };
  if (/\bIN\s{1,20}[A-Z]{1,10}\s|^\$(?:ORIGIN|TTL)\s/m.test(text)) {
    const named = nameOf(hints);
    const owners = readZoneText(text, named ?? "").map((record) => record.name);
    const origin = named ?? shortestDomain(owners, hints);
    if (!origin) throw unreadable("The zone does not say whose it is; name the domain with --url.");
    return zone(origin, readZoneText(text, origin));
  }
  let document: unknown;
  try {
    document = YAML.parse(text);
  } catch {
    throw unreadable("The file is no snapshot, HAR, HTML page, HTTP response, zone or record list.");
  }
  if (!isZoneYaml(document))
    throw unreadable("The file is no snapshot, HAR, HTML page, HTTP response, zone or record list.");
  const origin = nameOf(hints);
  if (!origin) throw unreadable("The zone does not say whose it is; name the domain with --url.");
  return zone(origin, readZoneYaml(document, origin));
}

/**
 * A zone keeps its own name, which may lie below the registrable domain.
 *
 * @throws Failure `domain.*` when the text is no company's domain
 */
function ownName(text: string, hints: CaptureHints): string {
  const domain = domainOf(text, hints);
  const name = hostName(text);
  // What surrounds a host in an address belongs to no name.
  return belongsTo(name, domain) && /^[a-z0-9_.-]{1,253}$/.test(name) ? name : domain;
}

/** @throws Failure `domain.*` when the address that the user gave is no company's */
function nameOf(hints: CaptureHints): string | undefined {
  if (hints.url !== undefined) return ownName(addressOf(hints.url).hostname, hints);
  return ownNameIn([hints.name.replace(/\.(ya?ml|txt|zone|json|db|dig)$/i, "")], hints);
}

/** The first that is a company's. */
function ownNameIn(names: readonly string[], hints: CaptureHints): string | undefined {
  for (const name of names) {
    try {
      return ownName(name, hints);
    } catch {}
  }
  return undefined;
}

function hostInName(hints: CaptureHints): string | undefined {
  const name = hints.name.replace(/\.(html?|response|har|txt)$/i, "");
  return /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,6}$/i.test(name) ? `https://${name}/` : undefined;
}

function addressOf(text: string | undefined): URL {
  const url = text === undefined ? null : URL.parse(text.includes("://") ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw unreadable("The file does not say where it comes from; give its address with --url.");
  return url;
}

function domainOf(host: string, hints: CaptureHints): string {
  return host === UNIDENTIFIED_DOMAIN ? host : parseDomain(host, hints.reservedNames ?? []).name;
}

/**
 * What `dig` prints holds other names too: those of top-level domains, of targets.
 *
 * @throws Failure `domain.*` when no name is a company's
 */
function shortestDomain(names: readonly string[], hints: CaptureHints): string | undefined {
  const sorted = [...new Set(names)].sort((a, b) => a.split(".").length - b.split(".").length || a.length - b.length);
  const found = ownNameIn(sorted, hints);
  const other = sorted.find((name) => name.includes("."));
  return found ?? (other === undefined ? undefined : ownName(other, hints));
}

const unreadable = (advice: string) => new Failure("snapshot.invalid", advice);
