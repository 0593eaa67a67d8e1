/** A story that says which of how many it is, and how often it was told anew, in words that nothing else has. */
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

/** In which edition a story is told in a round: each round retells a third of them and leaves the others alone. */
export const editionOf = (number: number, round: number) => Math.floor((round + (number % 3)) / 3);

/** Every round has a few more than the one before. */
export const storiesIn = (round: number, first: number) => first + round * 5;

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
    body: `## Then\n\n${told(0, 150)} Everystory.\n\n## Now\n\n${markerOf(number, edition)} ${told(150, 150)}`,
  };
}

/** The file of a round: JSON lines. */
export function fileOf(round: number, first: number): string {
  const stories = Array.from({ length: storiesIn(round, first) }, (_, number) =>
    JSON.stringify(storyOf(number, editionOf(number, round))),
  );
  return `${stories.join("\n")}\n`;
}
