import type { Page, World } from "../company.ts";
import { pdfOf } from "./pdf.ts";
import { STORIES, type Story } from "./stories.ts";

/** The one that is published as a PDF. */
export const IN_PDF = "zephyr-couriers";
/** An address that no policy lets through, whatever a box allows. */
export const FORBIDDEN = "http://169.254.169.254/latest/meta-data/";
const MEBIBYTE = 1_048_576;
const PER_PAGE = 6;
const HUGE = `<h1>Huge</h1><p>${"word ".repeat(8 * MEBIBYTE)}</p>`;

/** What the site is like at one time. */
export interface SiteState {
  /** Stories that are not there any more: they answer 410 and are listed nowhere. */
  readonly gone?: readonly string[];
  /** Other results of some stories, by slug. */
  readonly results?: Readonly<Record<string, string>>;
}

/**
 * An invented vendor's web site: a listing of two pages, twelve case studies (one of them a PDF), and what a crawler
 * also meets: a blog post, a press release, a login wall, a part that robots.txt forbids, a redirect to a private
 * address, a page of 40 MB, a page that is not there.
 */
export function tidewell({ gone = [], results = {} }: SiteState = {}): World {
  const stories = STORIES.filter(({ slug }) => !gone.includes(slug)).map((story) => ({
    ...story,
    results: results[story.slug] ?? story.results,
  }));
  return {
    companies: [
      {
        domain: "tidewell.test",
        records: { "": { MX: "10 mail.tidewell.test" } },
        plain: "redirect",
        pages: {
          "/": shell("Tidewell", "<h1>Plan what moves</h1><p>Software for rounds, stock and shop floors.</p>"),
          "/robots.txt": {
            body: "User-agent: *\nDisallow: /customers/private/\nDisallow: /search\n",
            headers: { "Content-Type": "text/plain" },
          },
          "/customers": listing(stories.slice(0, PER_PAGE), "/customers?page=2", TRAPS),
          "/customers?page=2": listing(stories.slice(PER_PAGE), undefined, ""),
          ...Object.fromEntries(stories.map((story) => [pathOf(story), pageOf(story)])),
          ...Object.fromEntries(gone.map((slug) => [`/customers/${slug}`, { status: 410, body: "Gone." }])),
          "/blog/five-tips-for-better-rounds": shell("Five tips for better rounds | Tidewell Blog", BLOG_POST),
          "/press/tidewell-opens-office": shell("Tidewell opens an office in Porto | Tidewell", PRESS),
          "/customers/private/secret-client": shell(
            "Secret client",
            "<h1>Secret client</h1><p>Nobody may read this.</p>",
          ),
          "/customers/members-only": {
            status: 200,
            body: shell("Sign in", '<h1>Sign in</h1><form><input type="password" name="p"></form>'),
          },
          "/customers/inside": { redirect: FORBIDDEN },
          "/customers/huge": { body: HUGE },
          "/customers/missing": { status: 404, body: shell("Not found", "<h1>Not found</h1>") },
        },
      },
    ],
  };
}

export const pathOf = ({ slug }: Story): string => `/customers/${slug}${slug === IN_PDF ? ".pdf" : ""}`;
export const addressOf = (story: Story): string => `https://tidewell.test${pathOf(story)}`;

const TRAPS = `
  <article class="card"><a href="/customers/private/secret-client"><h3>A client that we may not name</h3></a></article>
  <article class="card"><a href="/customers/members-only"><h3>For members: a client speaks</h3></a></article>
  <article class="card"><a href="/customers/inside"><h3>Inside a client's network</h3></a></article>
  <article class="card"><a href="/customers/huge"><h3>A very long story</h3></a></article>
  <article class="card"><a href="/customers/missing"><h3>A story that moved away</h3></a></article>
  <article class="card"><a href="/blog/five-tips-for-better-rounds"><h3>Five tips for better rounds</h3></a></article>
  <article class="card"><a href="/press/tidewell-opens-office"><h3>Tidewell opens an office in Porto</h3></a></article>`;

const BLOG_POST = `<article><h1>Five tips for better rounds</h1><p class="byline">By Ottoline Grebe, 4 April 2024</p>
  <p>Planning rounds is an art that anybody can learn. Here are five tips that we give to everybody who asks us.</p>
  <h2>1. Know your stops</h2><p>Write down when each stop opens, who takes the parcel, and where one can park.</p>
  <h2>2. Leave slack</h2><p>A round without slack breaks at the first red light. Plan for ninety per cent.</p>
  <h2>3. Ask the drivers</h2><p>They know the roads. Listen to them before you move a stop.</p>
  <h2>4. Measure</h2><p>What you do not measure you will not improve. Start with kilometres for each stop.</p>
  <h2>5. Plan again</h2><p>A plan from yesterday is a guess today. Subscribe to our newsletter for more.</p></article>`;

const PRESS = `<article><h1>Tidewell opens an office in Porto</h1><p>PORTO, 2 May 2024. Tidewell announced today that it opens
  an office in Porto. "We are excited to be closer to the sea," said its spokesperson. The office will hire twenty people.
  About Tidewell: Tidewell makes planning software. Media contact: press@tidewell.test.</p></article>`;

function shell(title: string, main: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
  <header><nav><a href="/">Tidewell</a> <a href="/product">Product</a> <a href="/pricing">Pricing</a>
  <a href="/customers">Customers</a> <a href="/blog/five-tips-for-better-rounds">Blog</a> <a href="/login">Log in</a></nav></header>
  <div class="cookie-banner">We use cookies to make this site work. <button>Accept</button></div>
  <main>${main}</main>
  <footer><p>Tidewell, 12 Quay Street. Copyright 2026 Tidewell.</p><a href="/legal/imprint">Imprint</a></footer></body></html>`;
}

function listing(stories: readonly Story[], next: string | undefined, extra: string): string {
  const cards = stories.map(
    (story) => `<article class="card"><a href="${pathOf(story)}"><img src="/logos/${story.slug}.svg"
      alt="${story.client} logo"><h3>${story.title}</h3></a><p>${story.teaser}</p></article>`,
  );
  const more = next ? `<nav class="pages"><a rel="next" href="${next}">Next page</a></nav>` : "";
  return shell(
    "Customer stories | Tidewell",
    `<h1>Customer stories</h1><div class="cards">${cards.join("")}${extra}</div>${more}`,
  );
}

function pageOf(story: Story): Page {
  const etag = `"${Bun.hash(JSON.stringify(story)).toString(36)}"`;
  if (story.slug === IN_PDF) return { body: inPdf(story), headers: { "Content-Type": "application/pdf", ETag: etag } };
  const data = {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: story.title,
    datePublished: `${story.published}T09:00:00+00:00`,
    publisher: { "@type": "Organization", name: "Tidewell" },
  };
  const head = `<link rel="canonical" href="${addressOf(story)}"><meta name="description" content="${story.teaser}">
    <meta property="og:site_name" content="Tidewell"><script type="application/ld+json">${JSON.stringify(data)}</script>`;
  const main = `<article><p class="eyebrow">Customer story</p><h1>${story.title}</h1>
    <img src="/logos/${story.slug}.svg" alt="${story.client} logo">
    <dl class="facts"><dt>Customer</dt><dd><a href="${story.site}">${story.client}</a></dd>
    <dt>Industry</dt><dd>${story.industry}</dd><dt>Location</dt><dd>${story.place}</dd></dl>
    <h2>The challenge</h2><p>${story.challenge}</p><h2>The solution</h2><p>${story.solution}</p>
    <h2>The results</h2><p>${story.results}</p>
    <blockquote><p>${story.quote}</p><footer>${story.person}, ${story.role}, ${story.client}</footer></blockquote></article>
    <aside><h2>Read next</h2><a href="/blog/five-tips-for-better-rounds">Five tips for better rounds</a></aside>`;
  return { body: shell(`${story.title} | Tidewell`, main, head), headers: { ETag: etag } };
}

function inPdf({ title, challenge, solution, results, quote, person, role, client, published }: Story): Uint8Array {
  const lines = ["The challenge", challenge, "", "The solution", solution, "", "The results", results, ""];
  const spoken = `"${quote}" - ${person}, ${role}, ${client}`;
  return pdfOf(title, [...lines, spoken].flatMap(wrapped), published);
}

const wrapped = (text: string): string[] => text.match(/.{1,85}(?:\s|$)/g)?.map((line) => line.trim()) ?? [""];
