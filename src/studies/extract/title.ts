const SEPARATOR = /\s(?:[|·•–—-]|::|»|«|›)\s|\s?\|\s?/gu;
/** Headings that many stories of a site share, in place of one of their own. */
const SHARED =
  /^(?:(?:our |all )?(?:customers?|case|success|client)(?: ?(?:stor(?:y|ies)|stud(?:y|ies)|success|spotlight|references?))?s?|testimonials?|resources?|blog|news|home|references?|portfolio|(?:kunden|anwender)?(?:referenz(?:en)?|berichte?|geschichten?)|erfolgsgeschichten?|fallstudien?|cas clients?|témoignages?|casos? de (?:éxito|estudio)|客户案例|案例|导入事例|導入事例|事例)$/i;

/** Whether a heading names the kind of page and nothing of this one. */
export const isShared = (heading: string): boolean => SHARED.test(heading.trim());

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** A title without the site's name at its end or its start. */
export function withoutSite(title: string, siteNames: readonly string[]): string {
  const names = siteNames.map(fold).filter((name) => name.length > 1);
  let rest = title.trim();
  for (let round = 0; round < 3; round++) {
    const parts = splitAt(rest);
    if (parts.length < 2) return rest;
    const last = parts.at(-1);
    const first = parts[0];
    if (last && (isShared(last.text) || isSite(last.text, names))) rest = rest.slice(0, last.from).trim();
    else if (first && parts[1] && isSite(first.text, names)) rest = rest.slice(parts[1].at).trim();
    else return rest;
  }
  return rest;
}

/** `at` is where a part starts, `from` where the separator before it does. */
function splitAt(title: string): { text: string; at: number; from: number }[] {
  const parts: { text: string; at: number; from: number }[] = [];
  let at = 0;
  let from = 0;
  for (const match of title.slice(0, 500).matchAll(SEPARATOR)) {
    parts.push({ text: title.slice(at, match.index), at, from });
    from = match.index;
    at = match.index + match[0].length;
  }
  parts.push({ text: title.slice(at), at, from });
  return parts;
}

function isSite(part: string, names: readonly string[]): boolean {
  const folded = fold(part);
  return (
    folded === "" ||
    names.some(
      (name) =>
        folded === name ||
        (folded.startsWith(name) && folded.length < name.length + 12 && !/\s(?:and|und|et|with|x|&)\s/i.test(part)),
    )
  );
}

/**
 * A page's own title: its heading, unless that names only the kind of page or the site; then the title that it gives
 * itself elsewhere. Null when there is none.
 */
export function chooseTitle(
  heading: string,
  others: readonly (string | null)[],
  siteNames: readonly string[],
): string | null {
  const own = withoutSite(heading, siteNames);
  // Behind a bar stands the site's name, even where the page tells it nowhere else.
  const stripped = others.flatMap((other) =>
    other === null ? [] : [withoutSite(other, siteNames).replace(/\s\|\s[^|]{1,30}$/, "")],
  );
  const names = siteNames.map(fold);
  const isOwn = (title: string) => /[\p{L}\p{N}]/u.test(title) && !isShared(title) && !names.includes(fold(title));
  const title = [own, ...stripped].find(isOwn) ?? [own, ...stripped].find((one) => one !== "");
  return title === undefined ? null : title.slice(0, 500).toWellFormed();
}
