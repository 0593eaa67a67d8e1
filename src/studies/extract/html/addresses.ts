import type { PageText } from "../../../vocabulary/page.ts";
import { clean, elementsOf, textOf } from "./measure.ts";
import type { Story } from "./story.ts";

const MAX_IMAGES = 100;
const MAX_LINKS = 500;
const MAX_ADDRESS = 2_048;

/** Pictures of the story and of what stands beside it in its main part: the client's logo often stands above the heading. */
export function findImages({ root, surroundings }: Story, base: string): PageText["images"] {
  const images: { src: string; alt: string }[] = [];
  for (const { name, attributes } of elementsOf(root, surroundings)) {
    if (images.length >= MAX_IMAGES) break;
    if (name !== "img") continue;
    const given = [
      attributes["data-src"],
      attributes["data-lazy-src"],
      attributes.src,
      attributes.srcset?.trim().split(/\s/)[0],
    ];
    const src = given.map((one) => resolve(one, base)).find((one) => one !== undefined);
    const alt = clean(attributes.alt ?? "")
      .slice(0, 300)
      .toWellFormed();
    if (src !== undefined && !images.some((image) => image.src === src && image.alt === alt)) images.push({ src, alt });
  }
  return images;
}

export function findLinks({ root, dropped }: Story, base: string): PageText["links"] {
  const links: { href: string; text: string }[] = [];
  const seen = new Set<string>();
  for (const element of elementsOf(root, dropped)) {
    if (links.length >= MAX_LINKS) break;
    if (element.name !== "a" || (element.attributes.href ?? "").startsWith("#")) continue;
    const href = resolve(element.attributes.href, base);
    const text = textOf(element, 300);
    if (href === undefined || seen.has(`${href} ${text}`)) continue;
    seen.add(`${href} ${text}`);
    links.push({ href, text });
  }
  return links;
}

function resolve(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.length > MAX_ADDRESS) return undefined;
  const url = URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_ADDRESS ? url.href : undefined;
}
