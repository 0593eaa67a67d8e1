import { singleSpaced } from "../../core/text.ts";
import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint } from "../fingerprints/types.ts";
import type { Signal } from "../signals.ts";
import { commentMarkIn } from "./comment-marks.ts";
import { readableSlug, WORDPRESS_PLUGINS } from "./extension-names.ts";
import { bestOf, NOTHING } from "./mechanism.ts";
import { compactName, LINKED, type NameIndex, wordEnds } from "./names.ts";
import { rule } from "./naming-rules.ts";
import { isExtensionCategory } from "./platforms.ts";
import { shopifyAppIn } from "./shopify-apps.ts";
import type { ToolNamed } from "./tool-naming.ts";

/** Also in scripts: a block comment, and comments of mark-up that a script writes. */
const CODE_COMMENTS = /(?:\/\*!?|<!--)([^*<>]{6,240}?)(?:\*\/|-->)/g;
const COMMENTS = /<!--([^<>]{5,240}?)-->/g;
/** A sentence that software writes about itself; a name without one of these is a note of the site's own people. */
const BY_SOFTWARE =
  /\s\d{1,3}\.\d{1,4}(?:\.\d{1,5})?(?:\s*$|\srun time:)|wordpress\.org\/(?:extend\/)?plugins\/|\b(?:optimi[sz]ed|powered|generated|cached|created|added|minified|served|built|compressed|delivered)\b|\bplug-?in\b|\bv\d+\.\d|https?:\/\/|^\s*(?:begin|start|end(?: of)?|\/)?\s*[\w .&+-]{3,40}\s(?:code|tag|pixel|snippet|script|widget)s?\s*$|^\s*\/{0,2}\s?(?:beginn?|start|anfang|ende?|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)[\s:=-](?:(?:of|del?|des|da|do|di|du|von|der|the|la|el|le)\s)?[\w .&+-]{3,30}$|^[\w .&+-]{3,40}\s(?:begin|start|anfang|ende?|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)\s*$|^\s*(?:c[óo]digo|codice|kod|код|etiqueta|balise|tag|pixel|script)\s(?:(?:del?|da|do|di|du)\s)?[\w .&+-]{3,40}$|\b(?:optimi[sz]ada?|optimizado|ottimizzat[oa]|optimisée?|optimiert|generad[oa]|gerad[oa]|generat[oa]|générée?|generiert|bereitgestellt)\s(?:con|por|com|da|par|mit|von|durch|per|avec|dal)\s/i;
/** A sentence in which an extension names itself: `This site uses the X plugin v1.2`, `Performance optimized by X`. */
const BY_EXTENSION =
  /[a-z]\s\d{1,3}\.\d{1,4}(?:\.\d{1,5})?(?:\s*$|\srun time:)|wordpress\.org\/(?:extend\/)?plugins\/|\bplug-?in\b|\b(?:optimi[sz]ed|powered|generated|cached|minified|compressed|served|added|created|built|supported)\s(?:by|with|using|from)\b|\bv\d+\.\d|^\s*(?:begin|start)(?: of)?\s[\w .&+-]{3,40}\s(?:code|tag|pixel|snippet|script|widget)s?\s*$/i;
const MAX_COMMENTS = 2_000;

/** Where the tag of a service begins or ends: the comments stay in a page when the tag between them is removed. */
const FRAME =
  /^\s*(?:\/{0,2}\s?(?:begin(?:s|ning|n)?|start(?:s|ing)?|end(?:s|e)?|anfang|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)(?=[\s:=-])|[\w .&+-]{3,40}\s(?:begin(?:s|ning|n)?|start|ende?|anfang|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)s?\s*$|[\w .&+-]{3,40}\s(?:code|c[óo]digo|codice|kod|tag|etiqueta|balise|pixel|snippet|script|код)s?\s*$)/i;
/** A note in the place of a tag that is there no more: `Acme tag moved to the footer`, `Acme code removed`. */
const OF_REMOVED =
  /\b(?:moved|removed|deleted|disabled|deactivated|retired|deprecated|obsolete|replaced|commented out|turned off|switched off|no longer|not used|unused)\b/i;
/** A note with advice for people. */
const OF_ADVICE = /^\s*(?:fixme|how to|if you|install|make sure|note|please|remember|see|to[ -]?do|why)\b/i;
/** Words before the name of the software: `This site uses the X`, `Snippet added by X`. */
const LEAD =
  /^.{0,80}?\b(?:uses(?: the)?|(?:optimi[sz]ed|generated|powered|added|created|crafted|built|cached|made|minified|compressed|supported) (?:by|with|using)(?: the)?|managing ads with|begin|start(?: of)?|end(?: of)?)[\s:-]{1,3}/i;
/** `X plugin v1.2`, `X 1.2.3 by …`, `X v1.2 - https://…`: a plug-in that the catalogue may not have. */
const OF_PLUGIN =
  /^\s*([A-Z][\w'’&+.-]{1,30}(?:\s[\w'’&+()-]{1,30}){0,7}?)(?:\s(?:WordPress\s)?[Pp]lug-?in\b(?:\s[Vv]ersion)?[\s,-]{0,3}v?\.?\s?\d{1,3}\.\d|\s[Vv]?(?:er|ersion)?[.:]?\s?(?:\d{1,3}\.\d[\d./]{0,12}\s{0,2}(?:$|by\s|run time:|[-–|(]|START|BEGIN)|\d{1,4}\s{0,2}[-–|(]\s?https?:))/;
/** `Performance optimized by X. Learn more`: the lead, and what follows it. */
const OF_CACHE = /\b(?:performance optimi[sz]ed|cached|minified|compressed)\b/i;
const CACHE = /^([A-Z][\w'’&+-]{1,30}(?:\s[A-Z][\w'’&+-]{1,30}){0,5})(?:\s[Pp]lugin)?(?:\.|\s[-–@]|$)/;
/** A licence and an author are no proof of use. */
const OF_LICENCE = /@author|\blicen[cs]ed?\b/i;
/** What people and other software number too. */
const NO_PLUGIN =
  /^(?:(?:ad|article|block|bootstrap|build|chrome|column|copyright|css|end|file|font|footer|form|generator|google|header|html|ie|image|internet|item|jquery|js|last|layout|line|menu|mobile|module|navigation|new|notice|page|part|post|powered|release|revision|row|script|section|sidebar|slide|step|style|svg|table|template|test|theme|update|version|web|widget|windows|wordpress|xhtml)\b|.*\btheme$)/i;

/** Where a tag begins, before its name. */
const OPENING =
  /^\s*(?:(?:begin(?:s|ning|n)?|start(?:s|ing)?|anfang|in[ií]cio|inizio|d[ée]but|pocz[ąa]tek|начало)[\s:=-]{1,3}(?:of\s|del?\s|von\s)?)?/i;
const CLOSES = /\b(?:ends?|ende|fin|fine|fim|koniec)\b|конец/i;
const TAG = /\s{0,20}<(?:script|noscript|iframe)\b/iy;

/** Whether a comment is directly before a script or frame: the tag that it announces is still there. */
function opensTag(comment: string, text: string, end: number): boolean {
  TAG.lastIndex = end;
  if (!TAG.test(text) || CLOSES.test(comment)) return false;
  // "call Acme after consent" is a note.
  return /^[A-Z\d]/.test(comment.replace(OPENING, ""));
}

const APP_BLOCK = "Shopify writes this comment around what the app prints";
const SIGNED = "a comment in the wording of this software";
const COMMENT = "a comment that it writes into the page names it";

/** Software that signs a page with a comment: apps, tools with a wording of their own, and names in a sentence about them. */
export function commentHits({ kind, value }: Signal, names: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
  if (!value.includes("<!--") && (kind !== "html.inline" || !value.includes("/*"))) return NOTHING;
  const hits: RuleHit[] = [];
  const isOfWordPress = kind === "html.markup" && value.includes("wp-content");
  const isOfShopify = kind === "html.markup" && value.includes("shopify://apps/");
  let read = 0;
  for (const { 0: whole, 1: written = "", index } of value.matchAll(
    kind === "html.inline" ? CODE_COMMENTS : COMMENTS,
  )) {
    if (++read > MAX_COMMENTS) break;
    const comment = singleSpaced(written);
    const app = isOfShopify ? shopifyAppIn(comment, names) : undefined;
    if (app !== undefined) {
      // `shopifyAppIn` has checked the category: `toolNamed` would refuse tools with everyday words as names (Recharge, Stamped).
      const tool = names.exact(compactName(app.name)) ?? toolNamed(app.name, app.category);
      const block = rule("app-block", kind, "strong", APP_BLOCK);
      hits.push({ tool, rule: block, excerpt: excerptOf(comment.trim()), version: null });
      continue;
    }
    const isFrame = FRAME.test(comment);
    const isOpening = isFrame && opensTag(comment, value, index + whole.length);
    const mark = kind === "html.markup" ? commentMarkIn(comment) : undefined;
    if (mark !== undefined) {
      const tool = toolNamed(mark.name, mark.category);
      const isHint = (!isExtensionCategory(mark.category) && isFrame && !isOpening) || OF_REMOVED.test(comment);
      const signed = rule("signed-comment", kind, isHint ? "weak" : "strong", SIGNED);
      hits.push({ tool, rule: signed, excerpt: excerptOf(comment.trim()), version: null });
      continue;
    }
    if (!BY_SOFTWARE.test(comment) || OF_LICENCE.test(comment) || OF_ADVICE.test(comment)) continue;
    const plugin = isOfWordPress ? pluginIn(comment, names) : undefined;
    const isSure = plugin !== undefined || isOpening || (BY_EXTENSION.test(comment) && !isFrame);
    const signing = rule("comment", kind, isSure && !OF_REMOVED.test(comment) ? "strong" : "weak", COMMENT);
    for (const tool of plugin ? [toolNamed(plugin, "wordpress-plugin")] : namesWithin(comment, names))
      hits.push({ tool, rule: signing, excerpt: excerptOf(comment.trim()), version: null });
  }
  return bestOf(hits);
}

/** The page of a plug-in in the directory of WordPress. */
const DIRECTORY = /\bwordpress\.org\/(?:extend\/)?plugins\/([a-z0-9][a-z0-9-]{2,79})\b/i;
/** `X plugin` at the end of a comment or before an address: `/ Cookie Notice plugin`. */
const CALLED_PLUGIN =
  /^(?:the\s)?([A-Z][\w'’&+.-]{1,30}(?:\s[\w'’&+()-]{1,30}){0,6}?)\s[Pp]lug-?in(?:\s?[-.:|]?\s?https?:|[.!]?\s*$)/;
/** `X for WordPress: https://…/wordpress-plugins/x` */
const LINKED_PLUGIN =
  /^([A-Z][\w'’&+.-]{1,30}(?:\s[\w'’&+.-]{1,30}){0,6}?)\s?[-:|]\s?(?:URL:\s?)?https?:\/\/\S{0,80}plug-?ins?\b/i;

/** The plug-in that a comment of a page of WordPress names as its author. */
function pluginIn(comment: string, names: NameIndex): string | undefined {
  const slug = DIRECTORY.exec(comment)?.[1]?.toLowerCase();
  if (slug !== undefined) return WORDPRESS_PLUGINS.get(slug) ?? readableSlug(slug);
  const text = comment.trim().replace(/^[/*\s-]{1,6}/, "");
  // `Start of script generated by X`: one lead may follow another.
  const [first = ""] = LEAD.exec(text) ?? [];
  const lead = first + (LEAD.exec(text.slice(first.length))?.[0] ?? "");
  const rest = text.slice(lead.length);
  const written =
    OF_PLUGIN.exec(rest)?.[1] ??
    CALLED_PLUGIN.exec(rest)?.[1] ??
    LINKED_PLUGIN.exec(rest)?.[1] ??
    (OF_CACHE.test(lead) ? CACHE.exec(rest)?.[1] : undefined);
  const name = written
    ?.replace(/^.*\sby\s/, "")
    .replace(/^the\s/i, "")
    .replace(/\s(?:for WordPress|(?:WordPress )?plugin|WordPress)$/i, "")
    .replace(/[\s-]+$/, "");
  if (name === undefined || name.length < 4 || NO_PLUGIN.test(name)) return undefined;
  // Tags of services have versions too; they are found by their names.
  const isPlugin = /plug-?in|wordpress|\sby\s/i.test(comment) || names.exact(compactName(name)) !== undefined;
  return isPlugin || namesWithin(name, names).length === 0 ? name : undefined;
}

/** After the name of a network: its own code. */
const OF_TAG = /\b(?:code|pixel|tag|snippet|sdk|script|api|tracking|conversion|universal|insight|connect)\b/i;

/** The longest capitalised tool names of one to five words in a text. */
function namesWithin(text: string, names: NameIndex): Fingerprint[] {
  const words = text
    .split(/[\s,;()"']+/)
    .filter(Boolean)
    .slice(0, 40);
  const found: Fingerprint[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let length = Math.min(5, words.length - at); length > 0; length--) {
      const written = words
        .slice(at, at + length)
        .join(" ")
        .replace(/[^A-Za-z0-9]+$/, "");
      const name = compactName(written);
      const tool = names.distinct(name);
      // Cards, buttons and feeds of a network have its name, also those of a plug-in.
      if (LINKED.has(name) && !OF_TAG.test(words.slice(at + length, at + length + 3).join(" "))) continue;
      // A name in small letters is a word, unless the vendor writes it so: "emetriq".
      if (!/[A-Z]/.test(written) && written !== tool?.name) continue;
      // "Consent Manager" is none of consentmanager.
      if (!tool || !names.isWrittenSo(name, wordEnds(written)[0], 0)) continue;
      found.push(tool);
      at += length - 1;
      break;
    }
  }
  return found;
}
