/** Names and abbreviations of the months, in the languages that most case studies are written in. */
const MONTHS = [
  "january jan januar jänner janvier janv enero ene gennaio gen januari janeiro styczeń stycznia tammikuuta января",
  "february feb februar février févr febrero febbraio februari fevereiro fev luty lutego helmikuuta февраля",
  "march mar märz mrz mär mars marzo maart mrt março marzec marca maaliskuuta марта",
  "april apr avril avr abril abr aprile kwiecień kwietnia huhtikuuta апреля",
  "may mai mayo maggio mag mei maio maj maja toukokuuta мая",
  "june jun juni juin junio giugno giu junho czerwiec czerwca kesäkuuta июня",
  "july jul juli juillet juil julio luglio lug julho lipiec lipca heinäkuuta июля",
  "august aug août agosto ago augustus augusti sierpień sierpnia elokuuta августа",
  "september sep sept septembre septiembre settembre set setembro wrzesień września syyskuuta сентября",
  "october oct oktober okt octobre octubre ottobre ott outubro out październik października lokakuuta октября",
  "november nov novembre noviembre novembro listopad listopada marraskuuta ноября",
  "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia joulukuuta декабря",
];
const MONTH_OF = new Map(MONTHS.flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)));

const PATTERNS: readonly { readonly pattern: RegExp; read(parts: readonly string[]): (number | undefined)[] }[] = [
  // 2024-03-05, 2024/3/5, 2024.03.05, 2024年3月5日
  {
    pattern: /(?<![\d.,/-])((?:19|20)\d\d)\s?(?:[-/.]|年)\s?(\d{1,2})\s?(?:[-/.]|月)\s?(\d{1,2})(?!\d|[./-]\d)/u,
    read: ([year, month, day]) => [Number(year), Number(month), Number(day)],
  },
  // 2024년 3월 5일
  {
    pattern: /((?:19|20)\d\d)년\s?(\d{1,2})월\s?(\d{1,2})일/u,
    read: ([year, month, day]) => [Number(year), Number(month), Number(day)],
  },
  // March 5, 2024; Mar. 5th 2024
  {
    pattern: /(?<!\p{L})(\p{L}{3,12})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s((?:19|20)\d\d)(?!\d)/u,
    read: ([month, day, year]) => [Number(year), MONTH_OF.get(month?.toLowerCase() ?? ""), Number(day)],
  },
  // 5 March 2024; 5. März 2024; 5 de marzo de 2024; 1er mars 2024; 05-Mar-2024
  {
    pattern:
      /(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-](?:of\s|de\s)?(\p{L}{3,12})\.?,?[\s-](?:de\s|del\s)?((?:19|20)\d\d)(?!\d)/u,
    read: ([day, month, year]) => [Number(year), MONTH_OF.get(month?.toLowerCase() ?? ""), Number(day)],
  },
  // 25.03.2024: every language that writes dots puts the day first
  {
    pattern: /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)(?![\d])/u,
    read: ([day, month, year]) => [Number(year), Number(month), Number(day)],
  },
  // 25/03/2024 and 03/25/2024; 05/03/2024 is ambiguous and refused
  {
    pattern: /(?<![\d/-])(\d{1,2})[/-](\d{1,2})[/-]((?:19|20)\d\d)(?!\d|[/-]\d)/u,
    read: ([first, second, year]) => {
      const [a, b] = [Number(first), Number(second)];
      if (a === b || (a > 12 && b <= 12)) return [Number(year), b, a];
      return b > 12 && a <= 12 ? [Number(year), a, b] : [undefined];
    },
  },
];

export interface WrittenDate {
  /** ISO date. */
  readonly day: string;
  /** The part of the text that states it. */
  readonly text: string;
}

/** The first date in a short text as people write it. A date whose day and month are ambiguous does not count. */
export function findWrittenDate(text: string): WrittenDate | undefined {
  const short = text.slice(0, 300);
  if (!/(?:19|20)\d\d/.test(short)) return undefined;
  for (const { pattern, read } of PATTERNS) {
    const match = pattern.exec(short);
    if (!match) continue;
    const [year, month, date] = read(match.slice(1).map(String));
    const day = isoDay(year, month, date);
    if (day !== undefined) return { day, text: match[0] };
  }
  return undefined;
}

/** The day of a date as machines write it (ISO 8601, `20240305`, an HTTP header) or as people do. */
export function parseDate(value: string): string | undefined {
  const text = value.trim().slice(0, 80);
  const [, year, month, day] = /^((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?:$|[T\s])/.exec(text) ?? [];
  if (year !== undefined) return isoDay(Number(year), Number(month), Number(day));
  return findWrittenDate(text)?.day;
}

/** `YYYY-MM-DD`; undefined for a day that no calendar has, and for a year that no web page was written in. */
export function isoDay(
  year: number | undefined,
  month: number | undefined,
  day: number | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (!(year >= 1995 && year <= 2099 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The ISO 8601 UTC instant of a date in any notation that the runtime reads, such as an HTTP header's. */
export function parseInstant(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The ISO 8601 UTC instant of an ISO 8601 day or an instant with its zone; undefined for anything else. */
export function parseIsoInstant(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return undefined;
  // The runtime would read 30 February as a day in March.
  const day = text.slice(0, 10);
  return parseInstant(`${day}T00:00:00Z`)?.startsWith(day) ? parseInstant(text) : undefined;
}
