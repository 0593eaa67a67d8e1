import { afterEach, expect, test } from "bun:test";
import type { SourceStatus } from "../../src/detection/types.ts";
import type { Pages, World } from "../box/company.ts";
import { type Boxed, idsOf, openBoxed } from "./boxed.ts";

const DOMAIN = "plain.test";
const PAGE = '<title>Plain</title><script src="https://js.stripe.com/v3/"></script><p>Hello';
/** Public services that know nothing of the company. */
const SERVICES = [
  "crt.sh",
  "api.certspotter.com",
  "login.microsoftonline.com",
  "plain.okta.com",
  "boards-api.greenhouse.io",
  "api.lever.co",
  "api.ashbyhq.com",
  "apply.workable.com",
  "api.smartrecruiters.com",
  "plain.recruitee.com",
  "plain.teamtailor.com",
  "plain.jobs.personio.com",
];

let boxed: Boxed | undefined;
afterEach(async () => {
  await boxed?.close();
  boxed = undefined;
});

const siteOf = (pages: Pages): World => ({
  companies: [{ domain: DOMAIN, plain: "same", pages }],
  services: Object.fromEntries(SERVICES.map((host) => [host, { "/absent": "" }])),
  faults: [DOMAIN, `www.${DOMAIN}`].map((host) => ({ host, fault: "no-tls" })),
});

async function scan(world: World, flags: Readonly<Record<string, unknown>> = {}) {
  boxed = await openBoxed(world, { flags });
  const result = await boxed.enrich(DOMAIN);
  return { result, of: (id: string) => result.sources.find(({ source }) => source === id) };
}

const WEBSITE: readonly [string, SourceStatus][] = [
  ["home-page", "ok"],
  ["tag-manager", "empty"],
  ["bundles", "empty"],
  ["site-files", "ok"],
  ["job-boards", "empty"],
  ["disclosure-pages", "empty"],
  ["well-known", "empty"],
];
const text = (body: string) => ({ body, headers: { "content-type": "text/plain" } });
const SITE_FILES = {
  "/robots.txt": text("User-agent: *\nDisallow: /x"),
  "/ads.txt": text("seller.test, 1, DIRECT"),
};

test("a site that answers on HTTP only was read, and its sources say that HTTPS failed", async () => {
  const { result, of } = await scan(siteOf({ "/": PAGE, "www/": PAGE, ...SITE_FILES }));
  const detail = "Read over HTTP because HTTPS failed for plain.test and www.plain.test.";
  for (const [source, status] of WEBSITE) expect(of(source)).toMatchObject({ source, status, detail });
  expect(idsOf(result.detections)).toContain("stripe");
  // It has no certificate, and nothing says why.
  expect(of("certificate")).toMatchObject({ status: "failed", detail: "2 of 2 lookups got no answer." });
  const hits = boxed?.box.hits.flatMap((hit) => (hit.kind === "http" ? [hit.url] : [])) ?? [];
  expect(hits).toContain(`http://${DOMAIN}/ads.txt`);
});

test("each resource of a domain that does not answer counts once", async () => {
  const { of } = await scan({
    ...siteOf({ "www/": PAGE }),
    faults: [{ host: DOMAIN, fault: "refuse" }],
  });
  expect(of("home-page")?.detail).toBe("2 of 3 lookups got no answer.");
  // It requests the home page for three reasons, and ads.txt and app-ads.txt of the domain.
  expect(of("site-files")?.detail).toStartWith("2 of 9 lookups got no answer. 2 of 9 lookups skipped");
});

test("robots.txt over HTTP decides about a site that answers on HTTP only", async () => {
  const { of } = await scan(siteOf({ "/": PAGE, "www/": PAGE, ...SITE_FILES }), { "scan-robots": "obey" });
  const detail = "Read over HTTP because HTTPS failed for plain.test and www.plain.test.";
  for (const [source, status] of WEBSITE) expect(of(source)).toMatchObject({ source, status, detail });
});

test("a recording of such a site is read in the same way", async () => {
  await scan(siteOf({ "/": PAGE, "www/": PAGE }));
  const { sources } = (await boxed?.replay(DOMAIN)) ?? { sources: [] };
  const detail = "Read over HTTP because HTTPS failed for plain.test and www.plain.test.";
  expect(sources.find(({ source }) => source === "bundles")).toMatchObject({ status: "empty", detail });
});

test("a site without a www has no failed lookups", async () => {
  const { faults: _, ...overHttps } = siteOf({ "/": PAGE, "/robots.txt": SITE_FILES["/robots.txt"] });
  const { of } = await scan(overHttps);
  for (const [source, status] of WEBSITE) expect(of(source)).toMatchObject({ source, status, detail: null });
});

test("a domain without TLS that leads to its www over HTTPS was not read over HTTP", async () => {
  const pages = { "/": { redirect: `https://www.${DOMAIN}/`, status: 301 }, "www/": PAGE };
  const { of } = await scan({ ...siteOf(pages), faults: [{ host: DOMAIN, fault: "no-tls" }] });
  expect(of("home-page")).toMatchObject({ status: "ok", detail: null });
  expect(of("bundles")).toMatchObject({ status: "empty", detail: null });
});

test("a site that answers on HTTP only and shows an error has not been read", async () => {
  const { of } = await scan(siteOf({ "/": { status: 403 }, "www/": { status: 403 } }));
  for (const source of ["home-page", "bundles"])
    expect(of(source)).toMatchObject({
      status: "failed",
      detail: "The site served no page: 2 of 2 lookups failed.",
    });
});
