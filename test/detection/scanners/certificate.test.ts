import { expect, test } from "bun:test";
import { certificate } from "../../../src/detection/scanners/certificates.ts";
import { seenBy } from "./emitted-by.ts";

test("a certificate shows its issuer and its third-party names", async () => {
  const issuer = { organisation: "Example Trust", name: "ET R1" };
  const names = ["acme.example", "*.acme.example", "*.edge.vendor.test", "edge.vendor.test"];
  expect(await seenBy(certificate, { certificates: { "acme.example": { issuer, names } } })).toEqual([
    "tls.issuer Example Trust / ET R1 @ acme.example certificate",
    "tls.san edge.vendor.test @ acme.example certificate",
  ]);
});

test("a certificate that was not presented emits nothing, whatever else is known of it", async () => {
  const broken = { status: "failed" as const, names: ["edge.vendor.test"] };
  expect(await seenBy(certificate, { certificates: { "www.acme.example": broken } })).toEqual([]);
});

test("a shared certificate with very many names is truncated", async () => {
  const names = Array.from({ length: 500 }, (_, n) => `customer${n}.test`);
  expect(await seenBy(certificate, { certificates: { "acme.example": { names } } })).toHaveLength(100);
});
