import { expect, test } from "bun:test";
import { crawl } from "./fake-site.ts";
import { BLOG_POST, listing, page, SITE, story } from "./invented-pages.ts";

const LIST = `${SITE}/customers`;
const three = {
  [LIST]: listing(["/customers/ferncastle", "/customers/oakmere", "/customers/tidewell"]),
  [`${SITE}/customers/ferncastle`]: story("Ferncastle"),
  [`${SITE}/customers/oakmere`]: story("Oakmere"),
  [`${SITE}/customers/tidewell`]: story("Tidewell"),
};
const at = (...names: string[]) => names.map((name) => `${SITE}/customers/${name}`);

test("the case studies of a list are found, reported and counted", async () => {
  const { events, found, summary } = await crawl(three, { url: LIST });
  expect(found).toEqual(at("ferncastle", "oakmere", "tidewell"));
  expect(events[0]).toEqual({ type: "listing", url: LIST, title: "Our customers", found: 3 });
  expect(summary).toMatchObject({
    listing_url: LIST,
    listing_title: "Our customers",
    pages: 4,
    found: 3,
    case_studies: 3,
    skipped: 0,
    ended: "complete",
  });
});

test("a page event has its text, language, validators and reasons", async () => {
  const { events } = await crawl(
    {
      ...three,
      [`${SITE}/customers/oakmere`]: {
        body: story("Oakmere"),
        headers: { etag: '"o1"', "last-modified": "Tue, 03 Feb 2026 10:00:00 GMT", "content-language": "en-GB, en" },
      },
    },
    { url: LIST },
  );
  const event = events.find((each) => each.type === "page" && each.page.url.endsWith("oakmere"));
  if (event?.type !== "page") throw new Error("no page");
  const { content, ...rest } = event.page;
  expect(content).toBe(story("Oakmere"));
  expect(rest).toEqual({
    url: `${SITE}/customers/oakmere`,
    kind: "html",
    language: "en-GB",
    last_modified: "2026-02-03T10:00:00.000Z",
  });
  expect([event.etag, event.last_modified]).toEqual(['"o1"', "Tue, 03 Feb 2026 10:00:00 GMT"]);
  expect(event.content_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(event.confidence).toBeGreaterThan(0.9);
  expect(event.reasons).toContain("a case-study folder in the URL");
  expect(event.reasons).toContain("the client's name in its text");
});

test("a blog post, a product and a page about jobs among the cards are skipped with their kind", async () => {
  const { found, skipped, site } = await crawl(
    {
      ...three,
      [LIST]: listing([
        "/customers/ferncastle",
        "/blog/labels",
        ["/customers/ten-ways", "Read the story"],
        "/product/scanner",
        "/careers/picker",
      ]),
      [`${SITE}/blog/labels`]: BLOG_POST,
      [`${SITE}/customers/ten-ways`]: page("Sign up", "<h1>Sign up</h1><p>Be first.</p>"),
    },
    { url: LIST },
  );
  expect(found).toEqual(at("ferncastle"));
  expect(skipped[`${SITE}/blog/labels`]).toBe("not a case study by its address: a blog post");
  expect(skipped[`${SITE}/product/scanner`]).toBe("not a case study by its address: a product page");
  expect(skipped[`${SITE}/careers/picker`]).toBe("not a case study by its address: a page about jobs");
  expect(skipped[`${SITE}/customers/ten-ways`]).toBe("not a case study: a page with hardly any text (hardly any text)");
  expect(site.asked).not.toContain(`${SITE}/careers/picker`);
});
