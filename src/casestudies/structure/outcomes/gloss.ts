import { wordSet } from "../word-lists.ts";
import type { Token } from "./tokens.ts";

/**
 * Reads statements of German, French and Spanish with the grammar of English: words of change, numbers, units and
 * prepositions get their English form, and all others stay, so that nouns are in the words of the page.
 */

interface Language {
  /** Words that few other languages have. */
  readonly marks: ReadonlySet<string>;
  readonly words: ReadonlyMap<string, string>;
  /** Prepositions before a figure: of a change by it, from it if another figure with `to` follows, and to it. */
  readonly by: ReadonlySet<string>;
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
}

/** "english word word; english word": each word with the English form before it. */
const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(";").flatMap((group) => {
      const [english = "", ...words] = group.trim().split(/\s+/);
      return words.map((word) => [word, english] as const);
    }),
  );

const LANGUAGES: readonly Language[] = [
  {
    marks: wordSet("der die das den dem des und von auf um wurde wurden mit ist sind für eine einen wir nicht werden"),
    by: wordSet("um"),
    from: wordSet("von"),
    to: wordSet("auf"),
    words:
      pairs(`the der die das den dem des; a ein eine einen einer; and und; with mit; in im; per pro je; now jetzt heute
      nun; instead statt anstatt; of von; is ist; are sind; was wurde war; were wurden waren; we wir; our unsere unser;
      fell sank sanken fielen; reduced reduziert gesenkt verringert verkürzt gesunken; reduce reduzieren senken; less weniger
      geringer; fewer weniger; shorter kürzere kürzer; lower niedrigere; halved halbiert; rose stieg stiegen; grew wuchs
      wuchsen; increased gesteigert erhöht gestiegen gewachsen; doubled verdoppelt; tripled verdreifacht; more mehr höhere;
      faster schneller; saved gespart eingespart; saves spart; takes dauert; took dauerte; percent prozent; minutes minuten
      minute; hours stunden stunde; days tage tagen tag; weeks wochen woche; months monate monaten; years jahre jahren;
      million millionen mio; billion milliarden mrd; two zwei; three drei; four vier; five fünf; six sechs; ten zehn`),
  },
  {
    marks: wordSet("le la les des du et une dans est sont avec pour par nous leur ses qui aux depuis ont été"),
    by: wordSet("de d'environ"),
    from: wordSet("de"),
    to: wordSet("à"),
    words:
      pairs(`the le la les; a un une; and et; with avec; of des du; in dans en; per par; now désormais maintenant; going passant; is est;
      are sont; has a; have ont; we nous; our nos notre; fell baissé diminué chuté; reduced réduit réduits réduite réduites
      divisé; reduces réduit; less moins; rose augmenté progressé; increased augmenté; grew grandi; doubled doublé; tripled
      triplé; halved divisés; more plus; faster vite rapide; saved économisé économisés gagné; saves économise gagne gagnent; takes prend
      dure; took prenait; percent pourcent; minutes minutes; hours heures heure; days jours jour; weeks semaines semaine;
      months mois; years ans années; million millions; billion milliards; two deux; three trois; four quatre; five cinq; six
      six; ten dix`),
  },
  {
    marks: wordSet("el los las del una con por para es son su sus que al más como se ha han nuestro"),
    by: wordSet("un en"),
    from: wordSet("de"),
    to: wordSet("a"),
    words:
      pairs(`the el la los las; a una; and y; with con; of del; in en; per por; now ahora hoy; going pasando; is es; are son; has ha; have
      han; we nosotros; our nuestro nuestra; fell bajó bajaron cayó cayeron disminuyó disminuyeron; reduced redujo redujeron
      reducido; less menos; rose subió subieron; increased aumentó aumentaron aumentado incrementó; grew creció crecieron;
      doubled duplicó duplicaron; tripled triplicó triplicaron; more más; faster rápido; saved ahorró ahorrado; saves ahorra;
      takes tarda; took tardaba; minutes minutos minuto; seconds segundos; hours horas hora; days días día; weeks semanas;
      months meses; years años; million millones; two dos; three tres; four cuatro; five cinco; six seis; ten diez`),
  },
];

const ENGLISH = wordSet("the of and to is are by with for that our we has have from was were their this");
const MIN_MARKS = 2;
/** Tokens between the figures of "from 60 to 25". */
const MAX_PAIR = 8;

/** The tokens of a sentence with English words in place of those of its language; the same tokens for other languages. */
export function glossed(tokens: readonly Token[]): readonly Token[] {
  const language = languageOf(tokens);
  if (language === undefined) return tokens;
  const figureAfter = (at: number) => {
    const next = tokens[at + 1];
    return (
      next?.kind === "figure" ||
      /^[$€£]$/.test(next?.word ?? "") ||
      NUMBERS.has(language.words.get(next?.word ?? "") ?? "")
    );
  };
  return tokens.map((token, at) => {
    // A point before three digits is not a decimal point in these languages: "2.300 Mitarbeiter".
    if (token.kind === "figure" && /^[1-9]\d{0,2}\.\d{3}$/.test(token.text))
      return { ...token, text: token.text.replace(".", ",") };
    if (token.kind !== "word") return token;
    let word = language.words.get(token.word);
    if (figureAfter(at)) {
      const isPair = tokens
        .slice(at + 2, at + MAX_PAIR)
        .some((other, steps) => language.to.has(other.word) && figureAfter(at + 2 + steps));
      if (language.from.has(token.word) && isPair) word = "from";
      else if (language.to.has(token.word)) word = "to";
      else if (language.by.has(token.word)) word = "by";
    }
    return word === undefined ? token : { ...token, word };
  });
}
const NUMBERS = wordSet("two three four five six ten");

function languageOf(tokens: readonly Token[]): Language | undefined {
  const count = (isOne: (word: string) => boolean) => tokens.filter(({ word }) => isOne(word)).length;
  const counts = LANGUAGES.map(({ marks, words }) => {
    const marked = count((word) => marks.has(word));
    const known = count((word) => word.length > 3 && !marks.has(word) && (words.get(word) ?? word) !== word);
    return marked === 0 ? 0 : marked + known;
  });
  const most = Math.max(...counts);
  return most >= MIN_MARKS && most > count((word) => ENGLISH.has(word)) ? LANGUAGES[counts.indexOf(most)] : undefined;
}
