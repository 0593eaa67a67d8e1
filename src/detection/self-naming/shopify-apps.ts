import type { Fingerprint } from "../fingerprints/types.ts";
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
    "judge-me-reviews": "Judge.me",
    "klaviyo-email-marketing-sms": "Klaviyo",
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
    tiktok: "TikTok Pixel",
    triplewhale: "Triple Whale",
  }),
);

/** What tools for shops are: another vendor's app may have the name of a network or a library. */
const OF_SHOPS = new Set([
  ...["accessibility", "affiliate", "attribution", "consent-management", "customer-data", "customer-support"],
  ...["e-commerce", "email-marketing", "experimentation", "forms", "marketing-automation", "personalisation"],
  ...["reviews", "search", "session-replay", "subscription-billing", "surveys"],
]);
const BLOCK = /^begin app block: shopify:\/\/apps\/([a-z0-9][a-z0-9_-]{2,79})\/blocks\//i;

/**
 * The app whose block a comment opens: `BEGIN app block: shopify://apps/judge-me-reviews/blocks/…`. Shopify itself writes it
 * around what an app prints.
 */
export function shopifyAppIn(comment: string, names: NameIndex): ShopifyApp | undefined {
  const handle = BLOCK.exec(comment.trim())?.[1]?.toLowerCase();
  if (handle === undefined) return undefined;
  const tool = names.exact(compactName(handle));
  const isTools = tool !== undefined && OF_SHOPS.has(tool.category) && isWrittenSo(handle, tool);
  const listed = APPS.get(handle) ?? (isTools ? tool.name : undefined);
  if (listed !== undefined) return { name: listed, category: "e-commerce" };
  // Its words may spell another product's name: `live-chat` is not LiveChat.
  const name = readableSlug(handle);
  return { name: tool === undefined ? name : `${name} for Shopify`, category: "e-commerce" };
}

/** Whether a handle is a tool's name with its words apart where the name has them apart. */
function isWrittenSo(handle: string, { id, name, aliases = [] }: Fingerprint): boolean {
  const slugOf = (written: string) => written.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return !handle.includes("-") || [id, name, ...aliases].some((written) => slugOf(written) === handle);
}
