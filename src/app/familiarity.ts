import type { Encoder } from "../embed/encoder.ts";
import type { CaseStudies } from "../store/case-studies.ts";
import { inContext } from "../studies/search/search.ts";

/** Ranks as well as all of three thousand passages; counted in a twentieth of a second. */
const SAMPLE = 1_000;

/**
 * Lets encoders know how common words are in what is searched. The first search with an encoder waits for it; when there
 * are twice as many passages, they are counted anew beside the searches.
 */
export function createFamiliarity(studies: Pick<CaseStudies, "newestPassage" | "sample">) {
  const counted = new WeakMap<object, { readonly newest: number; readonly first: Promise<void> }>();
  return async (encoder: Pick<Encoder, "observe">): Promise<void> => {
    const { observe } = encoder;
    if (!observe) return;
    const newest = await studies.newestPassage();
    const known = counted.get(encoder);
    if (!known || newest > known.newest * 2) {
      const counting = studies
        .sample(SAMPLE)
        .then((passages) => observe(passages.map(inContext)))
        // The search that waits meets the same store and the same model, and tells what is wrong with them; the next
        // one counts again.
        .catch(() => void counted.delete(encoder));
      counted.set(encoder, { newest, first: known?.first ?? counting });
    }
    await counted.get(encoder)?.first;
  };
}
