/**
 * Mark-up that a page holds in base64: what consent tools insert after consent, what ad managers insert by position. It is set
 * up like a tag that waits in a template.
 */

/**
 * How tags begin in base64: `<script`, `<!--`, `<iframe`, `<div`, `<ins`, `<blockquote`, `<noscript`, `<p>`, `<p `, `<a `, `<img`,
 * `<form`, `<span`, `<section`, `<figure`, `<center`, `<embed`, `<object`, `<video`; the second letter is C, G or H.
 */
const BEGINNINGS = [
  ...["PHNjcmlwd", "PCEtL", "PGlmcmFtZ", "PGRpdi", "PGlucy", "PGJsb2Nrc", "PG5vc2Nya", "PHA+", "PHAg", "PGEga"],
  ...["PGltZy", "PGZvcm0", "PHNwYW", "PHNlY3Rpb2", "PGZpZ3VyZ", "PGNlbnRlc", "PGVtYmVk", "PG9iamVjd", "PHZpZGVv"],
];
/** The rest, also in JSON, which writes `\/` for a slash. */
const ENCODED = /[A-Za-z0-9+/\\]{40,40000}/y;
const BEFORE = /["'`>;(=\s]/;
/** Pages with a slot for each of two hundred positions repeat the same code. */
const MAX_TEXTS = 200;
const MAX_DECODED = 131_072;

const OF_CODE_COMMENT = /(?:\/\*[^*"'`]{0,200}|(?:^|[\n;{}])\s{0,40}\/\/[^\n"'`]{0,200})["'`]?$/;

/**
 * Whether a browser skips the text of a place: a comment, or what a field is filled with. Places are asked for in their order, so
 * the page is searched once for each sign.
 */
function inertPlaces(page: string): (at: number) => boolean {
  const searches = new Map<string, { last: number; next: number }>();
  /**
   * Where a sign begins last, at or before a place; -1 for nowhere.
   *
   * @param of what the place is; places of one kind only grow
   */
  const lastOf = (sign: string, at: number, of = "text"): number => {
    const search = searches.get(`${sign} ${of}`) ?? { last: -1, next: page.indexOf(sign) };
    searches.set(`${sign} ${of}`, search);
    while (search.next >= 0 && search.next <= at) {
      search.last = search.next;
      search.next = page.indexOf(sign, search.next + 1);
    }
    return search.last;
  };
  return (at) => {
    if (OF_CODE_COMMENT.test(page.slice(Math.max(0, at - 200), at))) return true;
    const isIn = (begin: string, end: string) => lastOf(begin, at) > lastOf(end, at);
    const comment = lastOf("<!--", at);
    // Old scripts begin with the sign of a comment.
    const isOfScript = () => lastOf("<script", comment, "comment") > lastOf("</script", comment, "comment");
    if (comment > lastOf("-->", at) && !isOfScript()) return true;
    return isIn("<textarea", "</textarea") || isIn("<title", "</title");
  };
}

/** The decoded pieces, each once. */
export function encodedMarkupIn(page: string): string[] {
  const texts = new Set<string>();
  const inert = new Set<string>();
  const isInert = inertPlaces(page);
  let room = MAX_DECODED;
  for (let at = page.indexOf("P"), end = 0; at >= 0; at = page.indexOf("P", end)) {
    end = at + 1;
    const next = page.charCodeAt(end);
    if ((next !== 67 && next !== 71 && next !== 72) || !BEFORE.test(page[at - 1] ?? " ")) continue;
    if (!BEGINNINGS.some((beginning) => page.startsWith(beginning, at))) continue;
    if (texts.size + inert.size >= MAX_TEXTS || room <= 0) break;
    ENCODED.lastIndex = at;
    const [written = ""] = ENCODED.exec(page) ?? [];
    end = at + Math.max(1, written.length);
    const text = Buffer.from(written.replaceAll("\\", ""), "base64").toString().slice(0, room);
    // Other data may begin so.
    if (!/^<[!a-z][^>]{0,2000}>/i.test(text) || texts.has(text)) continue;
    if (isInert(at)) {
      inert.add(text);
      room -= text.length;
      continue;
    }
    texts.add(text);
    room -= text.length;
  }
  return [...texts];
}
