import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { crawl, type Replies } from "./fake-site.ts";
import { listing, page, SITE, story } from "./invented-pages.ts";

const LIST = `${SITE}/customers`;
const at = (name: string) => `${SITE}/customers/${name}`;
const NAMES = ["Ferncastle", "Oakmere", "Tidewell", "Birkhof", "Hearthloaf", "Minato"];
const slugs = NAMES.map((name) => name.toLowerCase());
const stories: Replies = Object.fromEntries(NAMES.map((name) => [at(name.toLowerCase()), story(name)]));
const path = (slug: string) => `/customers/${slug}`;
const xml = (body: string) => ({ body, type: "application/xml" });

describe("further pages of a list are found", () => {
  test.each([
    ["by rel=next in the head", "?page=2", "", `<link rel="next" href="/customers?page=2">`],
    ["by a link to the next", "?page=2", `<a href="/customers?page=2">Next</a>`, ""],
    ["by their numbers", "?page=2", `<a href="/customers">1</a><a href="/customers?page=2">2</a>`, ""],
    ["by their path", "/page/2/", `<a href="/customers/page/2/">Older stories</a>`, ""],
    ["by a parameter of its own", "?5f3a_page=2", `<a href="?5f3a_page=2" aria-label="Next page">›</a>`, ""],
    ["by an arrow with a relation", "?p=2", `<a rel="next" href="/customers?p=2">→</a>`, ""],
  ])("%s", async (_name, second, after, head) => {
    const { found, summary } = await crawl(
      {
        ...stories,
        [LIST]: listing(slugs.slice(0, 3).map(path), `<div class="pages">${after}</div>`, head),
        [`${LIST}${second}`]: listing(slugs.slice(3).map(path)),
      },
      { url: LIST },
    );
    expect(found.toSorted()).toEqual(slugs.map(at).toSorted());
    expect(summary.skipped).toBe(0);
  });

  test("an endless list is abandoned after two pages without new addresses", async () => {
    const endless = new Proxy<Record<string, never>>(
      {},
      {
        get: (_target, url) => {
          const number = Number(/\?page=(\d+)$/.exec(String(url))?.[1] ?? 0);
          if (number > 0 || url === LIST)
            return listing(slugs.slice(0, 3).map(path), `<a href="/customers?page=${number + 1}">Next</a>`);
          return stories[String(url)];
        },
      },
    );
    const { site } = await crawl(endless, { url: LIST });
    expect(site.asked.filter((url) => url.includes("?page="))).toHaveLength(2);
  });

  test("they take at most half of the page limit", async () => {
    const long = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        n === 0 ? LIST : `${LIST}?page=${n}`,
        listing([`/customers/a-${n}`, `/customers/b-${n}`, `/customers/c-${n}`], `<a href="?page=${n + 1}">Next</a>`),
      ]),
    );
    const { events, notes } = await crawl(long, { url: LIST, limits: { maxPages: 10 } });
    expect(events.filter(({ type }) => type === "listing")).toHaveLength(5);
    expect(notes).toContain("Further pages of the list were not read, to leave enough requests for its case studies.");
  });
});

describe("addresses that scripts would load are found", () => {
  const cards = slugs.slice(0, 3).map(path);
  const rest = slugs.slice(3);
  const json = (value: unknown) => ({ body: JSON.stringify(value), type: "application/json" });
  const api = `${SITE}/api/case-studies?page=`;

  test.each([
    ["addresses", { items: rest.map((slug) => ({ url: `/customers/${slug}`, title: slug })) }],
    ["slugs", { data: { results: rest.map((slug) => ({ slug, name: slug })) } }],
    ["markup", { html: rest.map((slug) => `<a href="/customers/${slug}">${slug}</a>`).join("") }],
  ])("as JSON of %s, page after page", async (_name, answer) => {
    const { found, site } = await crawl(
      {
        ...stories,
        [LIST]: listing(cards, `<button data-url="/api/case-studies?page=2">Load more</button>`),
        [`${api}2`]: json(answer),
        [`${api}3`]: json({ items: [] }),
      },
      { url: LIST },
    );
    expect(found.toSorted()).toEqual(slugs.map(at).toSorted());
    expect(site.asked.filter((url) => url.includes("/api/"))).toEqual([`${api}2`, `${api}3`]);
  });

  test.each([
    ['fetch("/api/case-studies?page=" + page)', [1, 2]],
    ["fetch(`/api/case-studies?page=\u0024{page}`)", [1, 2]],
    [String.raw`window.more = "\/api\/case-studies?page=1";`, [1, 2]],
  ])("through an address in a script: %s", async (code, numbers) => {
    const { found, site } = await crawl(
      {
        ...stories,
        [LIST]: listing(cards, `<script>${code}</script>`),
        [`${api}1`]: json(rest.map((slug) => ({ link: at(slug) }))),
      },
      { url: LIST },
    );
    expect(found).toHaveLength(6);
    expect(site.asked.filter((url) => url.includes("/api/"))).toEqual(numbers.map((number) => `${api}${number}`));
  });

  test("by the next address in the response", async () => {
    const { found } = await crawl(
      {
        ...stories,
        [LIST]: listing(cards, `<div data-source="/api/customers?limit=2"></div>`),
        [`${SITE}/api/customers?limit=2`]: json({
          items: [{ slug: "birkhof" }],
          next: "/api/customers?limit=2&after=b",
        }),
        [`${SITE}/api/customers?limit=2&after=b`]: json({ items: [{ slug: "minato" }] }),
      },
      { url: LIST },
    );
    expect(found).toContain(at("minato"));
  });

  test("never on another site, and never endlessly", async () => {
    let asked = 0;
    const { site } = await crawl(
      {
        [LIST]: listing(
          cards,
          `<div data-a="https://tracker.example/api/customers?page=1" data-b="/api/customers?page=1"></div>`,
        ),
        [`${SITE}/api/customers?page=1`]: () =>
          json([{ url: `/customers/x-${asked++}`, next: "/api/customers?page=1" }]),
      },
      { url: LIST },
    );
    expect(site.asked.filter((url) => url.includes("tracker"))).toEqual([]);
    expect(site.asked.filter((url) => url.includes("/api/")).length).toBeLessThanOrEqual(20);
  });

  test("in the state that the page passes to its scripts", async () => {
    const state = { props: { pageProps: { stories: slugs.map((slug) => ({ slug })), nav: [{ slug: "pricing" }] } } };
    const { found, site } = await crawl(
      {
        ...stories,
        [LIST]: page(
          "Customers",
          `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`,
        ),
      },
      { url: LIST },
    );
    expect(found).toHaveLength(6);
    expect(site.asked).not.toContain(at("pricing"));
  });

  test("in a JSON-LD list, and not in its breadcrumbs", async () => {
    const list = {
      "@graph": [
        { "@type": "ItemList", itemListElement: slugs.map((slug) => ({ "@type": "ListItem", url: at(slug) })) },
        { "@type": "BreadcrumbList", itemListElement: [{ "@type": "ListItem", item: `${SITE}/customers/crumb` }] },
      ],
    };
    const { found, site } = await crawl(
      {
        ...stories,
        [LIST]: page(
          "Customers",
          "<h1>Customers</h1>",
          `<script type="application/ld+json">${JSON.stringify(list)}</script>`,
        ),
      },
      { url: LIST },
    );
    expect(found).toHaveLength(6);
    expect(site.asked).not.toContain(at("crumb"));
  });
});

describe("sitemaps and feeds are read", () => {
  const few = { ...stories, [LIST]: listing(slugs.slice(0, 3).map(path)) };
  const urls = (names: readonly string[]) => names.map((name) => `<url><loc>${name}</loc></url>`).join("");

  test("sitemap.xml, for the folder of the list only", async () => {
    const { found, site } = await crawl(
      {
        ...few,
        [`${SITE}/sitemap.xml`]: xml(
          `<urlset>${urls([...slugs.map(at), `${SITE}/pricing`, `${SITE}/oakmere`, `${SITE}/blog/x`])}</urlset>`,
        ),
      },
      { url: LIST },
    );
    expect(found).toHaveLength(6);
    for (const url of [`${SITE}/pricing`, `${SITE}/oakmere`, `${SITE}/blog/x`]) expect(site.asked).not.toContain(url);
  });

  test("a compressed index that robots.txt names, two levels deep", async () => {
    const packed = gzipSync(`<urlset>${urls(slugs.map(at))}</urlset>`);
    const { found } = await crawl(
      {
        ...few,
        [`${SITE}/robots.txt`]: { body: `Sitemap: ${SITE}/maps/index.xml`, type: "text/plain" },
        [`${SITE}/maps/index.xml`]: xml(
          `<sitemapindex><sitemap><loc>${SITE}/maps/second.xml</loc></sitemap></sitemapindex>`,
        ),
        [`${SITE}/maps/second.xml`]: xml(
          `<sitemapindex><sitemap><loc>/maps/customers.xml.gz</loc></sitemap></sitemapindex>`,
        ),
        [`${SITE}/maps/customers.xml.gz`]: { body: packed, type: "application/gzip" },
      },
      { url: LIST },
    );
    expect(found).toHaveLength(6);
  });

  test("an index that names itself is read once", async () => {
    const { summary, site } = await crawl(
      {
        ...few,
        [`${SITE}/sitemap.xml`]: xml(`<sitemapindex><sitemap><loc>${SITE}/sitemap.xml</loc></sitemap></sitemapindex>`),
      },
      { url: LIST },
    );
    expect(summary.ended).toBe("complete");
    expect(site.asked.filter((url) => url.endsWith("sitemap.xml"))).toHaveLength(1);
  });

  test("a compressed list that would be too large is ignored", async () => {
    const bomb = gzipSync(`<urlset>${" ".repeat(21_000_000)}${urls(slugs.map(at))}</urlset>`);
    const { summary, found } = await crawl(
      { ...few, [`${SITE}/sitemap.xml`]: { body: bomb, type: "application/gzip" } },
      { url: LIST },
    );
    expect([summary.ended, found.length]).toEqual(["complete", 3]);
  });

  test.each([
    [
      "RSS",
      `<rss><channel>${slugs.map((slug) => `<item><title>${slug}</title><link>${at(slug)}</link></item>`).join("")}<item><link>${SITE}/blog/y</link></item></channel></rss>`,
    ],
    [
      "Atom",
      `<feed>${slugs.map((slug) => `<entry><title>${slug}</title><link rel="alternate" href="${at(slug)}"/></entry>`).join("")}</feed>`,
    ],
  ])("a feed of %s that the list links", async (_name, feed) => {
    const head = `<link rel="alternate" type="application/rss+xml" href="/customers/feed.xml">`;
    const { found, site } = await crawl(
      { ...stories, [LIST]: listing(slugs.slice(0, 3).map(path), "", head), [`${SITE}/customers/feed.xml`]: xml(feed) },
      { url: LIST },
    );
    expect(found).toHaveLength(6);
    expect(site.asked).not.toContain(`${SITE}/blog/y`);
  });
});

test("the list of case studies is found in the menu of a home page", async () => {
  const { found } = await crawl(
    { ...stories, [`${SITE}/`]: page("Palletwise", "<h1>Less walking</h1>"), [LIST]: listing(slugs.map(path)) },
    { url: `${SITE}/` },
  );
  expect(found).toHaveLength(6);
});

test("a list by industry leads to its stories", async () => {
  const many = Array.from({ length: 9 }, (_, n) => `/customers/retail/shop-${n}`);
  const { found, events } = await crawl(
    {
      [LIST]: listing(["/customers/retail", "/customers/food", "/customers/care"]),
      [`${LIST}/retail`]: listing(many),
      ...Object.fromEntries(many.map((each) => [`${SITE}${each}`, story(`Shop ${each.at(-1)}`)])),
    },
    { url: LIST },
  );
  expect(found).toHaveLength(9);
  expect(events.filter(({ type }) => type === "listing")).toHaveLength(2);
});

test("the address of one case study is accepted", async () => {
  const { found, notes } = await crawl({ [at("oakmere")]: story("Oakmere") }, { url: at("oakmere") });
  expect(found).toEqual([at("oakmere")]);
  expect(notes).toContain("The page is a case study, not a list.");
});

test("a page with several spellings of its address is read once", async () => {
  const { found, site } = await crawl(
    {
      ...stories,
      [LIST]: listing([
        "/customers/oakmere#quote",
        "/customers/oakmere?utm_source=list",
        "/customers/oakmere/",
        "https://www.palletwise.example:443/customers/oakmere",
        "http://palletwise.example/customers/oakmere",
      ]),
    },
    { url: LIST },
  );
  expect(found).toEqual([at("oakmere")]);
  expect(site.asked.filter((url) => url.includes("oakmere"))).toHaveLength(1);
});

test("cards with different numbers and categories in their classes are cards of one list", async () => {
  const filed = ["post-11 category-retail", "post-27 tag-food", "post-304 sticky"];
  const posts = filed.map(
    (each, n) => `<article class="${each}"><h2><a href="/${slugs[n]}-tale">${slugs[n]}</a></h2></article>`,
  );
  const { found, events } = await crawl(
    {
      [LIST]: page("Customers", `<h1>Customers</h1>${posts.join("")}`),
      ...Object.fromEntries(NAMES.slice(0, 3).map((name) => [`${SITE}/${name.toLowerCase()}-tale`, story(name)])),
    },
    { url: LIST },
  );
  expect(events[0]).toMatchObject({ type: "listing", found: 3 });
  expect(found).toHaveLength(3);
});

test("a case study with many links is not a list", async () => {
  const links = Array.from({ length: 20 }, (_, n) => `<p>It reads the <a href="/docs/${n}">manual ${n}</a> too.</p>`);
  const { events } = await crawl(
    { [LIST]: listing([path("oakmere")]), [at("oakmere")]: story("Oakmere", links.join("")) },
    { url: LIST },
  );
  const event = events.find(({ type }) => type === "page");
  expect(event?.type === "page" ? event.reasons : []).toContain("enough text");
  expect(event?.type === "page" ? event.reasons : []).not.toContain("a list of other pages");
});
