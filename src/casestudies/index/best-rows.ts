/** Rows with their scores, best first. */
export interface ScoredRows {
  readonly rows: readonly number[];
  readonly scores: readonly number[];
}

/** Keeps the best of many scored rows: a heap whose first entry is the worst that is kept. */
export interface BestRows {
  /** The score that a row must exceed to be kept. */
  readonly least: number;
  add(row: number, score: number): void;
  /** Best first; of equal scores the lower row first. */
  sorted(): ScoredRows;
}

export function createBestRows(most: number): BestRows {
  const rows: number[] = [];
  const scores: number[] = [];

  const set = (at: number, row: number, score: number) => {
    rows[at] = row;
    scores[at] = score;
  };
  const rise = (from: number, row: number, score: number) => {
    let at = from;
    for (let above = (at - 1) >> 1; at > 0 && scores[above]! > score; above = (at - 1) >> 1) {
      set(at, rows[above]!, scores[above]!);
      at = above;
    }
    set(at, row, score);
  };
  const sink = (row: number, score: number) => {
    let at = 0;
    for (let below = 1; below < rows.length; below = at * 2 + 1) {
      if (below + 1 < rows.length && scores[below + 1]! < scores[below]!) below += 1;
      if (scores[below]! >= score) break;
      set(at, rows[below]!, scores[below]!);
      at = below;
    }
    set(at, row, score);
  };

  const best = {
    least: Number.NEGATIVE_INFINITY,
    add(row: number, score: number) {
      if (rows.length < most) rise(rows.length, row, score);
      else if (score > scores[0]!) sink(row, score);
      if (rows.length === most) best.least = scores[0]!;
    },
    sorted() {
      const order = [...rows.keys()].sort((a, b) => scores[b]! - scores[a]! || rows[a]! - rows[b]!);
      return { rows: order.map((at) => rows[at]!), scores: order.map((at) => scores[at]!) };
    },
  };
  return best;
}
