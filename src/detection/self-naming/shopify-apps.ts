import { readableSlug } from "./extension-names.ts";
import { compactName, type NameIndex } from "./names.ts";

/** An app of Shopify that writes a block into a page. */
export interface ShopifyApp {
  readonly name: string;
  /** Of an app that the catalogue does not have. */
  readonly category: string;
}

/**
 * Apps by their handle in Shopify's app store: those whose handle does not spell their name, or is an everyday word. Source:
 * the addresses of the app store, which each app's block repeats.
 */
const APPS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "free-shipping-bar": "Hextom",
    "frequently-bought-together": "Code Black Belt",
    "product-filter-search": "Boost Commerce",
    "product-reviews-addon": "Stamped",
    "quick-announcement-bar": "Hextom",
    "quick-announcement-bars": "Hextom",
    "smile-io": "Smile.io",
    "subscription-payments": "Recharge",
    "swym-relay": "Swym",
    "tidio-chat": "Tidio",
    bucks: "BUCKS Currency Converter",
    forms: "Shopify Forms",
    helpdesk: "Gorgias",
    inbox: "Shopify Inbox",
    smartseo: "Smart SEO",
    triplewhale: "Triple Whale",
  }),
);

/** What tools for shops are: another vendor's app may begin with the name of a network or a library. */
const OF_SHOPS = new Set([
  ...["accessibility", "affiliate", "attribution", "consent-management", "customer-data", "customer-support"],
  ...["e-commerce", "email-marketing", "experimentation", "forms", "marketing-automation", "personalisation"],
  ...["reviews", "search", "session-replay", "subscription-billing", "surveys"],
]);
/** `acme-for-hubspot`, `import-from-acme`: of somebody else. */
const FOR_ANOTHER = /-(?:by|for|from|to|with)-/;

const BLOCK = /^begin app block: shopify:\/\/apps\/([a-z0-9][a-z0-9_-]{2,79})\/blocks\//i;

/**
 * The app whose block a comment opens: `BEGIN app block: shopify://apps/judge-me-reviews/blocks/…`. Shopify itself writes it
 * around what an app prints.
 */
export function shopifyAppIn(comment: string, names: NameIndex): ShopifyApp | undefined {
  const handle = BLOCK.exec(comment.trim())?.[1]?.toLowerCase();
  if (handle === undefined) return undefined;
  const listed = APPS.get(handle) ?? names.exact(compactName(handle))?.name;
  if (listed !== undefined) return { name: listed, category: "e-commerce" };
  if (!FOR_ANOTHER.test(handle))
    for (let end = handle.lastIndexOf("-"); end > 0; end = handle.lastIndexOf("-", end - 1)) {
      const tool = names.distinct(compactName(handle.slice(0, end)));
      if (tool && OF_SHOPS.has(tool.category)) return { name: tool.name, category: tool.category };
    }
  return { name: readableSlug(handle), category: "e-commerce" };
}
