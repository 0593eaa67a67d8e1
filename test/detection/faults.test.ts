import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Enrichment } from "../../src/detection/types.ts";
import { PHASES } from "../../src/detection/types.ts";
import { RECORD_TYPES } from "../../src/net/snapshot.ts";
import { harbourline } from "../box/companies/harbourline.ts";
import { type Fault, sitesOf, together, type WebFault } from "../box/company.ts";
import { type Boxed, idsOf, openBoxed, statusesOf, stepsOf } from "./boxed.ts";

const DOMAIN = "harbourline.test";
const FRONT = [DOMAIN, `www.${DOMAIN}`];
const web = (hosts: readonly string[], fault: WebFault): Fault[] => hosts.map((host) => ({ host, fault }));

let boxed: Boxed | undefined;
afterEach(async () => {
  await boxed?.close();
  boxed = undefined;
});

const DEADLINE_MS = 3_000;
/** Short limits, so that a hanging host does not delay the suite. */
const HASTY = { "scan-deadline-ms": DEADLINE_MS, "net-http-timeout-ms": 1_000, "net-dns-timeout-ms": 400 };
/** For a machine that is busy with other things; what hangs here hangs for longer. */
const SLACK_MS = 2_000;
async function scanWith(
  faults: readonly Fault[],
  flags: Readonly<Record<string, unknown>> = HASTY,
): Promise<{ result: Enrichment; after: number }> {
  boxed = await openBoxed(together(harbourline(), { faults }), { flags });
  const began = performance.now();
  const result = await boxed.enrich(DOMAIN);
  return { result, after: performance.now() - began };
}

const UNANSWERED = /^(timeout|failed)$/;
const MAIL = ["google-workspace", "sendgrid", "1password"];
const ALIASES = ["zendesk", "auth0", "grafana-cloud", "statuspage"];
const PAGE = ["segment", "hotjar", "next-js"];

let whole: Boxed;
let running: Promise<{ steps: Awaited<ReturnType<typeof stepsOf>>; after: number }>;
beforeAll(async () => {
  const world = harbourline();
  // That the domain exists is the one thing that is reported.
  const silence = RECORD_TYPES.filter((type) => !["NS", "A", "AAAA"].includes(type));
  const faults: Fault[] = [
    ...silence.map((type): Fault => ({ name: "*", type, fault: "hang" })),
    ...web([...sitesOf(world).keys()], "hang"),
  ];
  whole = await openBoxed(together(world, { faults }));
  const began = performance.now();
  // Started first and awaited last, so that the other tests run in its time.
  running = stepsOf(whole.enrichSteps(DOMAIN)).then((steps) => ({ steps, after: performance.now() - began }));
});
afterAll(() => whole.close());

describe("a scan ends in time and reports what the other sources detected", () => {
  test.each<[string, readonly Fault[], readonly string[], readonly string[], readonly string[]]>([
    [
      "the web site hangs",
      web(FRONT, "hang"),
      ["home-page", "bundles", "tag-manager", "site-files", "disclosure-pages", "well-known"],
      ["mail-dns", "mail-policy", "verifications", "dkim", "aliases", "certificate", "certificate-logs", "zone"],
      [...MAIL, ...ALIASES, "lets-encrypt"],
    ],
    [
      "the web site never answers the TLS hello",
      web(FRONT, "slow-tls"),
      ["home-page", "certificate", "well-known"],
      ["mail-dns", "dkim", "aliases", "certificate-logs", "zone"],
      [...MAIL, ...ALIASES],
    ],
    [
      "nothing listens at the web site",
      web(FRONT, "refuse"),
      ["home-page", "certificate", "well-known"],
      ["mail-dns", "dkim", "aliases", "certificate-logs", "zone"],
      [...MAIL, ...ALIASES],
    ],
    [
      "DNS says nothing of the names below the domain",
      [{ name: `*.${DOMAIN}`, fault: "hang" }],
      ["dkim", "aliases"],
      ["mail-dns", "zone", "tenants"],
      ["google-workspace", "1password", "stripe", "cloudflare"],
    ],
    [
      "DNS fails for the names below the domain",
      [{ name: `*.${DOMAIN}`, fault: "servfail" }],
      ["dkim", "aliases"],
      ["mail-dns", "verifications", "zone", "tenants"],
      ["google-workspace", "1password", "stripe", "cloudflare"],
    ],
    [
      "the certificate logs hang",
      web(["crt.sh", "api.certspotter.com"], "hang"),
      ["certificate-logs"],
      ["mail-dns", "home-page", "aliases", "job-boards", "well-known"],
      [...MAIL, ...ALIASES, ...PAGE, "greenhouse"],
    ],
    [
      "the job board, the tenant look-ups and the tag manager hang",
      web(
        ["boards-api.greenhouse.io", "login.microsoftonline.com", "harbourline.okta.com", "www.googletagmanager.com"],
        "hang",
      ),
      ["tenants", "tag-manager"],
      ["mail-dns", "home-page", "aliases", "certificate-logs", "job-boards"],
      // The careers page links to the board, which is proof enough.
      [...MAIL, ...ALIASES, ...PAGE, "greenhouse"],
    ],
  ])("when %s", async (_, faults, silent, well, tools) => {
    const { result, after } = await scanWith(faults);
    expect(after).toBeLessThan(DEADLINE_MS + SLACK_MS);
    const statuses = statusesOf(result);
    for (const source of silent)
      expect([source, statuses[source]]).toEqual([source, expect.stringMatching(UNANSWERED)]);
    for (const source of well) expect([source, statuses[source]]).toEqual([source, "ok"]);
    expect(idsOf(result.detections)).toEqual(expect.arrayContaining([...tools]));
    expect(boxed?.bugs).toEqual([]);
  });

  test.each<[WebFault, string]>([
    ["drip", "timeout"],
    ["reset", "failed"],
    ["garbage", "failed"],
    ["header-flood", "failed"],
    // Read up to the cap, which is an answer; there is only nothing in it.
    ["endless", "empty"],
    ["bomb", "empty"],
  ])("when every page of the web site is a %s, its script files are reported as %s", async (fault, status) => {
    // The others do not hang: they end by themselves, each as soon as the machine is done with it.
    const isHeldUp = fault === "drip";
    const { result, after } = await scanWith(web([...FRONT, `app.${DOMAIN}`], fault), isHeldUp ? HASTY : {});
    expect(after).toBeLessThan(isHeldUp ? DEADLINE_MS + SLACK_MS : 15_000);
    const tools = idsOf(result.detections);
    expect(tools).toEqual(expect.arrayContaining([...MAIL, ...ALIASES]));
    for (const tool of PAGE) expect(tools).not.toContain(tool);
    expect(statusesOf(result).bundles).toBe(status);
    expect(boxed?.bugs).toEqual([]);
  });

  test("when the pages of one host fail, the source that read others reports the number of failures", async () => {
    const { result } = await scanWith(web(FRONT, "reset"));
    expect(result.sources.find(({ source }) => source === "home-page")).toMatchObject({
      status: "ok",
      detail: "2 of 2 lookups got no answer.",
    });
  });
});

test("by default, a scan in which everything hangs ends within 15 s, with every silent source reported as such", async () => {
  const { steps, after } = await running;
  const last = steps.at(-1)?.step;
  if (last?.phase !== "complete") throw new Error("the last step has no result");
  expect(after).toBeLessThan(15_000);
  // Two, and one more for a busy machine.
  expect(steps[0]?.after).toBeLessThan(3_000);
  expect(new Set(steps.map(({ step }) => step.phase))).toEqual(new Set([...PHASES, "complete"]));
  const { sources } = last.enrichment;
  expect(sources.filter(({ status }) => status !== "timeout").map(({ source }) => source)).toEqual([
    "browser",
    "zone",
    "certificate",
  ]);
  expect(whole.bugs).toEqual([]);
  expect(last.enrichment.duration_ms).toBeLessThan(15_000);
}, 60_000);

test("nothing is requested after a scan has ended", async () => {
  await scanWith(web(FRONT, "hang"));
  const asked = boxed?.box.hits.length;
  // As long as the requests that it left behind would have waited before the next in line took their place.
  await Bun.sleep(1_300);
  expect(boxed?.box.hits).toHaveLength(asked ?? 0);
});
