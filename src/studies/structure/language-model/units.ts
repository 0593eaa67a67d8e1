import { fold } from "./folded-text.ts";

/** How a sentence shows units that change what a figure means, folded. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  "%": /%|\bper ?cent|\bpercentage|\bpct\b|\bprozent|\bpour ?cent|\bpor ?ciento|\bper ?cento|процент|パーセント|百分/,
  x: /\dx\b|×|\btimes\b|\bfold\b|fold\b|\bdoubl|\btripl|\bquadrupl|\btwice\b|\bmal\b|\bfois\b|\bveces\b|\bhalv|\bhalf\b|倍/,
  USD: /\$|\busd\b|\bdollar/,
  EUR: /€|\beur\b|\beuro/,
  GBP: /£|\bgbp\b|\bpound|\bsterling/,
  JPY: /¥|\bjpy\b|\byen\b|円/,
  INR: /₹|\binr\b|\brupee|\blakh|\bcrore/,
};
const STEM = 4;

/**
 * The unit when the sentence shows it; null when it is a count or cannot be told; undefined when the sentence must show
 * it and does not, as 40 hours are not 40 %.
 */
export function unitIn(unit: string | null, sentence: string): string | null | undefined {
  if (unit === null) return null;
  const folded = fold(sentence);
  const shown = SHOWN[unit];
  if (shown) return shown.test(folded) ? unit : undefined;
  const isCurrency = /^[A-Z]{3}$/.test(unit);
  if (isCurrency) return folded.includes(unit.toLowerCase()) ? unit : undefined;
  return folded.includes(fold(unit).slice(0, STEM)) || ABBREVIATED[unit]?.test(folded) ? unit : null;
}

const ABBREVIATED: Readonly<Record<string, RegExp>> = {
  milliseconds: /\dms\b|\bms\b/,
  seconds: /\ds\b|\bsecs?\b/,
  minutes: /\dm\b|\bmins?\b/,
  hours: /\dh\b|\bhrs?\b|\bstunden?\b|\bheures?\b|\bhoras?\b/,
  days: /\dd\b|\btage?n?\b|\bjours?\b|\bdias?\b|\bday\b/,
  weeks: /\bwochen?\b|\bsemaines?\b|\bsemanas?\b|\bwk\b/,
  months: /\bmonaten?\b|\bmois\b|\bmeses\b/,
  years: /\bjahren?\b|\bans\b|\bannees?\b|\banos?\b|\byr\b/,
};
