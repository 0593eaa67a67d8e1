/** How well a ranking answers one question, or several on average; each 0–1. */
export interface RankingFigures {
  readonly ndcg_10: number;
  readonly mrr: number;
  readonly recall_5: number;
  readonly recall_10: number;
}

const DEPTH = 10;

/** Of one ranking. Binary relevance: nDCG with gains of 1 and the ideal order of as many as are relevant, at most ten. */
export function figuresOf(found: readonly string[], relevant: readonly string[]): RankingFigures {
  const wanted = new Set(relevant);
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const dcg = found.slice(0, DEPTH).reduce((sum, id, rank) => sum + (wanted.has(id) ? gain(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(wanted.size, DEPTH) }, (_, rank) => gain(rank)).reduce(
    (sum, one) => sum + one,
    0,
  );
  const first = found.findIndex((id) => wanted.has(id));
  const recall = (depth: number) =>
    found.slice(0, depth).filter((id) => wanted.has(id)).length / Math.max(1, wanted.size);
  return {
    ndcg_10: ideal === 0 ? 0 : dcg / ideal,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall_5: recall(5),
    recall_10: recall(10),
  };
}

/** The mean of each figure; zeros of none. */
export function meanOf(all: readonly RankingFigures[]): RankingFigures {
  const of = (key: keyof RankingFigures) =>
    all.reduce((sum, figures) => sum + figures[key], 0) / Math.max(1, all.length);
  return { ndcg_10: of("ndcg_10"), mrr: of("mrr"), recall_5: of("recall_5"), recall_10: of("recall_10") };
}
