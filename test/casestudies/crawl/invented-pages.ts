/** Pages of an invented vendor of warehouse software. */
export const SITE = "https://www.palletwise.example";

const MENU = `<header><nav><a href="/">Home</a><a href="/product">Product</a><a href="/pricing">Pricing</a>
<a href="/customers">Customers</a><a href="/blog">Blog</a><a href="/login">Log in</a></nav></header>`;
const FOOTER = `<footer><a href="/careers">Careers</a><a href="/legal/privacy">Privacy</a><a href="/press">Press</a></footer>`;

export function page(title: string, main: string, head = "", language = "en"): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title} | Palletwise</title>${head}</head>
<body>${MENU}<main>${main}</main>${FOOTER}</body></html>`;
}

/** A list with one card for each address; `after` is placed below the cards. */
export function listing(cards: readonly (string | readonly [string, string])[], after = "", head = ""): string {
  const drawn = cards.map((card) => {
    const [href, text] = typeof card === "string" ? [card, `About ${card.split("/").at(-1)}`] : card;
    return `<article class="card"><a class="card-link" href="${href}"><img alt="logo" src="/l.png"><h3>${text}</h3></a></article>`;
  });
  return page("Customers", `<h1>Our customers</h1><div class="grid">${drawn.join("")}</div>${after}`, head);
}

/** A case study of about 250 words that names its client often. */
export function story(client: string, more = "", head = "", language = "en"): string {
  return page(
    `How ${client} cut picking time with Palletwise`,
    `<h1>How ${client} cut picking time with Palletwise</h1>
<dl><dt>Industry</dt><dd>Retail</dd><dt>Employees</dt><dd>900</dd></dl>
<h2>The challenge</h2><p>${client} ships garden furniture to shops in four countries. Before, the team at ${client} needed
two days to pick an order of forty lines, because shelves were labelled by hand and the lists were printed each morning.
Orders that came after nine waited for the next day, and returns were booked in a spreadsheet that only one colleague
could read. In the spring of the busiest year the warehouse struggled with eleven hundred open orders, and the company
decided that it could not grow that way.</p>
<h2>The solution</h2><p>${client} chose Palletwise after a trial of six weeks in its smallest hall. The operations team
deployed the scanners over one weekend, migrated nine thousand articles, and trained the pickers in pairs. Palletwise
replaced the printed lists with a route on the wrist, and it told the office which shelf ran low before it was empty.</p>
<h2>The results</h2><p>Within three months ${client} reduced picking time by 42%, saved 310 hours a month, and handled 2x the
orders of the year before with the same people. Returns are booked on the day on which they arrive.</p>
<blockquote>“We stopped walking in circles, and we stopped guessing what stands on the shelf,” says the head of logistics.
</blockquote>${more}`,
    head,
    language,
  );
}

export const BLOG_POST = page(
  "Ten ways to label a shelf",
  `<h1>10 ways to label a shelf</h1><p>Posted by the editors. In this post we look at shelf labels. ${"A label should be read from two metres away, and it should survive a wet glove. ".repeat(20)}</p>
<h2>Use large letters</h2><p>Letters want to be large.</p><h2>Use colours</h2><p>Colours help. Subscribe to our newsletter.</p>`,
  `<script type="application/ld+json">{"@type":"BlogPosting","headline":"10 ways"}</script>`,
);

export const slow = { perHostMs: 1_000 };
