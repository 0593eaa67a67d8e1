import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Detection, RawSignals, Report, SourceOutcome } from "./types.ts";

/**
 * What one scan or recording showed of a company, in short: which tools, by which rules, and which data sources were able
 * to see one. It outlives the report, so that a company's history is longer than its stored reports.
 */
export interface Observation {
  readonly domain: string;
  /** ISO 8601 UTC with milliseconds: the time of the scan or of the recording. */
  readonly observed_at: string;
  /** Digest of everything that decides which tools a scan detects. */
  readonly rules: string;
  /** Only the first evidence of a tool has its value. */
  readonly detections: readonly Detection[];
  readonly possible: readonly Detection[];
  readonly sources: readonly SourceOutcome[];
  readonly signals: RawSignals;
}

const MAX_EVIDENCE = 8;
const MAX_VALUE_LENGTH = 200;
const MAX_BYTES = 8 * 1024 * 1024;
const NO_SIGNALS: RawSignals = { scripts: [], txt: [], cnames: [] };

export const observationOf = (report: Report): Observation => ({
  domain: report.domain,
  observed_at: new Date(report.scanned_at).toISOString(),
  rules: report.rules ?? "",
  detections: report.detections.map(shorten),
  possible: (report.possible ?? []).map(shorten),
  sources: report.sources,
  signals: report.raw_signals ?? NO_SIGNALS,
});

const shorten = ({ evidence, ...detection }: Detection): Detection => ({
  ...detection,
  evidence: evidence.slice(0, MAX_EVIDENCE).map((each, index) => ({
    ...each,
    value: index === 0 ? each.value.slice(0, MAX_VALUE_LENGTH) : "",
    location: "",
  })),
});

export const encodeObservation = (observation: Observation): Uint8Array =>
  zstdCompressSync(JSON.stringify(observation));

export const decodeObservation = (content: Uint8Array): Observation =>
  JSON.parse(zstdDecompressSync(content, { maxOutputLength: MAX_BYTES }).toString());
