import { field } from "../../core/json.ts";
import { hostName, recordOf } from "../../detection/captures/dns.ts";
import { boundedBody, HEADER_LIMITS, plainText, snapshotOf } from "../../detection/captures/web.ts";
import { recordHeaders } from "../../net/exchange.ts";
import type { CertificateAnswer, DnsAnswer, HttpExchange } from "../../net/snapshot.ts";
import { type Outcome, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";
import { dateOf } from "./dns-lines.ts";
import { readMessage } from "./http-message.ts";

const MAX_NAMES = 500;

const text = (value: unknown, name: string): string => plainText(field(value, name));
const texts = (value: unknown, name: string): string[] => {
  const found = field(value, name);
  return (Array.isArray(found) ? found : found === undefined ? [] : [found]).slice(0, MAX_NAMES).map(plainText);
};

export const isTlsx = (line: object): boolean =>
  "host" in line &&
  ("subject_cn" in line || "issuer_dn" in line || "subject_an" in line || "tls_version" in line) &&
  !("url" in line);

/** `{"host", "timestamp", "probe_status", "issuer_org", "issuer_cn", "subject_cn", "subject_an", "not_before", "not_after"}` */
export function readTlsx(line: object, context: FormatContext): Outcome {
  const host = hostName(text(line, "host"));
  const domain = context.companyOf(host);
  if (domain === undefined) return skipped("no_company");
  const certificate = certificateOf(host, line);
  if (!certificate) return skipped("not_ok");
  const at = dateOf(field(line, "timestamp")) ?? context.capturedAt;
  return { kind: "recording", snapshot: snapshotOf(domain, "tlsx", at, { certificates: [certificate] }) };
}

function certificateOf(host: string, line: unknown): CertificateAnswer | undefined {
  const issuer = { organisation: texts(line, "issuer_org")[0] ?? "", name: text(line, "issuer_cn") };
  const names = texts(line, "subject_an").map(hostName).filter(Boolean);
  if (field(line, "probe_status") === false || (issuer.organisation === "" && issuer.name === "" && names.length === 0))
    return undefined;
  return {
    host,
    status: "ok",
    issuer: { organisation: issuer.organisation.slice(0, 1_000), name: issuer.name.slice(0, 1_000) },
    subject: text(line, "subject_cn").slice(0, 1_000),
    names,
    valid_from: dateOf(field(line, "not_before")) ?? null,
    valid_to: dateOf(field(line, "not_after")) ?? null,
  };
}

export const isHttpx = (line: object): boolean =>
  "url" in line && ("input" in line || "status_code" in line || "webserver" in line);

/** `{"url", "status_code", "timestamp", "header", "raw_header", "body", "response", "cname", "a", "tls"}` */
export function readHttpx(line: object, context: FormatContext): Outcome {
  const url = URL.parse(text(line, "url"));
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 8_192) return skipped("no_company");
  const domain = context.companyOf(url.hostname);
  if (domain === undefined) return skipped("no_company");
  if (field(line, "failed") === true) return skipped("not_ok");
  const at = dateOf(field(line, "timestamp")) ?? context.capturedAt;
  const exchange = exchangeOf(line, url.href);
  const host = hostName(url.hostname);
  const certificate = certificateOf(host, field(line, "tls") ?? field(line, "tls-grab"));
  const dns = [
    ...answer(host, "CNAME", texts(line, "cname")),
    ...answer(host, "A", texts(line, "a")),
    ...answer(host, "AAAA", texts(line, "aaaa")),
  ];
  if (!exchange && !certificate && dns.length === 0) return skipped("no_data");
  return {
    kind: "recording",
    snapshot: snapshotOf(domain, "httpx", at, {
      http: exchange ? [exchange] : [],
      certificates: certificate ? [certificate] : [],
      dns,
    }),
  };
}

function answer(name: string, type: "A" | "AAAA" | "CNAME", values: readonly string[]): DnsAnswer[] {
  const records = values.flatMap((value) => recordOf(name, type, value) ?? []);
  return records.length === 0 ? [] : [{ name, type, status: "ok", records }];
}

function exchangeOf(line: object, url: string): HttpExchange | undefined {
  const response = text(line, "response");
  if (response.startsWith("HTTP/")) {
    const read = readMessage(Buffer.from(response), url);
    if ("url" in read) return read;
  }
  const fields = field(line, "header");
  // The names are written with underscores.
  const named =
    typeof fields === "object" && fields !== null
      ? Object.entries(fields).flatMap(([name, value]) => [name.replaceAll("_", "-"), plainText(value)])
      : text(line, "raw_header")
          .split(/\r?\n/, HEADER_LIMITS.headerCount)
          .flatMap((row) => {
            const colon = row.indexOf(":");
            return colon > 0 ? [row.slice(0, colon).trim(), row.slice(colon + 1).trim()] : [];
          });
  const server = text(line, "webserver");
  const pairs = named.length > 0 || server === "" ? named : ["server", server];
  const body = text(line, "body");
  if (pairs.length === 0 && body === "") return undefined;
  const type = text(line, "content_type") || "text/html";
  const hasType = pairs.some((name, at) => at % 2 === 0 && name.toLowerCase() === "content-type");
  return {
    method: "GET",
    url,
    status: "ok",
    code: Number(field(line, "status_code") ?? field(line, "status-code")) || 200,
    headers: recordHeaders(hasType ? pairs : [...pairs, "content-type", type], HEADER_LIMITS).list,
    ...boundedBody(body),
  };
}
