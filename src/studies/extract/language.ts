/** Languages that their script alone gives away. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["th", /\p{Script=Thai}/gu],
];
const SAMPLE = 3_000;

/**
 * The language of a page: what it says, in the order given, unless the script of its text says otherwise (a template's
 * `lang="en"` around Chinese text). Null when nothing tells it.
 *
 * @param claims language tags, `en_US` too
 */
export function chooseLanguage(claims: readonly (string | null)[], text: string): string | null {
  const claimed = claims.map(readTag).find((tag) => tag !== null) ?? null;
  const written = languageOfScript(text.slice(0, SAMPLE));
  if (written === null) return claimed;
  return claimed !== null && (claimed.split("-")[0] === written || /^(?:ja|yue|wuu|yi|zh)/.test(claimed))
    ? claimed
    : written;
}

function readTag(claim: string | null): string | null {
  const tag = claim?.split(",")[0]?.trim().replaceAll("_", "-").slice(0, 35) ?? "";
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,4}$/i.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

function languageOfScript(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return null;
  for (const [language, pattern] of SCRIPTS) {
    const share = (text.match(pattern)?.length ?? 0) / letters;
    if (share > (language === "ja" ? 0.15 : 0.4)) return language;
  }
  return null;
}
