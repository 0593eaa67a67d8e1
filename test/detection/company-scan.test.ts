import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AREAS } from "../../src/detection/fingerprints/types.ts";
import type { Enrichment, Step } from "../../src/detection/types.ts";
import { harbourline } from "../box/companies/harbourline.ts";
import { quarrystone } from "../box/companies/quarrystone.ts";
import { together } from "../box/company.ts";
import { type Boxed, idsOf, openBoxed, requestsOf, statusesOf, stepsOf } from "./boxed.ts";

interface Told {
  readonly steps: { step: Step; after: number }[];
  readonly result: Enrichment;
}

let boxed: Boxed;
const reported = new Map<string, Told>();
beforeAll(async () => {
  boxed = await openBoxed(together(harbourline(), quarrystone()));
  for (const domain of ["harbourline.test", "quarrystone.test"]) {
    const steps = await stepsOf(boxed.enrichSteps(domain));
    const last = steps.at(-1)?.step;
    if (last?.phase !== "complete") throw new Error("the last step has no result");
    reported.set(domain, { steps, result: last.enrichment });
  }
});
afterAll(() => boxed.close());
const scanOf = (domain: string): Told => reported.get(domain) ?? expect.unreachable();

describe.each(["harbourline.test", "quarrystone.test"])("a scan of %s", (domain) => {
  test("reports something within two seconds", () => {
    // And one more for a busy machine.
    expect(scanOf(domain).steps[0]?.after).toBeLessThan(3_000);
  });

  test("reports its phases in their order, and the result last", () => {
    const phases = scanOf(domain).steps.map(({ step }) => step.phase);
    expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual([
      "identity",
      "website",
      "hosting",
      "subdomains",
      "hiring",
      "disclosures",
      "complete",
    ]);
    expect(phases.filter((phase) => phase === "complete")).toHaveLength(1);
  });

  test("never retracts a reported tool", () => {
    let before = new Set<string>();
    for (const { step } of scanOf(domain).steps) {
      const now = new Set(idsOf(step.phase === "complete" ? step.enrichment.detections : step.detections));
      expect([...before.difference(now)]).toEqual([]);
      before = now;
    }
  });

  test("finds at least 25 tools, each with its evidence", () => {
    const { detections } = scanOf(domain).result;
    expect(detections.length).toBeGreaterThanOrEqual(25);
    for (const { id, tool, category, evidence, confidence } of detections) {
      expect([id, evidence.length > 0, tool !== "", category !== ""]).toEqual([id, true, true, true]);
      expect(confidence).toBeGreaterThanOrEqual(0.5);
      for (const { rule, value, location } of evidence) {
        expect([rule, rule.includes("/"), value !== "", location !== ""]).toEqual([rule, true, true, true]);
      }
    }
  });

  test("reports each tool once, by category and then by name", () => {
    const { detections } = scanOf(domain).result;
    const ids = idsOf(detections);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = detections.map(({ category, tool }) => `${category}\n${tool}`);
    expect(keys).toEqual(keys.toSorted());
  });

  test("has a result for every data source, and no failures", () => {
    const { result } = scanOf(domain);
    const unwell = Object.entries(statusesOf(result)).filter(([, status]) => status !== "ok" && status !== "empty");
    // No browser is configured.
    expect(unwell).toEqual([["browser", "skipped"]]);
    expect(boxed.bugs).toEqual([]);
    expect(result).toMatchObject({ domain, cached: false });
  });

  test("written as a capture and read again reports the same tools without a request", async () => {
    const written = JSON.stringify(await boxed.capture(domain));
    const asked = boxed.box.hits.length;
    const again = await boxed.analyse(
      boxed.read(written, { name: "capture.json", capturedAt: new Date().toISOString() }),
    );
    expect(idsOf(again.detections)).toEqual(idsOf(scanOf(domain).result.detections));
    expect(boxed.box.hits).toHaveLength(asked);
  });

  test("is repeated from its stored recording without a request", async () => {
    const asked = boxed.box.hits.length;
    const again = await boxed.replay(domain);
    expect(idsOf(again.detections)).toEqual(idsOf(scanOf(domain).result.detections));
    expect(boxed.box.hits).toHaveLength(asked);
  });

  test("records no cookie value and no secret of a header", async () => {
    const snapshot = await boxed.store.scans.latestSnapshot(domain);
    const headers = snapshot?.http.flatMap((exchange) => exchange.headers) ?? [];
    const cookies = headers.filter(([name]) => name === "set-cookie").map(([, value]) => value);
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^[^=]*=…(;|$)/);
    // Every cookie's value in the descriptions is this word.
    expect(JSON.stringify(headers.filter(([name]) => name === "set-cookie"))).not.toContain("invented");
    expect(headers.map(([name]) => name)).not.toContain("authorization");
  });

  test("shows no complete ownership token in its evidence", () => {
    const texts = scanOf(domain)
      .result.detections.flatMap(({ evidence }) => evidence)
      .filter(({ signal }) => signal === "dns.txt");
    expect(texts.length).toBeGreaterThan(0);
    for (const { value } of texts) expect(value).not.toMatch(/[A-Za-z0-9]{20,}/);
  });
});

test("the two companies together show tools of all nine areas", () => {
  const labels = new Set(
    [...reported.values()].flatMap(({ result }) => result.detections.map(({ category }) => category)),
  );
  const areas = [...boxed.catalogue.categories.values()].filter(({ label }) => labels.has(label));
  expect(AREAS.filter((area) => !areas.some((category) => category.area === area))).toEqual([]);
});

test.each([
  // What each proves: mail, signature, proof of ownership, alias, tenant, page, container, script file, product page, board.
  ["harbourline.test", "google-workspace"],
  ["harbourline.test", "sendgrid"],
  ["harbourline.test", "1password"],
  ["harbourline.test", "auth0"],
  ["harbourline.test", "okta"],
  ["harbourline.test", "segment"],
  ["harbourline.test", "quora-pixel"],
  ["harbourline.test", "sentry"],
  ["harbourline.test", "pendo"],
  ["harbourline.test", "greenhouse"],
  ["harbourline.test", "amazon-web-services"],
  ["quarrystone.test", "microsoft-365"],
  ["quarrystone.test", "proofpoint"],
  ["quarrystone.test", "ping-identity"],
  ["quarrystone.test", "marketo-engage"],
  ["quarrystone.test", "microsoft-clarity"],
  ["quarrystone.test", "asp-net"],
  ["quarrystone.test", "workday"],
  ["quarrystone.test", "docebo"],
])("%s is seen to use %s", (domain, tool) => {
  expect(idsOf(scanOf(domain).result.detections)).toContain(tool);
});

test("a tool that a text only mentions is not reported as used", () => {
  // Job postings require them as skills; no other evidence shows that the company uses them.
  for (const tool of ["outreach", "zoominfo", "netsuite", "fivetran"])
    expect(idsOf(scanOf("harbourline.test").result.detections)).not.toContain(tool);
});

test("every request has the user agent", () => {
  const asked = boxed.box.hits.filter((hit) => hit.kind === "http");
  expect(requestsOf(boxed.box.hits).length).toBeGreaterThan(40);
  for (const { headers } of asked) expect(headers["user-agent"]).toStartWith("Casefile/");
});
