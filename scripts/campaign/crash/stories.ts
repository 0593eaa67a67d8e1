/** A story whose unique words give its number and its edition. */
export interface CrashStory {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly company: string;
  readonly client: string;
  readonly industry: string;
  readonly body: string;
}

const WORDS =
  "harbour crane ledger parcel winter engine signal bakery orchard ferry invoice tunnel copper lantern meadow quarry saddle timber velvet willow".split(
    " ",
  );
const INDUSTRIES = ["Banking", "Logistics", "Healthcare", "Education"];

/** Two editions of one story differ in these words. */
export const markerOf = (number: number, edition: number) => `story${number}edition${edition}`;

/** Number of new stories in each round. */
export type Fresh = number;

/** Every third story gets a new edition in each of the two next rounds; the others have one edition, so a loss shows. */
export const editionOf = (number: number, round: number, fresh: Fresh) =>
  number % 3 === 0 ? Math.min(2, round - Math.floor(number / fresh)) : 0;

export function storyOf(number: number, edition: number): CrashStory {
  const word = (place: number) =>
    WORDS[(number * 31 + edition * 17 + place * (7 + (number % 11))) % WORDS.length] ?? "";
  const told = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => word(from + at) + (at % 12 === 11 ? "." : "")).join(" ");
  return {
    id: `crash-story-${number}`,
    title: `Story ${number} as told ${edition} times`,
    url: `https://vendor${number % 7}.example/customers/${number}`,
    company: `Vendor ${number % 7}`,
    client: `Client ${number}`,
    industry: INDUSTRIES[number % INDUSTRIES.length] ?? "",
    body: `## Then\n\nEverystory ${told(0, 150)}\n\n## Now\n\nEverystory ${markerOf(number, edition)} ${told(150, 150)}`,
  };
}

/** The file of a round: new editions first, then new stories. */
export const fileOf = (round: number, fresh: Fresh) =>
  linesOf(round, fresh, (number) => number >= round * fresh || (number % 3 === 0 && number >= (round - 2) * fresh));

/** The latest edition of every story up to a round. */
export const wholeFile = (round: number, fresh: Fresh) => linesOf(round, fresh, () => true);

function linesOf(round: number, fresh: Fresh, has: (number: number) => boolean): string {
  const numbers = Array.from({ length: (round + 1) * fresh }, (_, number) => number).filter(has);
  return numbers.map((number) => `${JSON.stringify(storyOf(number, editionOf(number, round, fresh)))}\n`).join("");
}
