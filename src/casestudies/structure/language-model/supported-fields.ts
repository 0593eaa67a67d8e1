import { readDay, readHost, readLanguage } from "../../fields.ts";
import type { ParseContext } from "../../record.ts";
import { splitSentences } from "../../text/markdown.ts";
import type { Outcome, PageText, Provenance, Quote, StudyFields, Vendor } from "../../types.ts";
import type { ClaimedOutcome, Claims } from "./answer-schema.ts";
import {
  figuresIn,
  fold,
  givesOrders,
  isOneOf,
  type PageGrounds,
  unitIn,
  wordsOf,
  writtenFiguresIn,
} from "./grounding.ts";

/** Share of a text's longer words that the page must know in some form. */
const LEAST_SHARE = 0.5;
const LONG_WORD = 5;
const STEM = 5;

const TIMES = /^(doubl|tripl|quadrupl|halv|(two|three|four|five|six|ten)fold)/;

/** Words that open a sentence without being a name, in the languages that most pages are in. */
const OPENERS = new Set(
  `a an the this that these those they their it its he she we our his her there in on at by to for from with without
  within before after when while as since once because although though despite during through throughout using thanks
  following facing needing seeking wanting having being to both each all many most some several more however moreover
  additionally previously initially originally today now then later finally also and but or so if under over among
  between instead rather due given each every any such certain other another one two three until where which who what how not no only even based results result
  der die das den dem ein eine einer einem um im in mit bei nach vor durch dank für als sie er es wir zu zur zum auf aus
  le la les un une des du de en avec pour par dans grâce après avant il elle ils elles ce cette ces
  el los las uno una con por para tras antes gracias se su sus`
    .split(/\s+/)
    .map(fold),
);

/**
 * Why the page does not carry a text that a model wrote about it; null when it does. A figure, a name or an address that
 * the page does not hold is invented, whatever else is right.
 */
function unsupported(text: string, grounds: PageGrounds): string | null {
  if (givesOrders(text)) return "it gives orders";
  const folded = fold(text);
  const address = text.match(
    /\S{1,200}@\S{1,200}|https?:\S{1,500}|\b[\w-]{1,60}\.(?:com|net|org|io|co|dev|example)\b/i,
  )?.[0];
  if (address !== undefined && grounds.find(address) === undefined)
    return "it names an address that is not on the page";
  const figure = figuresIn(text).find((readings) => !readings.some((value) => isOneOf(value, grounds.figures)));
  if (figure !== undefined) return "it tells a figure that is not on the page";
  const times = wordsOf(folded).find((word) => TIMES.test(word) && !isTold(word, grounds));
  if (times !== undefined) return "it tells a multiple that is not on the page";
  const stems = stemsOf(grounds.words);
  if (namesAnother(text, grounds.words, stems)) return "it names what is not on the page";
  const long = wordsOf(folded).filter((word) => word.length >= LONG_WORD);
  const known = long.filter((word) => stems.has(word.slice(0, STEM)));
  return known.length >= long.length * LEAST_SHARE ? null : "most of its words are not on the page";
}

/** "Doubled" is told by the word itself or by a figure that means it. */
function isTold(word: string, { words, figures }: PageGrounds): boolean {
  const stem = word.slice(0, STEM);
  return (
    [...words].some((known) => known.startsWith(stem)) || writtenFiguresIn(word).some((value) => figures.has(value))
  );
}

/** Whether a word is written large that the page does not hold; one that opens a sentence may have another ending. */
function namesAnother(text: string, known: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  return splitSentences(text).some((sentence) => {
    const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.&+-]{0,60}/gu) ?? [];
    return words.some((word, at) => {
      if (!/^\p{Lu}/u.test(word) || isKnown(word, known)) return false;
      const folded = fold(word);
      return at > 0 || !(OPENERS.has(folded) || (folded.length >= LONG_WORD && stems.has(folded.slice(0, STEM))));
    });
  });
}

/** Known as it stands, or but for the ending of a possessive or a plural; a compound by its parts. */
function isKnown(word: string, known: ReadonlySet<string>): boolean {
  const bare = word.replace(/['’]s?$/u, "");
  return wordsOf(fold(bare)).every(
    (part) => known.has(part) || known.has(part.replace(/e?s$/, "")) || known.has(`${part}s`),
  );
}

const stemsOf = (words: ReadonlySet<string>): Set<string> =>
  new Set([...words].flatMap((word) => (word.length >= LONG_WORD ? word.slice(0, STEM) : [])));

/** Every number that a sentence may tell, in digits or in words. */
const numbersOf = (sentence: string): number[] => [...figuresIn(sentence).flat(), ...writtenFiguresIn(fold(sentence))];

/** What is left of a model's claims once the page was asked. An absent field is one that the page does not carry. */
export interface Supported {
  readonly fields: Partial<Omit<StudyFields, "client" | "title">> & {
    readonly client?: string;
    readonly domain?: string;
  };
  readonly provenance: readonly Provenance[];
  /** What was left out and why, each a clause without the model's words. */
  readonly leftOut: readonly string[];
}

export type FieldTools = Pick<ParseContext, "industries" | "metrics" | "countries">;

interface Context {
  readonly page: PageText;
  readonly vendor: Vendor;
  readonly grounds: PageGrounds;
  readonly tools: FieldTools;
  /** The client by our own reading. */
  readonly localClient: string | null;
}

/** How sure a field is: copied from the page, told by its words, or the model's own reading of the whole. */
const COPIED = 0.9;
const TOLD = 0.8;
const READ = 0.7;
const MAX_OUTCOMES = 20;
const MAX_QUOTE = 1_500;
const LEAST_QUOTE_WORDS = 4;

export function supportedFields(claims: Claims, context: Context): Supported {
  const { grounds, tools } = context;
  const provenance: Provenance[] = [];
  const leftOut: string[] = [];
  const note = (pointer: string, sentence: string | null, confidence: number) =>
    provenance.push({ pointer, engine: "language-model", sentence, confidence });

  const client = claims.client.name === null ? null : clientIn(claims.client.name, context);
  if (client !== null) note("/client/name", grounds.sentenceOf(client) ?? null, COPIED);
  else if (claims.client.name !== null) leftOut.push("the client, whom the page does not name so");
  const domain = client === null ? null : domainIn(claims.client.domain, context);
  if (domain !== null) note("/client/domain", null, COPIED);

  const industry = claims.industry !== null && tools.industries.names.has(claims.industry) ? claims.industry : null;
  if (industry !== null) note("/industry", null, READ);
  const country = claims.country.words === null ? null : tools.countries(claims.country.code);
  const countryWords = country === null ? undefined : grounds.find(claims.country.words ?? "");
  if (countryWords !== undefined) note("/country", grounds.sentenceOf(countryWords) ?? countryWords, TOLD);

  const prose = (name: "summary" | "challenge" | "solution"): { [N in typeof name]?: string } => {
    const text = claims[name];
    if (text === null) return {};
    const fault = unsupported(text, grounds);
    if (fault !== null) {
      leftOut.push(`the ${name}, as ${fault}`);
      return {};
    }
    note(`/${name}`, null, READ);
    return { [name]: text };
  };

  const outcomes = distinct(claims.outcomes.flatMap((claim) => outcomeIn(claim, context) ?? [])).slice(0, MAX_OUTCOMES);
  for (const [at, { text }] of outcomes.entries()) note(`/outcomes/${at}`, text, COPIED);
  const invented = claims.outcomes.length - outcomes.length;
  if (invented > 0) leftOut.push(`${invented} of ${claims.outcomes.length} outcomes, which the page does not state so`);

  const quote = quoteIn(claims.quote, grounds);
  if (quote !== null) note("/quote", quote.text, COPIED);
  else if (claims.quote.text !== null) leftOut.push("the quotation, which is not on the page");

  const products = namesOn(claims.products, grounds);
  const named = namesOn(claims.tools, grounds);
  if (products.length > 0) note("/products", null, COPIED);
  if (named.length > 0) note("/tools", null, COPIED);
  const day = dayIn(claims.published_at, grounds);
  if (day !== null) note("/published_at", null, READ);
  const language = readLanguage(claims.language);
  if (language !== null) note("/language", null, READ);

  return {
    fields: {
      ...(client === null ? {} : { client }),
      ...(domain === null ? {} : { domain }),
      ...(industry === null ? {} : { industry }),
      ...(countryWords === undefined ? {} : { country }),
      ...prose("summary"),
      ...prose("challenge"),
      ...prose("solution"),
      ...(outcomes.length === 0 ? {} : { outcomes }),
      ...(products.length === 0 ? {} : { products }),
      ...(named.length === 0 ? {} : { tools: named }),
      ...(quote === null ? {} : { quote }),
      ...(day === null ? {} : { published_at: day }),
      ...(language === null ? {} : { language }),
    },
    provenance,
    leftOut,
  };
}

/**
 * A name that the page gives weight: in its title, a heading, a label or a logo, or at least twice in the story. One
 * mention in passing may be anybody, unless our own reading came to the same name.
 */
function clientIn(name: string, { page, vendor, grounds, localClient }: Context): string | null {
  const folded = fold(name);
  const own = [vendor.name, vendor.slug, page.site_name ?? "", vendor.domain ?? ""].map(fold);
  if (folded.length < 2 || name.length > 100 || own.includes(folded)) return null;
  const found = grounds.find(name);
  if (found === undefined) return null;
  const isName = /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(found) || grounds.isProminent(name);
  const hasWeight =
    grounds.isProminent(name) || grounds.mentions(name) >= 2 || (localClient !== null && fold(localClient) === folded);
  if (!isName || !hasWeight) return null;
  // A heading in capitals is not how the name is written elsewhere.
  return grounds.story.some(({ text }) => text.includes(name)) || grounds.facts.some((fact) => fact.includes(name))
    ? name
    : found;
}

function domainIn(claimed: string | null, { page, vendor, grounds }: Context): string | null {
  const host = readHost(claimed);
  if (host === null || host === readHost(vendor.domain) || host === readHost(page.url)) return null;
  const isLinked = page.links.some(({ href }) => readHost(href) === host);
  return isLinked || grounds.find(host) !== undefined ? host : null;
}

/** The page's own sentence, when it holds the figure and its unit. */
function outcomeIn(claim: ClaimedOutcome, { grounds, tools }: Context): Outcome | undefined {
  if (claim.sentence === null || claim.value === null) return undefined;
  const sentence = grounds.sentenceOf(claim.sentence);
  if (sentence === undefined || !isOneOf(claim.value, numbersOf(sentence))) return undefined;
  const unit = unitIn(tools.metrics.normaliseUnit(claim.unit), sentence);
  if (unit === undefined) return undefined;
  const isKnown = claim.metric !== null && tools.metrics.names.has(claim.metric);
  const metric = isKnown ? claim.metric : tools.metrics.resolveMetric(null, sentence);
  const direction = claim.direction === "increase" || claim.direction === "decrease" ? claim.direction : "absolute";
  return { metric: metric ?? "other", value: Math.abs(claim.value), unit, direction, text: sentence };
}

function distinct(outcomes: readonly Outcome[]): Outcome[] {
  const seen = new Set<string>();
  return outcomes.filter(({ value, unit, text }) => {
    const key = JSON.stringify([value, unit, text]);
    return !seen.has(key) && seen.add(key);
  });
}

function quoteIn(claim: Claims["quote"], grounds: PageGrounds): Quote | null {
  const text = claim.text === null || claim.text.length > MAX_QUOTE ? undefined : grounds.find(claim.text);
  if (text === undefined || text.split(" ").length < LEAST_QUOTE_WORDS) return null;
  const person = claim.person === null ? undefined : grounds.find(claim.person);
  const role = claim.role === null || person === undefined ? undefined : grounds.find(claim.role);
  return { text, person: person ?? null, role: role ?? null };
}

const namesOn = (names: readonly string[], grounds: PageGrounds): string[] => [
  ...new Map(names.flatMap((name) => grounds.find(name) ?? []).map((name) => [fold(name), name])).values(),
];

/** The year and the day must stand on the page; how it writes the month is its own affair. */
function dayIn(claimed: string | null, grounds: PageGrounds): string | null {
  const day = readDay(claimed);
  const [year = "", , date = ""] = day?.split("-") ?? [];
  return day !== null && grounds.figures.has(Number(year)) && grounds.figures.has(Number(date)) ? day : null;
}
