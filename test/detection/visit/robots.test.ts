import { afterEach, expect, test } from "bun:test";
import { type Boxed, openBoxed } from "../boxed.ts";

let boxed: Boxed | undefined;
afterEach(async () => {
  await boxed?.close();
  boxed = undefined;
});

const HOME = '<title>Acme</title><script src="https://js.stripe.com/v3/"></script>';

async function scanned(mode: string, robots: object) {
  boxed = await openBoxed(
    {
      companies: [
        {
          domain: "acme.test",
          pages: {
            "/": { redirect: "https://www.acme.test/en" },
            "www/": { redirect: "https://www.acme.test/en" },
            "www/en": HOME,
            "/robots.txt": robots,
            "www/robots.txt": robots,
            "www/ads.txt": "google.com, pub-1, DIRECT",
            "www/.well-known/security.txt": {
              body: "Contact: mailto:a@acme.test",
              headers: { "Content-Type": "text/plain" },
            },
          },
        },
      ],
    },
    { flags: { "scan-robots": mode } },
  );
  const { sources, detections } = await boxed.enrich("acme.test", { only: ["home-page", "site-files", "well-known"] });
  const web = boxed.box.hits.flatMap((hit) => (hit.kind === "http" ? [hit.url.replace(/^https?:\/\//, "")] : []));
  return {
    stripe: detections.some(({ id }) => id === "stripe"),
    status: Object.fromEntries(sources.map(({ source, status, detail }) => [source, [status, detail]])),
    further: web.filter((path) => !/robots\.txt$|\/$|\/en$/.test(path)),
    home: web.includes("www.acme.test/en"),
  };
}

const FORBID = { body: "User-agent: *\nDisallow: /", headers: { "Content-Type": "text/plain" } };

test("home-page-only requests the home page with its redirects, and obeys on every other path", async () => {
  const { stripe, status, further, home } = await scanned("home-page-only", FORBID);
  expect([stripe, home, further]).toEqual([true, true, []]);
  expect(status["well-known"]).toEqual([
    "skipped",
    expect.stringMatching(
      /^\d+ of \d+ lookups skipped: robots\.txt forbids them or cannot be read \(scan\.robots\)\.$/,
    ),
  ]);
});

test("obey requests nothing that robots.txt forbids, and says so", async () => {
  const { stripe, status, further, home } = await scanned("obey", FORBID);
  expect([stripe, home, further]).toEqual([false, false, []]);
  expect(status["home-page"]?.[0]).toBe("skipped");
});

test("ignore requests everything", async () => {
  const { stripe, status, further } = await scanned("ignore", FORBID);
  expect(stripe).toBe(true);
  expect(further).toContain("www.acme.test/.well-known/security.txt");
  expect(status["well-known"]?.[0]).toBe("ok");
});

test.each([
  [
    "a rule for our name",
    { body: "User-agent: casefile\nAllow: /\n\nUser-agent: *\nDisallow: /", headers: { "Content-Type": "text/plain" } },
    "ok",
  ],
  ["no robots.txt", { status: 404, body: "" }, "ok"],
  ["a robots.txt that cannot be read", { status: 503, body: "" }, "skipped"],
])("%s", async (_, robots, expected) => {
  const { stripe, status } = await scanned("home-page-only", robots);
  expect([stripe, status["well-known"]?.[0]]).toEqual([true, expected]);
});
