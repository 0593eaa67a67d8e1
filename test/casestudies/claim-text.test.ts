import { expect, test } from "bun:test";
import { claimCountsText, claimText } from "../../src/casestudies/claim-text.ts";
import { type CLAIM_STATUSES, type ClaimedStudy, countClaims } from "../../src/casestudies/claims.ts";

const NONE = { clients: 0, corroborated: 0, replaced: 0, not_seen: 0, cannot_be_seen: 0, not_checked: 0 };
const seenAs = (means: string) => ({
  ...{ tool: "Gauge", category: "Analytics", means, signal: "dns.txt", value: "gauge=1", location: "acme.example" },
  spans_products: false,
});

test("counts are shown where at least one client could be checked", () => {
  expect(claimCountsText({ ...NONE, clients: 3, not_checked: 2, cannot_be_seen: 1 })).toBeNull();
  expect(claimCountsText({ ...NONE, clients: 1, corroborated: 1 })).toBe("1 of 1 client still seen");
  expect(
    claimCountsText({ clients: 55, corroborated: 12, replaced: 3, not_seen: 10, cannot_be_seen: 1, not_checked: 29 }),
  ).toBe("12 of 55 clients still seen (3 with another tool of the category, 10 not seen, 30 not checked)");
});

test("a domain that was verified once is not called use", () => {
  expect(claimText({ status: "corroborated", evidence: seenAs("runs") })).toBe("Gauge is seen at the client.");
  expect(claimText({ status: "corroborated", evidence: seenAs("verified-once") })).toContain("once verified");
  const spanning = { ...seenAs("runs"), spans_products: true };
  expect(claimText({ status: "corroborated", evidence: spanning })).toContain("not which of its products");
  expect(claimText({ status: "replaced", evidence: seenAs("runs") })).toContain("Gauge of the same category");
});

test("a client counts once, by the best status of its case studies", () => {
  const study = (id: string, domain: string | null): ClaimedStudy => ({
    ...{ id, company: { slug: "acme" }, client: { domain }, products: [] },
  });
  const claim = (status: (typeof CLAIM_STATUSES)[number]) => ({
    status,
    since: null,
    evidence: null,
    checked_at: null,
  });
  const claims = new Map([
    ["a", claim("not_checked")],
    ["b", claim("corroborated")],
    ["c", claim("not_seen")],
  ]);
  const studies = [study("a", "one.example"), study("b", "one.example"), study("c", "two.example"), study("d", null)];
  expect(countClaims(studies, claims)).toEqual({ ...NONE, clients: 2, corroborated: 1, not_seen: 1 });
});
