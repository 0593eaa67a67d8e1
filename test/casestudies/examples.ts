import { createParseContext } from "../../src/casestudies/record.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/casestudies/taxonomy/packed.ts";

export const tools = createParseContext({
  industries: loadBuiltInIndustries(),
  outcomeMetrics: loadBuiltInOutcomeMetrics(),
});

const WORDS =
  "harbour crane ledger parcel winter engine signal bakery orchard ferry invoice tunnel copper lantern meadow quarry " +
  "saddle timber velvet willow anchor bridge candle desert ember forest garden hammer island jungle kettle ladder";

/** Invented running text, the same for the same seed: `words` words in sentences of twelve. */
export function story(words: number, seed = 1): string {
  const stock = WORDS.split(" ");
  // Mulberry32: with a plain congruence the texts of two seeds are the same text, shifted by a few words.
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % stock.length;
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
