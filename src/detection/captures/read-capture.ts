import { YAML } from "bun";
import { belongsTo, type Domain, hostOf, parseDomain } from "../../core/domain.ts";
import { Failure } from "../../core/errors.ts";
import { quoted } from "../../core/text.ts";
import type { Snapshot } from "../../net/snapshot.ts";
import { parseSnapshot } from "../visit/snapshot-file.ts";
import { answersOf, hostName, isRecordList, isZoneYaml, readRecordList, readZoneText, readZoneYaml } from "./dns.ts";
import { harStart, isHar, pageAddress, readHar, readPage, readResponse, snapshotOf } from "./web.ts";

export interface CaptureHints {
  /** The file's name without its folder: the origin of a zone file that does not state it. */
  readonly name: string;
  /** The address of a saved page, response or HAR file. */
  readonly url?: string | undefined;
  /** ISO 8601 UTC, for files without a time. */
  readonly capturedAt: string;
  /** Reserved top-level domains to accept. */
  readonly allowedReservedTlds?: readonly string[];
}

/** Reserved top-level domains of recordings: a recording needs no lookups, and examples and tests use these names. */
const RECORDABLE_TLDS = ["example", "test", "internal", "local", "corp", "home", "lan"];

/**
 * Parses a domain that may have been recorded rather than scanned.
 *
 * @param allowed further reserved top-level domains to accept
 * @throws Failure `domain.invalid`, `domain.reserved`
 */
export const parseRecordedDomain = (input: string, allowed: readonly string[] = []): Domain =>
  parseDomain(input, [...RECORDABLE_TLDS, ...allowed]);

/**
 * The names under which a recording of the input may be stored: its registrable domain, then its host, because a recorded
 * zone may be below the domain.
 *
 * @throws Failure `domain.invalid`, `domain.reserved`
 */
export function recordedNames(input: string, allowed: readonly string[] = []): readonly [string, ...string[]] {
  const { name } = parseRecordedDomain(input, allowed);
  const host = hostOf(input);
  return host === undefined || host === name ? [name] : [name, host];
}

/** The domain of a page that does not state its address: a name that cannot exist (RFC 2606). */
export const UNIDENTIFIED_DOMAIN = "unknown.invalid";

/** Larger files are refused before they are parsed. */
export const MAX_CAPTURE_BYTES = 128 * 1024 * 1024;

/**
 * Reads a file of any supported format: a snapshot of `casefile capture`, a HAR file, a saved HTML page, a raw HTTP
 * response, a zone in octoDNS YAML, a zone file, the output of `dig`, or a record list in JSON.
 * A page or response without an address is read as one of {@link UNIDENTIFIED_DOMAIN}.
 *
 * @throws Failure `snapshot.invalid` for any other format or when the domain is unknown; `domain.*` when the domain in
 *   the file cannot be that of a company
 */
export function readCapture(file: string, hints: CaptureHints): Snapshot {
  // Windows programs write a byte order mark.
  const text = file.replace(/^\uFEFF/, "");
  if (text.length > MAX_CAPTURE_BYTES) throw unreadable("The file is larger than 128 MiB.");
  if (/^\s*$/.test(text)) throw unreadable("The file is empty.");
  const start = text.slice(0, 2_000).trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return readJson(text, hints);
  const readMarkup = /^HTTP\/\d/.test(start) ? readResponse : start.startsWith("<") ? readPage : undefined;
  if (!readMarkup) return readZone(text, hints);
  const url = addressOf(hints.url ?? pageAddress(text) ?? hostInName(hints) ?? `https://${UNIDENTIFIED_DOMAIN}/`);
  return readMarkup(text, url.href, domainOf(url.hostname, hints), hints.capturedAt);
}

function readJson(text: string, hints: CaptureHints): Snapshot {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw unreadable("The file starts like JSON but cannot be parsed.");
  }
  if (isHar(document)) {
    const url = addressOf(hints.url ?? harStart(document));
    return readHar(document, domainOf(url.hostname, hints), hints.capturedAt);
  }
  if (isRecordList(document)) return readRecordList(document, zoneName(document.domain, hints), hints.capturedAt);
  if (!isSnapshot(document))
    throw unreadable("The JSON is not a snapshot of `casefile capture`, HAR file or record list.");
  return parseSnapshot(text);
}

/** A snapshot of any version. */
const isSnapshot = (document: unknown): boolean =>
  typeof document === "object" && document !== null && "format" in document && document.format === "casefile-snapshot";

const UNKNOWN_FORMAT = "The file is not a snapshot, HAR file, HTML page, HTTP response, zone or record list.";

function readZone(text: string, hints: CaptureHints): Snapshot {
  const zone = (origin: string, records: ReturnType<typeof readZoneText>) => {
    if (records.length === 0) throw unreadable("The file contains no DNS records; run `dig` without +short.");
    return snapshotOf(origin, "records", hints.capturedAt, { dns: answersOf(records), zone: true });
  };
  if (/\bIN\s{1,20}[A-Z]{1,10}\s|^\$(?:ORIGIN|TTL)\s/m.test(text)) {
    const named = nameOf(hints);
    const owners = readZoneText(text, named ?? "").map((record) => record.name);
    const origin = named ?? shortestDomain(owners, hints);
    if (!origin) throw unreadable("The zone does not state its domain; give it with --url.");
    return zone(origin, readZoneText(text, origin));
  }
  let document: unknown;
  try {
    document = YAML.parse(text);
  } catch {
    throw unreadable(UNKNOWN_FORMAT);
  }
  if (!isZoneYaml(document)) throw unreadable(UNKNOWN_FORMAT);
  const origin = nameOf(hints);
  if (!origin) throw unreadable("The zone does not state its domain; give it with --url.");
  return zone(origin, readZoneYaml(document, origin));
}

/**
 * A zone keeps its name, which may be below the registrable domain.
 *
 * @throws Failure `domain.*` when the text is not a company's domain
 */
function zoneName(text: string, hints: CaptureHints): string {
  const domain = domainOf(text, hints);
  const name = hostName(text);
  // `text` may be a whole address.
  return belongsTo(name, domain) && /^[a-z0-9_.-]{1,253}$/.test(name) ? name : domain;
}

/** @throws Failure `domain.*` when the given address is not a company's */
function nameOf(hints: CaptureHints): string | undefined {
  if (hints.url !== undefined) return zoneName(addressOf(hints.url).hostname, hints);
  return firstZoneName([hints.name.replace(/\.(ya?ml|txt|zone|json|db|dig)$/i, "")], hints);
}

/** The first that can be a company's domain. */
function firstZoneName(names: readonly string[], hints: CaptureHints): string | undefined {
  for (const name of names) {
    try {
      return zoneName(name, hints);
    } catch {}
  }
  return undefined;
}

function hostInName(hints: CaptureHints): string | undefined {
  const name = hints.name.replace(/\.(html?|response|har|txt)$/i, "");
  return /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,6}$/i.test(name) ? `https://${name}/` : undefined;
}

function addressOf(text: string | undefined): URL {
  if (text === undefined) throw unreadable("The file does not state its address; give it with --url.");
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw unreadable(`${quoted(text)} is not an address; give one such as https://acme.com/ with --url.`);
  return url;
}

function domainOf(host: string, hints: CaptureHints): string {
  return host === UNIDENTIFIED_DOMAIN ? host : parseDomain(host, hints.allowedReservedTlds ?? RECORDABLE_TLDS).name;
}

/**
 * The output of `dig` also contains other names, such as top-level domains and targets.
 *
 * @throws Failure `domain.*` when no name can be a company's domain
 */
function shortestDomain(names: readonly string[], hints: CaptureHints): string | undefined {
  const sorted = [...new Set(names)].sort((a, b) => a.split(".").length - b.split(".").length || a.length - b.length);
  const found = firstZoneName(sorted, hints);
  const other = sorted.find((name) => name.includes("."));
  return found ?? (other === undefined ? undefined : zoneName(other, hints));
}

const unreadable = (message: string) => new Failure("snapshot.invalid", message);
