import { createStudyTools } from "../../src/studies/record.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/studies/taxonomy/packed.ts";

export const tools = createStudyTools({
  industries: loadBuiltInIndustries(),
  metrics: loadBuiltInOutcomeMetrics(),
});

const WORDS =
  "harbour crane ledger parcel winter engine signal bakery orchard ferry invoice tunnel copper lantern meadow quarry " +
  "saddle timber velvet willow anchor bridge candle desert ember forest garden hammer island jungle kettle ladder";

/** Invented running text, the same for the same seed: `words` words in sentences of twelve. */
export function story(words: number, seed = 1): string {
  const stock = WORDS.split(" ");
  let state = seed * 7_919 + 17;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % stock.length;
  };
  return Array.from({ length: words }, (_, at) => {
    const word = `${stock[next()]}${next() < 8 ? "s" : ""}`;
    const begins = at % 12 === 0;
    const ends = at % 12 === 11 || at === words - 1;
    return `${begins ? word.charAt(0).toUpperCase() + word.slice(1) : word}${ends ? "." : ""}`;
  }).join(" ");
}

export async function* bytesOf(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const minimal = {
  title: "How Brackwater halved its port fees",
  url: "https://quayline.example/stories/brackwater",
  company: { name: "Quayline" },
};
