import { describe, expect, test } from "bun:test";
import { crawl, type Replies } from "./fake-site.ts";
import { listing, SITE, story } from "./invented-pages.ts";

const LIST = `${SITE}/customers`;
const ROBOTS = `${SITE}/robots.txt`;
const two: Replies = {
  [LIST]: listing(["/customers/ferncastle", "/customers/oakmere", "/customers/oakmere"]),
  [`${SITE}/customers/ferncastle`]: story("Ferncastle"),
  [`${SITE}/customers/oakmere`]: story("Oakmere"),
};
const robots = (text: string): Replies => ({ ...two, [ROBOTS]: { body: text, type: "text/plain" } });

test("robots.txt is requested first, and a path that it forbids is not requested", async () => {
  const { site, found, skipped } = await crawl(robots("User-agent: *\nDisallow: /customers/oak\n"), { url: LIST });
  expect(site.asked[0]).toBe(ROBOTS);
  expect(site.asked).not.toContain(`${SITE}/customers/oakmere`);
  expect(found).toEqual([`${SITE}/customers/ferncastle`]);
  expect(skipped[`${SITE}/customers/oakmere`]).toBe("robots.txt forbids it");
});

test("rules for our user agent replace those for all", async () => {
  const ours = "User-agent: *\nDisallow:\n\nUser-agent: casefile\nDisallow: /customers/oak\n";
  expect((await crawl(robots(ours), { url: LIST })).found).toEqual([`${SITE}/customers/ferncastle`]);
  const theirs = "User-agent: casefile\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
  expect((await crawl(robots(theirs), { url: LIST })).found).toHaveLength(2);
});

test("a list that robots.txt forbids ends the crawl", async () => {
  const { summary, site, notes } = await crawl(robots("User-agent: *\nDisallow: /\n"), { url: LIST });
  expect(summary).toMatchObject({ ended: "robots", pages: 0, case_studies: 0 });
  expect(site.asked).toEqual([ROBOTS]);
  expect(notes[0]).toBe(`${LIST} cannot be read: robots.txt forbids it.`);
});

test.each([
  ["is missing", { code: 404 }, "complete"],
  ["is refused", { code: 403 }, "complete"],
  ["is the home page", { body: "<html>Disallow: /</html>" }, "complete"],
  ["is a server error", { code: 500 }, "unreachable"],
  ["is rate limited", { code: 429 }, "unreachable"],
  ["does not answer", { status: "timeout" as const }, "unreachable"],
])("a robots.txt that %s", async (_name, reply, ended) => {
  const { summary } = await crawl({ ...two, [ROBOTS]: reply }, { url: LIST });
  expect(summary.ended).toBe(ended as typeof summary.ended);
});

test("requests to one host are spaced out", async () => {
  const { site } = await crawl(two, { url: LIST, limits: { perHostMs: 2_000 } });
  const gaps = site.times.slice(1).map((time, at) => time - (site.times[at] ?? 0));
  expect(site.times.length).toBeGreaterThan(3);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
});

test.each([
  ["Crawl-delay: 7", 7_000],
  ["Crawl-delay: 900", 30_000],
  ["Crawl-delay: soon", 1_000],
  ["Crawl-delay: -4", 1_000],
])("%s is respected up to 30 seconds", async (line, least) => {
  const { site } = await crawl(robots(`User-agent: *\n${line}\n`), { url: LIST });
  const gaps = site.times.slice(1).map((time, at) => time - (site.times[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...gaps)).toBeLessThan(least + 1_000);
});

test("a site that asks for long pauses is noted", async () => {
  const { notes } = await crawl(robots("User-agent: *\nCrawl-delay: 60\n"), { url: LIST });
  expect(notes[0]).toContain("asks for long pauses");
});

describe("a site that is busy", () => {
  const busy = (times: number, headers = {}) => {
    let asked = 0;
    return () => (++asked <= times ? { code: 503, headers } : story("Oakmere"));
  };

  test.each([
    ["the time that it asks for", "20", 20_000],
    ["at most a minute", "999999", 60_000],
    ["a minute, for a date far in the future", "Wed, 31 Dec 2098 23:59:59 GMT", 60_000],
    ["the usual gap, for a past date", "Thu, 01 Jan 1970 00:00:00 GMT", 1_000],
    ["five seconds, for an invalid value", "1.5", 5_000],
  ])("is requested once more, after %s", async (_wait, wish, least) => {
    const { found, site } = await crawl(
      { ...two, [`${SITE}/customers/oakmere`]: busy(1, { "retry-after": wish }) },
      { url: LIST },
    );
    expect(found).toHaveLength(2);
    const [first = 0, second = 0] = site.asked.flatMap((url, at) =>
      url.endsWith("oakmere") ? (site.times[at] ?? 0) : [],
    );
    expect(second - first).toBeGreaterThanOrEqual(least);
    expect(second - first).toBeLessThan(least + 1_000);
  });

  test("twice is skipped", async () => {
    const { skipped } = await crawl({ ...two, [`${SITE}/customers/oakmere`]: busy(2) }, { url: LIST });
    expect(skipped[`${SITE}/customers/oakmere`]).toBe("the site answers 503");
  });

  test("on every page ends the crawl", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `/customers/client-${n}`);
    const { summary, notes } = await crawl({ [LIST]: listing(names), ...down(names) }, { url: LIST });
    expect(summary).toMatchObject({ ended: "unreachable", pages: 6 });
    expect(notes.at(-1)).toBe("The site stopped answering; 7 addresses were not read.");
  });
});

function down(paths: readonly string[]): Replies {
  return Object.fromEntries(paths.map((path) => [`${SITE}${path}`, { status: "failed" as const }]));
}

test("another host of the site is read by its own robots.txt", async () => {
  const stories = "https://stories.palletwise.example";
  const { found, skipped, site } = await crawl(
    {
      [LIST]: listing([`${stories}/customers/ferncastle`, `${stories}/customers/oakmere`, "/customers/tidewell"]),
      [`${stories}/robots.txt`]: { body: "User-agent: *\nDisallow: /customers/oakmere", type: "text/plain" },
      [`${stories}/customers/ferncastle`]: story("Ferncastle"),
    },
    { url: LIST },
  );
  expect(found).toEqual([`${stories}/customers/ferncastle`]);
  expect(skipped[`${stories}/customers/oakmere`]).toBe("robots.txt forbids it");
  expect(site.asked.filter((url) => url.endsWith("/robots.txt"))).toHaveLength(2);
});

test("a redirect to an address that robots.txt forbids is skipped", async () => {
  const { found, skipped } = await crawl(
    {
      ...robots("User-agent: *\nDisallow: /private/"),
      [`${SITE}/customers/oakmere`]: { location: "/private/oakmere" },
      [`${SITE}/private/oakmere`]: story("Oakmere"),
    },
    { url: LIST },
  );
  expect(found).toEqual([`${SITE}/customers/ferncastle`]);
  expect(skipped[`${SITE}/customers/oakmere`]).toBe("robots.txt forbids it");
});
