import { WARCRecord, WARCSerializer } from "warcio";
import { createCompanies, type FormatContext } from "../../src/ingest/formats/company.ts";
import { type Counts, countOutcome, noCounts } from "../../src/ingest/outcomes.ts";
import { type FilePart, readPart } from "../../src/ingest/read-file.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";

export const CAPTURED_AT = "2026-02-03T04:05:06.000Z";
const context: FormatContext = { companyOf: createCompanies(), capturedAt: CAPTURED_AT };

export interface Page {
  readonly url: string;
  readonly body: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly type?: "response" | "request" | "metadata" | "resource" | "revisit";
  readonly date?: string;
}

/** Each record as `warcio` writes it. */
export const writeRecord = (
  { url, body, headers = { "Content-Type": "text/html" }, type = "response", date = "2026-03-04T05:06:07Z" }: Page,
  { gzip = true } = {},
): Promise<Uint8Array> => {
  const content = (async function* () {
    yield typeof body === "string" ? new TextEncoder().encode(body) : body;
  })();
  const isHttp = type === "response" || type === "revisit";
  const record = WARCRecord.create(
    {
      url,
      date,
      type,
      warcVersion: "WARC/1.1",
      warcHeaders: isHttp ? {} : { "Content-Type": headers["Content-Type"] ?? "text/html" },
      ...(isHttp ? { statusline: "HTTP/1.1 200 OK", httpHeaders: headers } : {}),
    },
    content,
  );
  return WARCSerializer.serialize(record, { gzip });
};

export const pageAt = (url: string, script: string): Page => ({
  url,
  body: `<!doctype html><title>x</title><script src="${script}"></script>`,
});

export interface Read {
  readonly counts: Counts;
  readonly snapshots: readonly Snapshot[];
  /** Where reading can resume, after each step. */
  readonly ends: readonly number[];
}

/** Reads a file, or a part. */
export async function readFileAt(path: string, part: Partial<FilePart> = {}): Promise<Read> {
  const counts = noCounts();
  const snapshots: Snapshot[] = [];
  const ends: number[] = [];
  const size = Bun.file(path).size;
  const start = part.start ?? 0;
  const whole: FilePart = {
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    size,
    start,
    end: size,
    from: start,
    passFirst: false,
    ...part,
  };
  for await (const { end, outcomes } of readPart(whole, context)) {
    ends.push(end);
    for (const outcome of outcomes) {
      countOutcome(counts, outcome);
      if (outcome.kind === "recording") snapshots.push(outcome.snapshot);
    }
  }
  return { counts, snapshots, ends };
}

/** `DOMAIN ORIGIN: what the snapshot contains`. */
export const summaryOf = ({ domain, origin, http, dns, certificates, requests }: Snapshot): string =>
  `${domain} ${origin}: ${[
    ...http.map(({ code, url }) => `${code} ${url}`),
    ...dns.map(({ name, type, status, records }) =>
      status === "ok" ? `${type} ${name} ${records.map(({ value }) => value).join("|")}` : `${type} ${name} ${status}`,
    ),
    ...certificates.map(({ host, issuer }) => `cert ${host} ${issuer?.organisation}`),
    ...requests.map(({ url }) => `request ${url}`),
  ].join(", ")}`;
