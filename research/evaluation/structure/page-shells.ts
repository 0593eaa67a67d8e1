import type { FetchedPage } from "../../../src/casestudies/types.ts";
import type { CorpusRecord } from "./corpus.ts";
import { dateSigns } from "./date-signs.ts";

/** What a shell puts around a story. */
export interface Dressed {
  readonly title: string;
  readonly site: string;
  readonly story: string;
  readonly client: string;
  readonly industry: string | null;
  /** Elements with the date next to the heading; empty where the date is elsewhere. */
  readonly date: string;
  readonly head: string;
}

/**
 * Wraps a story as one of five kinds of site does: menu, cookie banner, calls to action, related stories with other
 * dates, footer with a year. The place and format of the date change from page to page, selected by `turn`.
 */
export function dressPage(record: CorpusRecord, story: string, turn: number): FetchedPage {
  const signs = dateSigns(record.published_at, turn);
  const shell = SHELLS[turn % SHELLS.length] ?? article;
  const dressed: Dressed = {
    title: escapeHtml(record.title),
    site: escapeHtml(record.vendor),
    story,
    client: escapeHtml(record.client ?? "the customer"),
    industry: record.industry === null ? null : escapeHtml(record.industry),
    date: signs.visible,
    head: signs.head,
  };
  return {
    url: signs.path === "" ? record.url : new URL(`${signs.path}story-${turn}`, record.url).href,
    kind: "html",
    content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${dressed.title} | ${dressed.site}</title>
<meta property="og:site_name" content="${dressed.site}">${dressed.head}</head>${shell(dressed)}</html>`,
    language: null,
    last_modified: "2026-02-03T04:05:06Z",
  };
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const MENU = ["Product", "Solutions", "Pricing", "Customers", "Docs", "Blog", "Company", "Sign in"];
const links = (names: readonly string[]) =>
  names.map((name) => `<a href="/${name.toLowerCase()}">${name}</a>`).join("");
const list = (names: readonly string[]) =>
  `<ul>${names.map((name) => `<li><a href="/${name.toLowerCase().replaceAll(" ", "-")}">${name}</a></li>`).join("")}</ul>`;
const COOKIES = `<p>We use cookies to make this website work, to measure how it is used and to show you advertising that fits.
 You can accept all of them or choose which ones you allow; see our privacy policy.</p><button>Accept all</button><button>Settings</button>`;
const FOOT = `<p>Copyright © 2019-2026 All rights reserved. Registered trademarks belong to their owners.</p>
${list(["Privacy policy", "Terms of service", "Imprint", "Status", "Careers", "Press"])}`;
const card = (name: string, day: string, text: string) =>
  `<div class="card"><a href="/stories/${name.toLowerCase().replaceAll(" ", "-")}"><img src="/img/${name.length}.png" alt="${name}">
<h3>${name} doubles its throughput</h3><time datetime="${day}">${day}</time><p>${text}</p></a></div>`;
const RELATED = [
  card("Northgate Mills", "2025-11-30", "How a family-run mill moved its planning out of spreadsheets."),
  card("Alder Clinics", "2018-02-17", "Forty clinics share one calendar and answer patients sooner."),
  card("Tern Airlines", "2026-01-09", "A regional airline rebuilt its booking flow in a quarter."),
].join("");

type Shell = (page: Dressed) => string;

/** A blog theme that names its parts. */
const article: Shell = ({ title, story, date, site }) => `<body class="single">
<header class="site-header"><a href="/"><img src="/logo.svg" alt="${site} logo"></a><nav>${list(MENU)}</nav></header>
<main><article><header class="entry-header"><h1>${title}</h1><p class="meta">By the ${site} team ${date}</p></header>
<div class="entry-content">${story}</div>
<footer class="entry-footer"><span>Share this story</span>${links(["Twitter", "LinkedIn", "Facebook"])}</footer></article>
<section class="related-posts"><h2>Related stories</h2>${RELATED}</section></main>
<aside class="sidebar"><h3>Recent posts</h3>${list(["Release notes for spring", "What we learnt at the fair", "Hiring in the north"])}</aside>
<footer class="site-footer">${FOOT}</footer><div id="cookie-banner">${COOKIES}</div></body>`;

/** A site builder that knows only divs. */
const divisions: Shell = ({
  title,
  story,
  date,
  client,
  industry,
  site,
}) => `<body><div class="w-nav"><div class="container">
<a class="brand" href="/">${site}</a><div class="nav-menu">${links(MENU)}</div></div></div>
<div class="section hero"><div class="container"><div class="eyebrow">Customer story</div><h1>${title}</h1>${date}</div></div>
<div class="section"><div class="container grid"><div class="left-column"><div class="fact"><div class="fact-label">Company</div><div>${client}</div></div>
${industry === null ? "" : `<div class="fact"><div class="fact-label">Industry</div><div>${industry}</div></div>`}</div>
<div class="right-column rich-text w-richtext">${story}</div></div></div>
<div class="section cta-section"><div class="container"><h2>Ready to get started?</h2><p>Talk to our team and see what we can do for you.</p><a class="button" href="/demo">Book a demo</a></div></div>
<div class="section"><div class="container"><h2>More customer stories</h2><div class="grid">${RELATED}</div></div></div>
<div class="section footer-section"><div class="container">${FOOT}</div></div><div class="cc-window">${COOKIES}</div></body>`;

/** Utility classes, everything in \`main\`, the menu a header of it. */
const utility: Shell = ({
  title,
  story,
  date,
  client,
  industry,
}) => `<body class="antialiased bg-white"><div id="__next">
<div class="sticky top-0 z-50 flex items-center justify-between px-6"><div class="flex gap-4">${links(MENU)}</div><a href="/start" class="px-4 py-2 rounded">Start for free</a></div>
<main class="relative"><div class="mx-auto max-w-7xl"><a href="/customers" class="text-sm">← All customer stories</a><h1 class="text-4xl">${title}</h1><div class="text-gray-500">${date}</div></div>
<div class="grid grid-cols-12"><aside class="col-span-3"><dl><dt>Customer</dt><dd>${client}</dd>${industry === null ? "" : `<dt>Industry</dt><dd>${industry}</dd>`}</dl></aside>
<div class="col-span-9 prose">${story}</div></div>
<div class="mt-24 bg-gray-50"><h2>Read next</h2><div class="grid grid-cols-3">${RELATED}</div></div>
<form class="mt-10"><label>Get our newsletter</label><input type="email"><button>Subscribe</button><p>We write once a month and never share your address.</p></form></main>
<div class="border-t"><div class="grid grid-cols-4">${list(MENU)}${FOOT}</div></div></div></body>`;

/** Documentation with a tree of pages and a table of contents. */
const documentation: Shell = ({
  title,
  story,
  date,
}) => `<body><div role="banner"><div class="navbar">${links(MENU)}</div></div><div class="layout">
<div class="menu">${list(["Getting started", "Concepts", "Tasks", "Tutorials", "Reference", "Contribute", "Case studies", "Community"])}</div>
<div role="main" class="td-content"><nav aria-label="breadcrumb"><ol><li><a href="/">Home</a></li><li><a href="/case-studies">Case studies</a></li></ol></nav>
<h1>${title}</h1>${date}${story}<div class="feedback"><h4>Feedback</h4><p>Was this page helpful?</p><button>Yes</button><button>No</button></div></div>
<div class="toc"><p>On this page</p>${list(["Challenge", "Solution", "Impact"])}</div></div><div role="contentinfo">${FOOT}</div></body>`;

/** Old tables for layout. */
const tables: Shell = ({
  title,
  story,
  date,
  site,
}) => `<body><table width="100%"><tr><td colspan="2"><b>${site}</b> ${links(MENU)}</td></tr>
<tr><td width="180">${list(["News", "Products", "References", "Downloads", "Contact"])}</td><td><h1>${title}</h1>${date}<div>${story}</div>
<p><a href="/references">Back to all references</a></p></td></tr><tr><td colspan="2">${FOOT}</td></tr></table></body>`;

const SHELLS: readonly Shell[] = [article, divisions, utility, documentation, tables];
