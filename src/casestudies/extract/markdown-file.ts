import { YAML } from "bun";
import { findWrittenDate } from "../../core/dates.ts";
import { parseDate, parseHttpUrl } from "../fields.ts";
import { plainText } from "../text/markdown.ts";
import type { PageText } from "../types.ts";
import { chooseLanguage } from "./metadata.ts";

const MAX_MARKDOWN = 400_000;
const MAX_FRONT_MATTER = 16_384;
const MAX_VALUE = 160;
const MAX_LABELS = 100;
const MAX_LINKS = 500;

const LINK =
  /(!?)\[([^[\]\n]{0,300})\]\(\s{0,3}<?([^()\s<>]{1,2000})>?(?:\s{1,3}"[^"\n]{0,300}")?\s{0,3}\)|<a\s[^<>]{0,500}?href=["']([^"'<>\s]{1,2000})["'][^<>]{0,500}>([^<>]{0,300})<\/a>/g;

/**
 * Reads a Markdown file, with or without YAML front matter, as a page. Its title is the front matter's, else the first
 * heading of level 1. Never throws.
 */
export function extractMarkdown(source: string, url: string): PageText {
  const { facts, body } = splitFrontMatter(
    source
      .slice(0, MAX_MARKDOWN)
      .replace(/\r\n?/g, "\n")
      .replace(/^\uFEFF/, ""),
  );
  const text = (...names: readonly string[]) => {
    for (const name of names) {
      const value = facts.get(name);
      if (value !== undefined && value !== "") return value;
    }
    return null;
  };
  const heading = /^#\s{1,10}(.{1,500}?)\s{0,10}#{0,6}$/m.exec(body.slice(0, 20_000))?.[1];
  const date = text("date", "published_at", "published", "publishdate", "pubdate", "created");
  const published = date === null ? null : (parseDate(date) ?? findWrittenDate(date)?.day ?? null);
  const links: PageText["links"][number][] = [];
  const images: PageText["images"][number][] = [];
  for (const [, mark, shown = "", target = "", anchor, label = ""] of body.matchAll(LINK)) {
    const address = resolve(anchor ?? target, url);
    if (address === null) continue;
    if (mark === "!") images.push({ src: address, alt: plainText(shown) });
    else links.push({ href: address, text: plainText(anchor === undefined ? shown : label) });
    if (links.length + images.length >= MAX_LINKS) break;
  }
  const title = text("title") ?? (heading === undefined ? null : plainText(heading));
  return {
    url,
    canonical: null,
    title: title || null,
    site_name: null,
    description: text("description", "summary", "excerpt", "subtitle"),
    language: chooseLanguage([text("lang", "language", "locale")], `${title ?? ""} ${body}`),
    published_at: published,
    published_from: published === null ? null : "meta",
    markdown: body,
    images,
    links,
    labels: [...facts].map(([name, value]) => ({ name, value })).filter(({ value }) => value.length <= MAX_VALUE),
    json_ld: [],
  };
}

const resolve = (address: string, url: string): string | null => parseHttpUrl(URL.parse(address, url)?.href ?? null);

/** The texts, numbers and lists of the front matter by lower-case name; empty when there is none or it is not YAML. */
function splitFrontMatter(source: string): { readonly facts: ReadonlyMap<string, string>; readonly body: string } {
  const facts = new Map<string, string>();
  const [whole, yaml] =
    /^---[ \t]*\n([\s\S]{0,16384}?)\n---[ \t]*(?:\n|$)/.exec(source.slice(0, MAX_FRONT_MATTER)) ?? [];
  if (whole === undefined || yaml === undefined) return { facts, body: source };
  const body = source.slice(whole.length);
  let parsed: unknown;
  try {
    parsed = YAML.parse(yaml);
  } catch {
    // A template's front matter may not be YAML. The story is read without it.
    return { facts, body };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return { facts, body };
  for (const [name, value] of Object.entries(parsed).slice(0, MAX_LABELS)) {
    const values = Array.isArray(value) ? value.slice(0, 10) : [value];
    const shown = values.flatMap((one: unknown) =>
      typeof one === "string" || typeof one === "number"
        ? [String(one)]
        : one instanceof Date && !Number.isNaN(one.getTime())
          ? [one.toISOString().slice(0, 10)]
          : [],
    );
    if (shown.length > 0) facts.set(name.toLowerCase().slice(0, 60), plainText(shown.join(", ").slice(0, 2_000)));
  }
  return { facts, body };
}
