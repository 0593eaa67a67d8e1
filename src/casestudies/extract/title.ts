const SEPARATOR = /\s(?:[|·•–—-]|::|»|«|›)\s|\s?\|\s?/gu;
/** Headings that name the kind of page, and that many pages of a site share. */
const GENERIC =
  /^(?:(?:our |all )?(?:customers?|case|success|client)(?: ?(?:stor(?:y|ies)|stud(?:y|ies)|success|spotlight|references?))?s?|testimonials?|resources?|blog|news|home|references?|portfolio|(?:kunden|anwender)?(?:referenz(?:en)?|berichte?|geschichten?)|erfolgsgeschichten?|fallstudien?|cas clients?|témoignages?|casos? de (?:éxito|estudio)|客户案例|案例|导入事例|導入事例|事例)$/i;

/** Whether a heading names only the kind of page. */
export const isGeneric = (heading: string): boolean => GENERIC.test(heading.trim());

/** Letters and digits in lower case: equal for two spellings of one title. */
export const normaliseTitle = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** A title without the site's name, or the kind of page, at its end or start. */
export function withoutSiteName(title: string, siteNames: readonly string[]): string {
  const names = siteNames.map(normaliseTitle).filter((name) => name.length > 1);
  let rest = title.trim();
  for (let removed = 0; removed < 3; removed++) {
    const parts = splitAt(rest);
    if (parts.length < 2) return rest;
    const last = parts.at(-1);
    const first = parts[0];
    if (last && (isGeneric(last.text) || isSite(last.text, names))) rest = rest.slice(0, last.from).trim();
    else if (first && parts[1] && isSite(first.text, names)) rest = rest.slice(parts[1].at).trim();
    else return rest;
  }
  return rest;
}

/** Parts between separators: `at` is the offset of a part, `from` that of the separator before it. */
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
  const name = normaliseTitle(part);
  return (
    name === "" ||
    names.some(
      (site) =>
        name === site ||
        // `Routely Blog` names the site, `Routely and Alder` does not.
        (name.startsWith(site) && name.length < site.length + 12 && !/\s(?:and|und|et|with|x|&)\s/i.test(part)),
    )
  );
}

/**
 * The title of a page: its heading, unless that names only the kind of page or the site, and else the first of `others`
 * that does not. Null when there is none.
 *
 * @param others titles from its head
 */
export function chooseTitle(
  heading: string,
  others: readonly (string | null)[],
  siteNames: readonly string[],
): string | null {
  const headingTitle = withoutSiteName(heading, siteNames);
  // The part after a bar is the site's name, even if the page gives that name nowhere else.
  const stripped = others.flatMap((other) =>
    other === null ? [] : [withoutSiteName(other, siteNames).replace(/\s\|\s[^|]{1,30}$/, "")],
  );
  const names = siteNames.map(normaliseTitle);
  const isOwn = (title: string) =>
    /[\p{L}\p{N}]/u.test(title) && !isGeneric(title) && !names.includes(normaliseTitle(title));
  const title = [headingTitle, ...stripped].find(isOwn) ?? [headingTitle, ...stripped].find((one) => one !== "");
  return title === undefined ? null : title.slice(0, 500).toWellFormed();
}
