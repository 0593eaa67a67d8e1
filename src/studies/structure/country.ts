import type { PageText } from "../../vocabulary/page.ts";
import { ORGANISATION } from "./client/lexicon.ts";
import type { KnownClient } from "./industry.ts";
import { labelledValues } from "./labelled.ts";
import type { Places } from "./places.ts";
import type { StorySentence } from "./story.ts";

export interface FoundCountry {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number;
}

const LABEL = /^(?:location|locations|headquarters?|hq|head office|based in|country|city|region)$/i;
const MAX_SENTENCES = 120;
const EARLY = 30;
const OPENING = 3;
const MAX_SENTENCE = 1_500;

/** "headquartered in Munich, Germany": what follows is read as a list of places, the smallest first. */
const SEATED =
  /\b(?:[Bb]ased|[Hh]eadquartered|[Hh]eadquarters(?: (?:is|are))?(?: located)?|[Hh]ead office(?: is)?(?: located)?|[Ll]ocated|[Ff]ounded|[Ee]stablished|offices?|compan(?:y|ies)|firms?|start-?ups?|agency|banks?|retailers?|organi[sz]ations?|platform|services?|institutions?|university|insurers?|providers?|groups?|chain|manufacturers?|hospitals?|marketplace|portal|operators?|[Bb]orn|out) (?:out of|in|within|at|from) (?:(?:the )?(?:\p{Ll}{2,12} )?city of )?(?=(?:the )?\p{Lu})/gu;
/** Words before "in" that tell a seat only with the client beside them. */
const WEAK_SEAT = /^(?!based|head)/i;
const BASED = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}.]{1,20}(?: \p{Lu}\p{L}{1,20}){0,2})-based\b/gu;
const OWNED =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}.]{1,20}(?: \p{Lu}\p{L}{1,20}){0,2})['’]s? (?:own |very )?(?:\w{2,12}[- ])?(?:largest|leading|biggest|oldest|first|number one|no\. ?1|top|premier|most|main|national|favou?rite|fastest[- ]growing|only|foremost)\b/gu;
const LARGEST_IN =
  /\b(?:largest|leading|biggest|oldest|premier|top|most popular|number one|market leader) (?:[\p{Ll}-]{2,20} ){0,6}(?:in|within) (?=(?:the )?\p{Lu})/gu;
const PEOPLE = /(?<![\p{L}\p{N}])(\p{Lu}\p{Ll}{3,12}|U\.S\.|US|U\.K\.|UK)(?=[ -]\p{Ll})/gu;
const SELF =
  /\b(?:we are|we['’]re|our (?:company|firm|client|customer|bank|organi[sz]ation)|my (?:company|firm|employer|university)|i work|i am|i['’]m|the (?:\p{L}{2,20} )?(?:company|firm|client|organi[sz]ation|startup)|this (?:\w{2,20} ){0,3}(?:company|firm|bank|start-?up|client|organi[sz]ation|project|insurer|retailer|developer|consultant|consultancy|institution|student|engineer))\b|^(?:It|Its|They|Their)\b/iu;

interface Witness {
  readonly code: string;
  readonly weight: number;
  readonly sentence: string;
}

/** The country of the client's seat, as the page states it; null where it states none, or more than one. */
export function findCountry(
  page: PageText,
  story: readonly StorySentence[],
  client: KnownClient | null,
  places: Places,
): FoundCountry | null {
  const labelled = labelledCountry(page, story, places);
  if (labelled) return labelled;
  const witnesses: Witness[] = [];
  let body = 0;
  for (const { text, place } of story) {
    if (place === "heading") continue;
    if (place === "body") body += 1;
    if (body > MAX_SENTENCES) break;
    const sentence = text.slice(0, MAX_SENTENCE);
    const isNamed = client?.forms.some((form) => sentence.includes(form)) ?? false;
    const isAbout = isNamed || SELF.test(sentence);
    const isEarly = place !== "body" || body <= EARLY;
    // Far into a story, and of nobody in particular, a place is anyone's.
    const nearness = isNamed ? 1 : isAbout || place !== "body" ? 0.8 : body <= OPENING ? 0.65 : isEarly ? 0.5 : 0;
    if (nearness === 0) continue;
    for (const { code, weight } of seatsIn(sentence, places))
      witnesses.push({ code, weight: weight * nearness, sentence: text });
  }
  return judged(witnesses);
}

/** Weights are guesses: how often such a phrase tells the seat of whoever the sentence is about. */
function* seatsIn(text: string, places: Places): Generator<{ readonly code: string; readonly weight: number }> {
  for (const found of text.matchAll(SEATED)) {
    const code = leadingPlace(text.slice(found.index + found[0].length), places);
    if (code !== undefined)
      yield { code, weight: /^offices?/i.test(found[0]) ? 0.4 : WEAK_SEAT.test(found[0]) ? 0.6 : 0.95 };
  }
  for (const [, place = ""] of text.matchAll(BASED)) {
    const code = lastPlace(place, places) ?? places.countryOfPeople(place);
    if (code !== undefined) yield { code, weight: 0.9 };
  }
  for (const [, place = ""] of text.matchAll(OWNED)) {
    const code = lastPlace(place, places);
    if (code !== undefined) yield { code, weight: 0.85 };
  }
  for (const found of text.matchAll(LARGEST_IN)) {
    const code = leadingPlace(text.slice(found.index + found[0].length), places);
    if (code !== undefined) yield { code, weight: 0.7 };
  }
  for (const found of text.matchAll(PEOPLE)) {
    const word = found[1] ?? "";
    const code = places.countryOfPeople(word) ?? (/^U/.test(word) ? places.countryOf(word) : undefined);
    if (code === undefined) continue;
    const after =
      text.slice(found.index + found[0].length, found.index + found[0].length + 70).split(/[.;,:()]/, 1)[0] ?? "";
    const words = after.trim().split(/\s+/).slice(0, 5);
    if (
      words.some((word) => ORGANISATION.test(word)) &&
      !/^(?:market|customers?|users?|language|government|people|version|translation)/i.test(words[0] ?? "")
    )
      yield { code, weight: 0.75 };
  }
}

/** "Munich, Germany and …": the country where it stands, else the city's. */
function leadingPlace(text: string, places: Places): string | undefined {
  const run =
    /^(?:the )?(\p{Lu}[\p{L}.'’-]{0,25}(?: (?:of |de |and )?\p{Lu}[\p{L}.'’-]{0,25}){0,3})(?:, (\p{Lu}[\p{L}.'’-]{0,25}(?: \p{Lu}[\p{L}.'’-]{0,25}){0,2}))?(?:, (\p{Lu}[\p{L}.'’-]{0,25}(?: \p{Lu}[\p{L}.'’-]{0,25}){0,2}))?/u.exec(
      text,
    );
  if (!run) return undefined;
  const [, first = "", second = "", third = ""] = run;
  const of = (name: string) => (name === "" ? undefined : placeOf(name, places));
  return (
    of(third) ?? of(second) ?? (second ? of(`${first}, ${second}`) : undefined) ?? of(first) ?? lastPlace(first, places)
  );
}

const placeOf = (name: string, places: Places) =>
  places.countryOf(name.replace(/['’]s?$/, "").replace(/\.$/, "")) ?? places.countryOf(name);

/** "Today Germany": the words at the end that are a place. */
function lastPlace(run: string, places: Places): string | undefined {
  const words = run.split(" ");
  for (let at = 0; at < words.length; at++) {
    const code = placeOf(words.slice(at).join(" "), places);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The country that most speaks for; null when another is spoken for nearly as much. */
function judged(witnesses: readonly Witness[]): FoundCountry | null {
  const doubts = new Map<string, number>();
  for (const { code, weight } of witnesses) doubts.set(code, (doubts.get(code) ?? 1) * (1 - weight));
  const ranked = [...doubts].map(([code, doubt]) => ({ code, chance: 1 - doubt })).sort((a, b) => b.chance - a.chance);
  const [first, second] = ranked;
  if (first === undefined || first.chance < TOLD || (second !== undefined && second.chance > first.chance - 0.2))
    return null;
  const told = witnesses
    .filter(({ code }) => code === first.code)
    .reduce((best, one) => (one.weight > best.weight ? one : best));
  return { code: first.code, sentence: told.sentence, confidence: Math.min(0.95, first.chance) };
}

const TOLD = 0.55;

function labelledCountry(page: PageText, story: readonly StorySentence[], places: Places): FoundCountry | null {
  for (const { name, value, text } of labelledValues(page, story)) {
    if (!LABEL.test(name)) continue;
    const pieces = value.split(/[,;/|]/).map((piece) => piece.trim());
    const codes = new Set(pieces.flatMap((piece) => places.countryOf(piece) ?? []));
    const last = places.countryOf(pieces.at(-1) ?? "");
    const code = last ?? (codes.size === 1 ? [...codes][0] : undefined);
    if (code !== undefined && !(codes.size > 1 && pieces.length > 2)) return { code, sentence: text, confidence: 0.95 };
  }
  return null;
}
