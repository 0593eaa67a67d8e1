/** `9%`, `$1.2M`, `3 weeks`, as a sentence writes it. */
const LEVEL =
  "[$€£¥₹]?\\d[\\d.,]{0,15}(?:\\s?%|\\s?(?:per ?cent|[kmb]n?|thousand|million|billion|(?:milli)?seconds?|secs?|ms|minutes?|mins?|hours?|days?|weeks?|months?|years?)\\b)?";
const ABOUT = "(?:(?:about|around|roughly|nearly|almost|over|under|just|only|less than|more than|up|down)\\s){0,2}";
const FROM_TO = new RegExp(`\\bfrom\\s${ABOUT}(${LEVEL})\\s${ABOUT}to\\s${ABOUT}(${LEVEL})`, "gi");
const SCALES: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 };

/**
 * `9 % → 4 %` for a value that its sentence tells as a level which was reached: a decrease by 4 % it is not. As the
 * sentence writes both; null when it tells none of this value.
 */
export function levelsOf(value: number, text: string): string | null {
  const told = [...text.matchAll(FROM_TO)].find(([, , to = ""]) => isValue(to, value));
  return told ? `${written(told[1])} → ${written(told[2])}` : null;
}

function isValue(level: string, value: number): boolean {
  const [, digits = "", scale = ""] = /([\d.,]*\d)\s?(thousand|[kmb](?:n|illion)?)?\b/i.exec(level) ?? [];
  const number = Number(digits.replaceAll(",", ""));
  return number === value || number * (SCALES[scale.charAt(0).toLowerCase()] ?? 1) === value;
}

const written = (level = "") => level.replace(/\s?%/, " %").replace(/[.,]$/, "");
