const DATE_PARTS = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
const DAY = new Intl.DateTimeFormat("en-GB", DATE_PARTS);
const DAY_OF_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", { ...DATE_PARTS, hour: "2-digit", minute: "2-digit" });
const MOMENT = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});
const NUMBER = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });
const REGIONS = new Intl.DisplayNames("en-GB", { type: "region" });
const LANGUAGES = new Intl.DisplayNames("en-GB", { type: "language" });

/** `5 Mar 2024`. */
export const formatDay = (iso: string): string => DAY.format(new Date(iso));
/** `5 Mar`. */
export const formatDayOfYear = (iso: string): string => DAY_OF_YEAR.format(new Date(iso));
/** `Sep 2026`: shorter than `Sept 2026`, and the year is written in full because "Sep 26" reads as a day. */
export const formatMonth = (at: number): string => {
  const date = new Date(at);
  return `${MONTH.format(date).slice(0, 3)} ${date.getUTCFullYear()}`;
};
/** `5 Mar 2024, 09:00 UTC`. */
export const formatTime = (iso: string): string => `${TIME.format(new Date(iso))} UTC`;
/** `5 Mar, 09:00`, in UTC; with the year where it is another one. For the tables of the operator, whose pages name the zone once. */
export const formatMoment = (iso: string): string => {
  const at = new Date(iso);
  return (at.getUTCFullYear() === new Date().getUTCFullYear() ? MOMENT : TIME).format(at);
};
export const formatNumber = (value: number): string => NUMBER.format(value);
export const formatPercent = (share: number): string => `${Math.round(share * 100)}%`;
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;

/** `1 tool`, `2 tools`. */
export const pluralise = (count: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`;

export const countStudies = (count: number): string => pluralise(count, "case study", "case studies");

/** `certificate-logs` → `Certificate logs`, `mail-dns` → `Mail DNS`. */
export function humanise(id: string): string {
  const words = id.replace(/[-_]+/g, " ").replace(/\b(?:dns|dkim|spf|mx)\b/g, (name) => name.toUpperCase());
  return capitalised(words);
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const countryName = (code: string): string => displayName(REGIONS, code);
export const languageName = (tag: string): string => displayName(LANGUAGES, tag);

function displayName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** `3 days`, `5 hours`, `40 seconds`. */
export function formatSpan(seconds: number): string {
  if (seconds >= 172_800) return pluralise(Math.round(seconds / 86_400), "day");
  if (seconds >= 7_200) return pluralise(Math.round(seconds / 3_600), "hour");
  if (seconds >= 120) return pluralise(Math.round(seconds / 60), "minute");
  return pluralise(Math.max(1, Math.round(seconds)), "second");
}
