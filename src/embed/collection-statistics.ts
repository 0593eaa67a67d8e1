/** What is usual among the texts that are searched. */
export interface CollectionStatistics {
  /** Counts these texts' tokens, in place of what was counted before. */
  count(texts: Iterable<readonly number[]>): void;
  /**
   * Inverse document frequency as BM25 has it (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009),
   * above 0.
   *
   * @param share of the model's own texts, how many have the token, 0–1
   */
  rarity(token: number, share: number): number;
  /** Of a text, in tokens. */
  readonly meanLength: number;
}

/** So many texts of the model's own are counted in: what few texts of a new collection have says little. */
const OWN_TEXTS = 100;
/** As a case study's passages have. */
const OWN_LENGTH = 180;

export function createCollectionStatistics(): CollectionStatistics {
  let texts = 0;
  let tokensOfAll = 0;
  let having = new Map<number, number>();
  return {
    count(all) {
      texts = 0;
      tokensOfAll = 0;
      having = new Map();
      for (const tokens of all) {
        texts += 1;
        tokensOfAll += tokens.length;
        for (const token of new Set(tokens)) having.set(token, (having.get(token) ?? 0) + 1);
      }
    },
    rarity(token, share) {
      const found = (having.get(token) ?? 0) + share * OWN_TEXTS;
      return Math.log(1 + (texts + OWN_TEXTS - found + 0.5) / (found + 0.5));
    },
    get meanLength() {
      return (tokensOfAll + OWN_TEXTS * OWN_LENGTH) / (texts + OWN_TEXTS);
    },
  };
}
