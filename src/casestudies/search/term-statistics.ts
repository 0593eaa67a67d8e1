import type { Encoder } from "../../embedding/encoder.ts";
import { passageContext } from "../text/passages.ts";

/** A passage with the context of its case study, as searches compare it. */
export interface PassageInContext {
  readonly id: number;
  readonly heading: string | null;
  readonly text: string;
  /** Title of the case study. */
  readonly title: string;
  readonly client: string | null;
  /** As the source wrote it. */
  readonly industry: string | null;
  readonly summary: string | null;
}

/** The text that is compared with a query. Passages seldom state the client's industry, with which queries often begin. */
export const textInContext = ({ title, client, heading, text, industry, summary }: PassageInContext): string =>
  [passageContext({ title, client: { name: client } }, { heading, text }), industry, summary].filter(Boolean).join(" ");

interface PassageSource {
  newestPassage(): Promise<number>;
  sample(most: number): Promise<readonly PassageInContext[]>;
}

/** Ranks as well as 3,000 passages; counted in 50 ms. */
const SAMPLE = 1_000;

/**
 * Gives encoders the frequency of each term in the indexed passages. The first search with an encoder waits for the count;
 * when the number of passages has doubled, it is repeated in the background.
 */
export function createTermStatistics(passages: PassageSource) {
  const counted = new WeakMap<object, { readonly newest: number; readonly first: Promise<void> }>();
  return async (encoder: Pick<Encoder, "observe">): Promise<void> => {
    const { observe } = encoder;
    if (!observe) return;
    const newest = await passages.newestPassage();
    const known = counted.get(encoder);
    if (!known || newest > known.newest * 2) {
      const counting = passages
        .sample(SAMPLE)
        .then((sample) => observe(sample.map(textInContext)))
        // The search that waits uses the same store and model and reports the error; the next search counts again.
        .catch(() => void counted.delete(encoder));
      counted.set(encoder, { newest, first: known?.first ?? counting });
    }
    await counted.get(encoder)?.first;
  };
}
