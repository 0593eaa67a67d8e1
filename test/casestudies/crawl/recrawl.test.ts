import { expect, test } from "bun:test";
import type { KnownPage } from "../../../src/casestudies/crawl/types.ts";
import type { HttpOptions } from "../../../src/net/exchange.ts";
import { crawl, type Replies } from "./fake-site.ts";
import { listing, page, SITE, story } from "./invented-pages.ts";

const LIST = `${SITE}/customers`;
const OAKMERE = `${SITE}/customers/oakmere`;
const OLD = `${SITE}/customers/old`;
const site: Replies = { [LIST]: listing(["/customers/oakmere"]), [OAKMERE]: story("Oakmere") };

const remember = (...pages: readonly (Partial<KnownPage> & { readonly url: string })[]) => {
  const kept = pages.map((each) => ({ etag: null, last_modified: null, content_hash: null, ...each }));
  return {
    url: LIST,
    known: async (url: string) => kept.find((each) => each.url === url),
    knownUrls: async () => kept.map(({ url }) => url),
  };
};

test("a known page is requested conditionally, and 304 means unchanged", async () => {
  const asked: HttpOptions[] = [];
  const { events, summary } = await crawl(
    {
      ...site,
      [OAKMERE]: (options) => {
        asked.push(options);
        return { code: 304 };
      },
    },
    remember({ url: OAKMERE, etag: '"o1"', last_modified: "2026-02-03T10:00:00.000Z" }),
  );
  expect(asked).toMatchObject([{ ifNoneMatch: '"o1"', ifModifiedSince: "Tue, 03 Feb 2026 10:00:00 GMT" }]);
  expect(events).toContainEqual({ type: "unchanged", url: OAKMERE });
  expect(summary).toMatchObject({ case_studies: 1, ended: "complete" });
});

test("an unknown page is requested unconditionally, and 304 is an error", async () => {
  const { skipped } = await crawl({ ...site, [OAKMERE]: { code: 304 } }, { url: LIST });
  expect(skipped[OAKMERE]).toBe("no content (304)");
});

test("menus, scripts and cards do not change the hash of a page", async () => {
  const first = await crawl(site, { url: LIST });
  const [event] = first.events.filter((each) => each.type === "page");
  const hash = event?.content_hash ?? "";
  const redrawn = story("Oakmere", `<a href="/customers/b"><h3>Read more</h3></a><script>t=2</script>`).replace(
    "Pricing",
    "Plans",
  );
  const second = await crawl({ ...site, [OAKMERE]: redrawn }, remember({ url: OAKMERE, content_hash: hash }));
  expect(second.events).toContainEqual({ type: "unchanged", url: OAKMERE });
  const changed = await crawl(
    { ...site, [OAKMERE]: story("Oakmere").replace("42%", "45%") },
    remember({ url: OAKMERE, content_hash: hash }),
  );
  expect(changed.found).toEqual([OAKMERE]);
});

test.each([
  ["is missing", { code: 404 }, 404],
  ["is withdrawn", { code: 410 }, 410],
  ["says that it is missing", page("404", "<h1>Page not found</h1>"), 200],
  ["redirects to the list", { code: 301, location: "/customers" }, 301],
])("a known page without links that %s is gone", async (_name, reply, code) => {
  const { events } = await crawl({ ...site, [OLD]: reply }, remember({ url: OLD }));
  expect(events).toContainEqual({ type: "gone", url: OLD, code });
});

test("a known page without links that still exists stays", async () => {
  const { found, events } = await crawl({ ...site, [OLD]: story("Oldenham") }, remember({ url: OLD }));
  expect(found).toEqual([OAKMERE, OLD]);
  expect(events.some(({ type }) => type === "gone")).toBe(false);
});

test("a known page that is unreachable, busy or forbidden is not gone", async () => {
  for (const reply of [{ status: "timeout" as const }, { code: 500 }, { code: 403 }]) {
    const { events, skipped } = await crawl({ ...site, [OLD]: reply }, remember({ url: OLD }));
    expect(events.some(({ type }) => type === "gone")).toBe(false);
    expect(skipped[OLD]).toBeDefined();
  }
});

test("a known page that moved is gone at its old address and found at its new one", async () => {
  const { events, found } = await crawl(
    { ...site, [OLD]: { code: 301, location: "/customers/new" }, [`${SITE}/customers/new`]: story("Oldenham") },
    remember({ url: OLD }),
  );
  expect(events).toContainEqual({ type: "gone", url: OLD, code: 301 });
  expect(found).toContain(`${SITE}/customers/new`);
});

test("known pages of another site are not requested", async () => {
  const { site: web } = await crawl(site, remember({ url: "https://elsewhere.example/customers/x" }));
  expect(web.asked.some((url) => url.includes("elsewhere"))).toBe(false);
});
