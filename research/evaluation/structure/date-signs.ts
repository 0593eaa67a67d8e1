interface DateSigns {
  /** Elements for the head. */
  readonly head: string;
  /** Elements next to the heading. */
  readonly visible: string;
  /** Path before the page's name; empty where the address has no date. */
  readonly path: string;
}

const NOTHING: DateSigns = { head: "", visible: "", path: "" };

const written = (day: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));

/** Ways in which sites show a date, used in turn. */
const SIGNS: readonly ((day: string) => DateSigns)[] = [
  (day) => ({
    ...NOTHING,
    head: `<script type="application/ld+json">${JSON.stringify({
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "WebSite", name: "Site" },
        { "@type": "Article", datePublished: `${day}T09:30:00+00:00`, dateModified: "2026-01-01" },
      ],
    })}</script>`,
  }),
  (day) => ({ ...NOTHING, head: `<meta property="article:published_time" content="${day}T00:00:00Z">` }),
  (day) => ({ ...NOTHING, visible: `<time datetime="${day}">${written(day, "en-US")}</time>` }),
  (day) => ({ ...NOTHING, visible: `<span class="date">${written(day, "en-US")}</span>` }),
  (day) => ({ ...NOTHING, visible: `<span>Published on ${written(day, "en-GB")}</span> · 5 min read` }),
  (day) => ({ ...NOTHING, visible: `<div class="meta">${written(day, "de-DE")}</div>` }),
  (day) => ({ ...NOTHING, visible: `<p>${day}</p>` }),
  (day) => ({ ...NOTHING, path: `/stories/${day.replaceAll("-", "/")}/` }),
  (day) => ({ ...NOTHING, head: `<meta name="date" content="${written(day, "en-US")}">` }),
  (day) => ({ ...NOTHING, visible: `<span>${written(day, "fr-FR")}</span>` }),
  (day) => ({ ...NOTHING, visible: `<span>${written(day, "zh-CN")}</span>` }),
];

/** @param day ISO date; null gives a page without a date */
export function dateSigns(day: string | null, turn: number): DateSigns {
  if (day === null) return NOTHING;
  return SIGNS[turn % SIGNS.length]?.(day) ?? NOTHING;
}
