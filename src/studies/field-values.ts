/** @returns the address as the URL standard writes it; null unless it is http(s), without credentials, at most 2,048 */
export function readAddress(text: string | null): string | null {
  if (text === null || text.length > 2_048) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.href.length <= 2_048 && url.hostname.includes(".") ? url.href : null;
}

/** A host name in ASCII without `www.`, from a name or an address; null for an IP address or a single label. */
export function readHost(text: string | null): string | null {
  if (text === null || text.length > 2_048) return null;
  const url = URL.parse(/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `http://${text}`);
  const host = url?.hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "") ?? "";
  const isName =
    host.length <= 253 && /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host);
  return isName ? host : null;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A day, from an ISO date or instant or a date with the month in English words. Null for anything else: `03/05/2024`
 * is two days, and a month alone is none.
 */
export function readDay(text: string | null): string | null {
  if (text === null) return null;
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:.{0,30})?$/.exec(text);
  if (iso) return day(iso[1], iso[2], iso[3]);
  const american = /^([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})$/i.exec(text);
  if (american) return day(american[3], monthOf(american[1]), american[2]);
  const european = /^(\d{1,2})(?:st|nd|rd|th)?\.?\s([a-z]{3,9})\.?,?\s(\d{4})$/i.exec(text);
  return european ? day(european[3], monthOf(european[2]), european[1]) : null;
}

const monthOf = (word = "") => String(MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1);

function day(year = "", month = "", date = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const time = new Date(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
  return isReal && year >= "1990" && year < "2100" ? text : null;
}

/** BCP 47 in its canonical form; null for what is no tag or says that the language is not known. */
export function readLanguage(text: string | null): string | null {
  if (text === null || text.length > 35) return null;
  try {
    const tag = Intl.getCanonicalLocales(text.replace(/_/g, "-"))[0] ?? null;
    return tag === null || /^(und|mul|zxx)\b/.test(tag) || !/^[a-z]{2,3}(-|$)/.test(tag) ? null : tag;
  } catch {
    return null;
  }
}

/** @returns reads an ISO 3166-1 alpha-2 code, or a country's English name, as the code */
export function createCountries(): (text: string | null) => string | null {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // Codes that the standard keeps for others (EU, UN) or that name no country (XA, ZZ).
    if (/^(Q[M-Z]|X[A-JL-Z]|ZZ|AA|E[UZ]|UN)$/.test(code)) continue;
    const canonical = Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(4);
    const name = names.of(code);
    if (name === undefined || canonical !== code) continue;
    codes.set(code.toLowerCase(), code);
    codes.set(name.toLowerCase(), code);
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) codes.set(name, code);
  return (text) =>
    codes.get(
      text
        ?.toLowerCase()
        .replace(/\./g, "")
        .replace(/^the\s/, "") ?? "",
    ) ?? null;
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: "US",
  "united states of america": "US",
  uk: "GB",
  "great britain": "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  uae: "AE",
  holland: "NL",
  "south korea": "KR",
  "republic of korea": "KR",
  "czech republic": "CZ",
  turkey: "TR",
  "hong kong": "HK",
  macau: "MO",
};
