import { describe, expect, test } from "bun:test";
import { crawl, type Reply } from "./fake-site.ts";
import { listing, page, SITE, story } from "./invented-pages.ts";

const LIST = `${SITE}/customers`;
const OAKMERE = `${SITE}/customers/oakmere`;
const cards = ["/customers/ferncastle", "/customers/oakmere", "/customers/tidewell"];
const others = {
  [LIST]: listing(cards),
  [`${SITE}/customers/ferncastle`]: story("Ferncastle"),
  [`${SITE}/customers/tidewell`]: story("Tidewell"),
};
const PDF = { type: "application/pdf", body: "%PDF-1.7 invented" };

describe("an address that is not a case study is skipped with a reason", () => {
  test.each<[string, Reply, string]>([
    ["missing", { code: 404 }, "not found (404)"],
    ["withdrawn", { code: 410 }, "not found (410)"],
    ["missing with status 200", page("Page not found", "<h1>Page not found</h1>"), "not found (the page says so)"],
    ["for members", { code: 401 }, "behind a login (401)"],
    ["refused", { code: 403 }, "the site refuses it (403)"],
    ["a form that asks for a password", page("Members", `<form><input type="password"></form>`), "behind a login"],
    ["a redirect to a login", { location: "/login?next=x" }, "behind a login"],
    [
      "a redirect to another site",
      { location: "https://elsewhere.example/x" },
      "redirects to another site, elsewhere.example",
    ],
    ["a redirect to the list", { location: "/customers" }, "redirects to a list of pages"],
    ["a redirect to the home page", { location: "/" }, "redirects to a list of pages"],
    [
      "a redirect to a story that was read",
      { location: "/customers/ferncastle" },
      `the same page as ${SITE}/customers/ferncastle`,
    ],
    ["a redirect loop", { location: "/customers/oakmere" }, "an unresolved redirect (302)"],
    ["a forbidden address", { status: "refused" }, "forbidden address: as the test says"],
    ["a redirect to a forbidden address", { location: "http://10.0.0.1/" }, "forbidden address: as the test says"],
    ["no answer", { status: "timeout" }, "no answer in time"],
    ["server error", { code: 500 }, "the site answers 500"],
    ["a page of 40 MB", { body: story("Oakmere") + " ".repeat(40_000_000) }, "too large"],
    ["a PDF of 9 MB", { ...PDF, body: `%PDF-1.7${" ".repeat(9_000_000)}` }, "too large"],
    ["an image", { type: "image/png", body: "PNG" }, "not a page (image/png)"],
    ["JSON", { type: "application/json", body: "{}" }, "not a page (application/json)"],
    ["plain text", { type: "text/plain", body: "Oakmere" }, "not a page (text/plain)"],
    ["empty", { body: "" }, "not a case study: a page with hardly any text (hardly any text)"],
    ["noindex", story("Oakmere", "", `<meta name="robots" content="noindex">`), "it asks not to be indexed"],
    [
      "noindex in its headers",
      { body: story("Oakmere"), headers: { "x-robots-tag": "noindex" } },
      "it asks not to be indexed",
    ],
    ["a copy of another story", story("Ferncastle"), `the same text as ${SITE}/customers/ferncastle`],
    [
      "another address of a story",
      story("Oakmere", "", `<link rel="canonical" href="/customers/ferncastle">`),
      `the same page as ${SITE}/customers/ferncastle`,
    ],
  ])("%s", async (_name, reply, reason) => {
    const home = {
      "http://10.0.0.1/": { status: "refused" as const },
      [`${SITE}/`]: page("Palletwise", "<h1>Less walking</h1>"),
      [`${SITE}/login?next=x`]: page("Log in", ""),
    };
    const { found, skipped, summary } = await crawl({ ...others, ...home, [OAKMERE]: reply }, { url: LIST });
    expect(skipped[OAKMERE]).toBe(reason);
    expect(found).toEqual([`${SITE}/customers/ferncastle`, `${SITE}/customers/tidewell`]);
    expect(summary).toMatchObject({ ended: "complete", case_studies: 2, skipped: 1 });
  });
});

test("a directive for another robot is ignored", async () => {
  const reply = { body: story("Oakmere"), headers: { "x-robots-tag": "otherbot: noindex" } };
  expect((await crawl({ ...others, [OAKMERE]: reply }, { url: LIST })).found).toContain(OAKMERE);
});

test("a canonical address that is the list or the home page is ignored", async () => {
  for (const wrong of ["/customers", "/"]) {
    const reply = story("Oakmere", "", `<link rel="canonical" href="${wrong}">`);
    expect((await crawl({ ...others, [OAKMERE]: reply }, { url: LIST })).found).toContain(OAKMERE);
  }
});

describe("documents", () => {
  test("a PDF among the cards is a case study, by its type or by its first bytes", async () => {
    for (const type of ["application/pdf", "application/octet-stream", "text/html"]) {
      const { events } = await crawl({ ...others, [OAKMERE]: { ...PDF, type } }, { url: LIST });
      const event = events.find((each) => each.type === "page" && each.page.kind === "pdf");
      if (event?.type !== "page") throw new Error("no document");
      expect([event.page.url, Buffer.from(event.page.content).toString()]).toEqual([OAKMERE, PDF.body]);
    }
  });

  test("a PDF above the limit of a page is requested again with the limit of a PDF", async () => {
    const body = `%PDF-1.7${"x".repeat(5_000_000)}`;
    const { events } = await crawl({ ...others, [OAKMERE]: { ...PDF, body } }, { url: LIST });
    const event = events.find((each) => each.type === "page" && each.page.kind === "pdf");
    expect(event?.type === "page" && event.page.content.length).toBe(body.length);
  });

  test("a data sheet is not a case study", async () => {
    const sheet = `${SITE}/assets/scanner-datasheet.pdf`;
    const { found, skipped } = await crawl(
      { ...others, [LIST]: listing([...cards, [sheet, "Data sheet"]]), [sheet]: PDF },
      { url: LIST },
    );
    expect(found).not.toContain(sheet);
    expect(skipped[sheet]).toContain("not a case study");
  });

  test("a PDF as start address is one case study", async () => {
    const { found, summary } = await crawl({ [`${SITE}/oakmere.pdf`]: PDF }, { url: `${SITE}/oakmere.pdf` });
    expect([found, summary.case_studies]).toEqual([[`${SITE}/oakmere.pdf`], 1]);
  });
});

describe("a list that cannot be read ends the crawl with a note", () => {
  test.each<[string, Reply, string]>([
    ["missing", { code: 404 }, "not found (404)"],
    [
      "another site",
      { location: "https://elsewhere.example/customers" },
      "redirects to another site, elsewhere.example",
    ],
    ["behind a login", { code: 401 }, "behind a login (401)"],
    ["an image", { type: "image/png" }, "not a page (image/png)"],
    ["forbidden", { status: "refused" }, "forbidden address: as the test says"],
  ])("%s", async (_name, reply, why) => {
    const { summary, events } = await crawl({ [LIST]: reply }, { url: LIST });
    expect(summary).toMatchObject({ ended: "unreachable", case_studies: 0, listing_url: LIST });
    expect(events[0]).toEqual({ type: "note", text: `${LIST} cannot be read: ${why}.` });
  });

  test.each(["", "customers", "ftp://palletwise.example/", "https://user:secret@palletwise.example/", "javascript:1"])(
    "%p is not an address",
    async (url) => {
      const { summary, notes, site } = await crawl({}, { url });
      expect([summary.ended, site.asked, notes.length]).toEqual(["unreachable", [], 1]);
      expect(notes[0]).not.toContain("secret");
    },
  );

  test("the policy is checked before any request", async () => {
    const { createCrawler } = await import("../../../src/casestudies/crawl/crawler.ts");
    const { fakeSite } = await import("./fake-site.ts");
    const site = fakeSite(others);
    const crawler = createCrawler({
      ...site,
      userAgentToken: "Casefile",
      policy: { refusal: () => "port 8443 is not allowed" },
    });
    const events = await Array.fromAsync(crawler.crawl({ url: LIST, signal: new AbortController().signal }));
    expect(site.asked).toEqual([]);
    expect(events[0]).toEqual({
      type: "note",
      text: `${LIST} cannot be read: forbidden address: port 8443 is not allowed.`,
    });
  });
});

test("a list that redirects within its site is read at its target", async () => {
  const { summary, found, notes } = await crawl(
    { ...others, [`${SITE}/our-customers`]: { location: "/customers" }, [OAKMERE]: story("Oakmere") },
    { url: `${SITE}/our-customers` },
  );
  expect([summary.listing_url, found.length]).toEqual([LIST, 3]);
  expect(notes[0]).toBe(`${SITE}/our-customers redirects to ${LIST}.`);
});

describe("a limit ends the crawl with a summary", () => {
  const all = { ...others, [OAKMERE]: story("Oakmere") };

  test("pages", async () => {
    const { summary, found, notes } = await crawl(all, { url: LIST, limits: { maxPages: 3 } });
    expect(summary).toMatchObject({ ended: "pages", pages: 3, case_studies: 2, found: 3 });
    expect(found).toHaveLength(2);
    expect(notes.at(-1)).toContain("The limit of pages was reached");
  });

  test("bytes, in the middle of a page", async () => {
    const size = Buffer.byteLength(listing(cards)) + Buffer.byteLength(story("Ferncastle"));
    const { summary } = await crawl(all, { url: LIST, limits: { maxBytes: size + 1_000 } });
    expect(summary).toMatchObject({ ended: "bytes", case_studies: 1, bytes: size + 1_000 });
  });

  test("bytes, at the end of a page", async () => {
    const { summary } = await crawl(all, { url: LIST, limits: { maxBytes: Buffer.byteLength(listing(cards)) + 100 } });
    expect(summary).toMatchObject({ ended: "bytes", case_studies: 0 });
  });

  test("time, before a pause that would exceed it", async () => {
    const { summary, site } = await crawl(all, { url: LIST, limits: { perHostMs: 10_000, deadlineMs: 45_000 } });
    expect(summary.ended).toBe("time");
    expect(site.now()).toBeLessThan(45_000);
    expect(summary.case_studies).toBeGreaterThan(0);
  });

  test("an abort rejects instead", async () => {
    const controller = new AbortController();
    const stop = () => {
      controller.abort(new Error("stopped"));
      return listing(cards);
    };
    const going = crawl({ ...all, [LIST]: stop }, { url: LIST, signal: controller.signal });
    expect(going).rejects.toThrow("stopped");
  });
});

describe("one language version of a story is read", () => {
  const versions = (...languages: string[]) =>
    languages
      .map((code) => `<link rel="alternate" hreflang="${code}" href="${SITE}/${code}/customers/oakmere">`)
      .join("");
  const at = (code: string) => `${SITE}/${code}/customers/oakmere`;

  test("English before the language of the list", async () => {
    const { found, skipped } = await crawl(
      {
        [`${SITE}/de/customers`]: listing(["/de/customers/oakmere"]),
        [at("de")]: story("Oakmere", "", versions("de", "en", "fr"), "de"),
        [at("en")]: story("Oakmere", "<p>In English.</p>", versions("de", "en", "fr"), "en"),
      },
      { url: `${SITE}/de/customers` },
    );
    expect(found).toEqual([at("en")]);
    expect(skipped[at("de")]).toBe(`another language of ${at("en")}`);
  });

  test("the language of the list before any other", async () => {
    const { found } = await crawl(
      {
        [`${SITE}/de/customers`]: listing(["/fr/customers/oakmere", "/de/customers/oakmere"]),
        [at("de")]: story("Oakmere", "", versions("de", "fr"), "de"),
        [at("fr")]: story("Oakmere", "", versions("de", "fr"), "fr"),
      },
      { url: `${SITE}/de/customers` },
    );
    expect(found).toEqual([at("de")]);
  });

  test("another if the preferred one is missing", async () => {
    const { found, skipped } = await crawl(
      {
        [`${SITE}/de/customers`]: listing(["/de/customers/oakmere"]),
        [at("de")]: story("Oakmere", "", versions("de", "en"), "de"),
      },
      { url: `${SITE}/de/customers` },
    );
    expect(found).toEqual([at("de")]);
    expect(skipped[at("en")]).toBe("not found (404)");
  });

  test("a story that is declared a version of another one by mistake is read too", async () => {
    const wrong = `<link rel="alternate" hreflang="en" href="/customers/tidewell">`;
    const { found } = await crawl({ ...others, [OAKMERE]: story("Oakmere", "", wrong) }, { url: LIST });
    expect(found).toHaveLength(3);
  });

  test("one of two regions of a language", async () => {
    const regions = `<link rel="alternate" hreflang="en-us" href="/us/customers/oakmere"><link rel="alternate" hreflang="en-gb" href="/gb/customers/oakmere">`;
    const { found } = await crawl(
      {
        [LIST]: listing(["/us/customers/oakmere", "/gb/customers/oakmere"]),
        [`${SITE}/us/customers/oakmere`]: story("Oakmere", "", regions),
        [`${SITE}/gb/customers/oakmere`]: story("Oakmere", "<p>Colour.</p>", regions),
      },
      { url: LIST },
    );
    expect(found).toEqual([`${SITE}/us/customers/oakmere`]);
  });

  test("without `hreflang`, if the addresses differ only in the language", async () => {
    const { found, site } = await crawl(
      { [LIST]: listing(["/ja/customers/oakmere", "/customers/oakmere"]), [OAKMERE]: story("Oakmere") },
      { url: LIST },
    );
    expect(found).toEqual([OAKMERE]);
    expect(site.asked).not.toContain(at("ja"));
  });
});
