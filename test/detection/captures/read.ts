import { Failure } from "../../../src/core/errors.ts";
import { type CaptureHints, readCapture } from "../../../src/detection/captures/read-capture.ts";
import type { Snapshot } from "../../../src/net/snapshot.ts";

/** Read as a file named `acme.example` of an installation that uses the reserved names. */
export function capture(text: string, hints: Partial<CaptureHints> = {}): Snapshot {
  return readCapture(text, {
    name: "acme.example",
    capturedAt: "2026-01-02T03:04:05.000Z",
    allowedReservedTlds: ["example"],
    ...hints,
  });
}

export function refusalOf(text: string, hints: Partial<CaptureHints> = {}): Failure {
  try {
    capture(text, hints);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("the file was read");
}

/** `NAME TYPE: VALUE, VALUE`, with what a record has next to its value. */
export const recordsOf = (snapshot: Snapshot): readonly string[] =>
  snapshot.dns.map(({ name, type, records }) => {
    const values = records.map(({ priority, tag, value }) =>
      [priority, tag, value].filter((part) => part !== undefined).join(" "),
    );
    return `${name} ${type}: ${values.join(", ")}`;
  });
