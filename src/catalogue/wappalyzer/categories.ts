import type { Area, Category } from "../../vocabulary/fingerprint.ts";

/** Which of our areas a category's name speaks of; the first that is met. */
const WORDS: readonly (readonly [RegExp, Area])[] = [
  [/e-?mail|authent|identity|webmail|saml|sso/i, "email and identity"],
  [/crm|sales|appointment|schedul|chat|support|customer success/i, "CRM and sales"],
  [
    /analytics|tag manager|a\/b|experiment|rum|survey|heat|session|data platform|attribution/i,
    "analytics and tracking",
  ],
  [/payment|commerce|billing|cart|pay later|fulfil|shop/i, "payments and billing"],
  [/recruit|\bhr\b|human res|jobs?\b|payroll/i, "HR and recruiting"],
  [
    /cdn|hosting|paas|iaas|server|cach|dns|database|security|ssl|waf|cloud|operating|network|load balanc/i,
    "cloud and infrastructure",
  ],
  [/wiki|documentation|collaborat|forum|message board|project|issue track|video conf|intranet/i, "collaboration"],
  [
    /marketing|advert|seo|retarget|affiliate|cms|blog|page builder|landing|loyalty|review|social|consent|cookie|personali|widget|form/i,
    "marketing",
  ],
];
const OTHER: Area = "developer tools";

/** Names that the set uses for what we call otherwise, folded. */
const SAME: Readonly<Record<string, string>> = {
  cms: "cms",
  "tag managers": "tag-management",
  ecommerce: "e-commerce",
  "javascript libraries": "javascript-library",
  "javascript frameworks": "javascript-library",
  "web frameworks": "web-framework",
  "web servers": "web-server",
  "programming languages": "programming-language",
  "payment processors": "payments",
  "marketing automation": "marketing-automation",
  "live chat": "customer-support",
  "font scripts": "fonts",
  "cookie compliance": "consent-management",
  hosting: "hosting",
  paas: "hosting",
  maps: "maps",
  "video players": "video",
  "search engines": "search",
  "issue trackers": "project-management",
};

/**
 * The category of ours for a name of the set: one with the same label, one that means the same, or a new one of its own.
 */
export function categoryFor(name: string, known: readonly Category[]): Category {
  const folded = name.trim().toLowerCase();
  const found =
    known.find(({ label }) => label.toLowerCase() === folded) ?? known.find(({ id }) => id === SAME[folded]);
  if (found) return found;
  const id = slugOf(name) || "other";
  const area = WORDS.find(([words]) => words.test(name))?.[1] ?? OTHER;
  return { id: `imported-${id}`.slice(0, 60).replace(/-$/, ""), label: name.trim().slice(0, 40) || "Other", area };
}

export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]{1,100}/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60)
    .replace(/-$/, "");
