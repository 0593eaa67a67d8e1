import type { IndexedPassage } from "../../../src/casestudies/index/passage-table.ts";

export const DIMENSIONS = 16;

/** Of unit length, the same for the same seed. */
export function vectors(count: number, seed: number, dimensions = DIMENSIONS): Float32Array[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

export function passage(id: number, given: Partial<IndexedPassage>): IndexedPassage {
  const [vector = new Float32Array(DIMENSIONS)] = vectors(1, id * 7_919);
  return {
    passage: id,
    study: "study",
    company: "vendor",
    industry: null,
    client: null,
    country: null,
    published_at: null,
    title: "A title",
    heading: null,
    text: `The warehouse was quicker by ${id} hours.`,
    vector,
    ...given,
  };
}

/** `count` passages of one case study, their ids from `first` on. */
export function studyRows(study: string, first: number, count: number): IndexedPassage[] {
  return Array.from({ length: count }, (_, at) => passage(first + at, { study }));
}
