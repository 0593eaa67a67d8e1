import type { Place } from "../../../src/casestudies/crawl/judge.ts";
import { BLOG_POST, page, SITE, story } from "./invented-pages.ts";

/** Invented pages of invented companies, labelled as a case study or not. */

export interface LabelledPage {
  readonly what: string;
  readonly isStory: boolean;
  readonly url: string;
  readonly text: string;
  readonly place: Place;
  readonly html: string;
}

const filler = (sentence: string, times: number) => `<p>${`${sentence} `.repeat(times)}</p>`;

/** A case study without headings, figures or quotes. */
const tale = (client: string, language = "en", lead = "") =>
  page(
    client,
    `<h1>${client}</h1>${lead}<p>${client} makes bread for three hundred cafés and needed to know by noon what to bake by midnight. The
planners at ${client} struggled with orders that came by telephone, by mail and on paper, and they decided to look for
one place for all of them. After visits to two other bakeries ${client} chose Palletwise and moved its cafés over, one
street after another, through the autumn. The drivers were trained on the job. Today each café sends its order from a
tablet, the ovens start by themselves, and ${client} throws away far less bread than it used to.</p>
<p>The team at ${client} wants to go further, and to lend its vans to neighbours on quiet days. It worked with Palletwise
on a plan for that, which was presented to the cafés in spring, and which most of them welcomed at once.</p>`,
    "",
    language,
  );

const GERMAN = page(
  "Wie Birkhof die Kommissionierung beschleunigte",
  `<h1>Birkhof: schneller im Lager</h1><h2>Ausgangslage</h2><p>Birkhof brauchte für einen Auftrag zwei Tage, weil jedes
Regal von Hand beschriftet war. Birkhof entschied sich nach sechs Wochen für Palletwise.</p><h2>Lösung</h2>
${filler("Birkhof führte die Handscanner an einem Wochenende ein und schulte die Mitarbeiter in Paaren.", 8)}
<h2>Ergebnisse</h2><p>Die Zeit je Auftrag sank um 38 %, und Birkhof spart 120 Stunden im Monat.</p>`,
  "",
  "de",
);
const JAPANESE = page(
  "導入事例：みなと物流",
  `<h1>導入事例：みなと物流株式会社</h1><h2>課題</h2><p>${"倉庫の棚は手書きで管理されており、注文の処理に二日かかっていました。".repeat(8)}</p>
<h2>導入の効果</h2><p>${"作業時間は四割短くなり、返品もその日のうちに記録されます。".repeat(6)}</p>`,
  "",
  "ja",
);
const PRODUCT = page(
  "Route planning",
  `<h1>Route planning for every warehouse</h1>${filler("Palletwise plans the shortest way for each picker and shows it on the wrist.", 15)}
<blockquote>“It just works,” says a customer of ours who likes it very much indeed.</blockquote><p>Save 30% of the way and 20 hours a week.</p>`,
  `<script type="application/ld+json">{"@type":"SoftwareApplication","name":"Routes"}</script>`,
);
const PRESS = page(
  "Palletwise announces partnership with Ferncastle",
  `<h1>Palletwise announces partnership with Ferncastle</h1><p>FOR IMMEDIATE RELEASE. We are excited to announce that
Ferncastle chose Palletwise.</p>${filler("The companies want to work together for many years to come in all markets.", 15)}<p>Media contact: press desk.</p>`,
  `<script type="application/ld+json">{"@type":"NewsArticle"}</script>`,
);
const WEBINAR = page(
  "Webinar: How Oakmere runs its halls",
  `<h1>Webinar: how Oakmere runs its halls</h1><p>Register now and save your seat. Join us on Tuesday.</p>${filler("The head of logistics will answer your questions about the halls.", 10)}`,
);
const GUIDE = page(
  "The ultimate guide to picking",
  `<h1>The ultimate guide to picking</h1>${filler("In this guide we explain wave picking, batch picking and zone picking.", 30)}<h2>Common challenges</h2>${filler("Errors cost 10% of the margin.", 10)}`,
);
const HUB = page(
  "Customers in retail",
  `<h1>Customers in retail</h1>${Array.from({ length: 14 }, (_, n) => `<div class="tile"><a class="more" href="/customers/shop-${n}">Shop ${n}</a></div>`).join("")}`,
);
const NO_TEXT = `<!doctype html><html lang="en"><head><title>Tidewell | Palletwise</title></head><body><div id="root"></div></body></html>`;
const PRICING = page(
  "Plans and pricing",
  `<h1>Plans and pricing</h1>${filler("From $49 a month for each scanner, and 20% less for a year.", 12)}`,
);
const GLOSSARY = page(
  "What is wave picking?",
  `<h1>What is wave picking?</h1>${filler("Wave picking groups orders so that they leave together.", 25)}`,
);
const RELEASE = page(
  "Palletwise 7.2 release notes",
  `<h1>What's new in Palletwise 7.2</h1>${filler("The scanner now wakes up twice as fast, and lists scroll.", 20)}`,
);
const ABOUT = page(
  "About us",
  `<h1>About us</h1>${filler("We are a company of ninety people in two towns, and we like shelves.", 20)}`,
);
const JOB = page("Picker wanted", `<h1>Picker wanted</h1>${filler("You walk gladly and like numbers.", 20)}`);
const AWARD = page(
  "Palletwise named a leader",
  `<h1>Palletwise named a leader in warehouse software</h1>${filler("We are proud to be named a leader for the third time.", 20)}`,
);

const c = (path: string) => `${SITE}${path}`;
const card = (what: string, isStory: boolean, path: string, html: string, text = ""): LabelledPage => ({
  what,
  isStory,
  url: c(path),
  text,
  place: "card",
  html,
});
const linked = (what: string, isStory: boolean, path: string, html: string, text = ""): LabelledPage => ({
  ...card(what, isStory, path, html, text),
  place: "text",
});
const listed = (what: string, isStory: boolean, path: string, html: string): LabelledPage => ({
  ...card(what, isStory, path, html),
  place: "sitemap",
});

export const LABELLED: readonly LabelledPage[] = [
  card("a story under the list", true, "/customers/ferncastle", story("Ferncastle")),
  card("a story with the list's singular", true, "/customer/ferncastle", story("Ferncastle")),
  card("a story in another folder", true, "/case-studies/oakmere", story("Oakmere")),
  card("a story at the root", true, "/oakmere-cuts-picking-time", story("Oakmere"), "How Oakmere cut picking time"),
  card(
    "a story in the blog that says so",
    true,
    "/blog/tidewell-case-study",
    story("Tidewell"),
    "Case study: Tidewell",
  ),
  card(
    "a story in the blog by its headline",
    true,
    "/blog/how-tidewell-cut-picking-time",
    story("Tidewell"),
    "How Tidewell cut picking time",
  ),
  card("a story below resources", true, "/resources/oakmere", story("Oakmere")),
  card("a story below resources that says so", true, "/resources/case-studies/oakmere", story("Oakmere")),
  card("a plain story under the list", true, "/customers/hearthloaf", tale("Hearthloaf")),
  card("a plain story next to the list", true, "/success-stories/hearthloaf", tale("Hearthloaf")),
  card(
    "a plain story at the root with its label",
    true,
    "/hearthloaf",
    tale("Hearthloaf", "en", "<strong>Customer story</strong>"),
  ),
  card("a German story", true, "/de/kunden/birkhof", GERMAN),
  card("a German story in a folder of references", true, "/de/referenzen/birkhof", GERMAN),
  card("a Japanese story", true, "/ja/customers/minato", JAPANESE),
  card("a story as a page of use", true, "/use-cases/oakmere-customer-story", story("Oakmere")),
  card("a story with a number in its address", true, "/customers/8841-oakmere", story("Oakmere")),
  card("a story whose name is like a section", true, "/customers/press-and-bind", story("Press and Bind")),
  card("a story of a client named News", true, "/customers/northern-news", story("Northern News")),
  card("a story of a school that writes blogs", true, "/customers/blogschool", story("Blogschool")),
  linked(
    "a story linked in a sentence",
    true,
    "/stories/ferncastle",
    story("Ferncastle"),
    "read the story of Ferncastle",
  ),
  linked("a story with an address that says nothing", true, "/p/1234", story("Ferncastle"), "Ferncastle"),
  listed("a story in the sitemap", true, "/customers/ferncastle", story("Ferncastle")),
  listed("a success story in the sitemap", true, "/success-stories/ferncastle", story("Ferncastle")),
  listed("a story in the sitemap of documents", true, "/library/ferncastle-case-study", story("Ferncastle")),
  card("a blog post", false, "/blog/label-a-shelf", BLOG_POST, "10 ways to label a shelf"),
  card("a blog post among the stories", false, "/customers/label-a-shelf", BLOG_POST, "10 ways to label a shelf"),
  card("a blog post at the root", false, "/label-a-shelf", BLOG_POST, "10 ways to label a shelf"),
  card("a press release", false, "/press/ferncastle", PRESS, "Palletwise announces partnership"),
  card("a press release at the root", false, "/palletwise-and-ferncastle", PRESS, "Palletwise announces partnership"),
  card("news of an award", false, "/news/leader", AWARD),
  card("an award at the root", false, "/leader-of-the-year", AWARD),
  card("a product page", false, "/product/routes", PRODUCT),
  card("a product page at the root", false, "/routes", PRODUCT),
  card("a solution for an industry", false, "/solutions/retail", PRODUCT),
  card("a webinar with a client", false, "/webinars/oakmere", WEBINAR, "How Oakmere runs its halls"),
  card("a webinar at the root", false, "/oakmere-live", WEBINAR, "Webinar: how Oakmere runs its halls"),
  card("a guide", false, "/guides/picking", GUIDE),
  card("a guide among resources", false, "/resources/picking", GUIDE, "The ultimate guide to picking"),
  card("a list of stories by industry", false, "/customers/retail", HUB),
  card("a page drawn by a script", false, "/tidewell", NO_TEXT),
  card("prices", false, "/pricing", PRICING),
  card("a glossary", false, "/glossary/wave-picking", GLOSSARY),
  card("a glossary at the root", false, "/wave-picking", GLOSSARY, "What is wave picking?"),
  card("release notes", false, "/changelog/7-2", RELEASE),
  card("release notes at the root", false, "/whats-new", RELEASE),
  card("a page about the company", false, "/about", ABOUT),
  card("an open position", false, "/careers/picker", JOB),
  card("a login", false, "/login", page("Log in", "<h1>Log in</h1>")),
  card("a tag of stories", false, "/customers/tag/retail", HUB),
  card("a category of stories", false, "/category/case-studies", HUB),
  card("an author", false, "/author/ferncastle", story("Ferncastle")),
  linked("the terms", false, "/legal/terms", page("Terms", filler("You agree to all of this.", 80))),
  linked(
    "a page to ask for a demonstration",
    false,
    "/request-a-demo",
    page("See it", `<h1>See it</h1>${filler("Leave your number.", 10)}`),
  ),
  listed("a post in the sitemap", false, "/blog/label-a-shelf", BLOG_POST),
  listed("a product in the sitemap", false, "/product/routes", PRODUCT),
];
