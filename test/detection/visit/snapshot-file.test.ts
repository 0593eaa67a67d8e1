import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../src/core/errors.ts";
import { parseSnapshot, stringifySnapshot } from "../../../src/detection/visit/snapshot-file.ts";
import type { Snapshot } from "../../../src/net/snapshot.ts";

const SNAPSHOT: Snapshot = {
  format: "casefile-snapshot",
  version: 1,
  domain: "acme.test",
  captured_at: "2026-11-20T10:00:00.000Z",
  origin: "casefile 1.0.0",
  dns: [
    {
      name: "acme.test",
      type: "MX",
      status: "ok",
      records: [{ name: "acme.test", type: "MX", value: "mx.acme.test", priority: 10, ttl: 60 }],
    },
    { name: "gone.acme.test", type: "A", status: "nxdomain", records: [] },
  ],
  http: [
    {
      method: "GET",
      url: "https://acme.test/",
      status: "ok",
      code: 200,
      headers: [["server", "acme"]],
      body: 'a "quoted"\nline',
      truncated: true,
      detail: "the body is longer than the limit",
    },
  ],
  certificates: [
    {
      host: "acme.test",
      status: "ok",
      issuer: { organisation: "Honest Trust", name: "R1" },
      subject: "acme.test",
      names: ["acme.test"],
      valid_from: "2026-01-01T00:00:00.000Z",
      valid_to: null,
    },
  ],
  requests: [{ url: "https://cdn.test/a.js", cookies: ["id"] }],
  zone: false,
};

test("a snapshot is restored unchanged from its file", () => {
  expect(parseSnapshot(stringifySnapshot(SNAPSHOT))).toEqual(SNAPSHOT);
  const bare = { ...SNAPSHOT, dns: [], http: [], certificates: [], requests: [] };
  expect(parseSnapshot(stringifySnapshot(bare))).toEqual(bare);
});

test("each answer is on a separate line", () => {
  const lines = stringifySnapshot(SNAPSHOT).split("\n");
  expect(lines.filter((line) => line.startsWith('    {"')).length).toBe(5);
});

const record = SNAPSHOT.dns[0]?.records[0];
test.each([
  ["/format", { format: "other" }],
  ["/version", { version: 2 }],
  ["/domain", { domain: "https://acme.test" }],
  ["/captured_at", { captured_at: "yesterday" }],
  ["/zone", { zone: "yes" }],
  ["/dns", { dns: undefined }],
  ["/extra", { extra: 1 }],
  ["/dns/0/type", { dns: [{ ...SNAPSHOT.dns[0], type: "ANY" }] }],
  ["/dns/0/status", { dns: [{ ...SNAPSHOT.dns[0], status: "perhaps" }] }],
  ["/dns/0/records/0/value", { dns: [{ ...SNAPSHOT.dns[0], records: [{ ...record, value: "x".repeat(20_000) }] }] }],
  ["/dns/0/records", { dns: [{ ...SNAPSHOT.dns[0], records: Array(1_001).fill(record) }] }],
  ["/http/0/method", { http: [{ ...SNAPSHOT.http[0], method: "DELETE" }] }],
  ["/http/0/headers/0", { http: [{ ...SNAPSHOT.http[0], headers: [["server"]] }] }],
  ["/http/0/body", { http: [{ ...SNAPSHOT.http[0], body: 7 }] }],
  ["/http", { http: Array(5_001).fill(SNAPSHOT.http[0]) }],
  ["/certificates/0/names", { certificates: [{ ...SNAPSHOT.certificates[0], names: Array(501).fill("a.test") }] }],
])("an error at %s is refused with its location", (pointer, fault) => {
  const failure = caught(() => parseSnapshot(JSON.stringify({ ...SNAPSHOT, ...fault })));
  expect(failure.code).toBe("snapshot.invalid");
  expect(failure.details.problems?.map((problem) => problem.pointer)).toContain(pointer);
});

test.each(["", "{", "null", "[]", '"text"', "1", "\u0000", `${"[".repeat(50_000)}`])(
  "a file that is not a snapshot is refused: %#",
  (text) => {
    expect(caught(() => parseSnapshot(text)).code).toBe("snapshot.invalid");
  },
);

test("arbitrary JSON is refused and never throws", () => {
  const anything = fc.oneof(
    fc.json(),
    fc.anything().map((value) => JSON.stringify({ ...SNAPSHOT, dns: [value], http: value }) ?? ""),
  );
  fc.assert(fc.property(anything, (text) => caught(() => parseSnapshot(text)) instanceof Failure));
});

function caught(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
