/** Which case studies a table may have (a Bloom filter): it says so of each that it has, and of few others. */
export interface StudyFilter {
  add(study: string): void;
  mayHave(study: string): boolean;
}

/** With a million case studies, one of 6,000 others is said to be there; 4 MB. */
const BITS = 2 ** 25;
const HASHES = 4;

export function createStudyFilter(): StudyFilter {
  const words = new Uint32Array(BITS / 32);
  /** Calls `each` with the places of an id until it returns false; returns whether it never did. */
  const everyPlace = (study: string, each: (place: number) => boolean): boolean => {
    let [first, second] = [0x811c9dc5, 0];
    for (let at = 0; at < study.length; at += 1) {
      const unit = study.charCodeAt(at);
      first = Math.imul(first ^ unit, 0x01000193);
      second = (Math.imul(second, 31) + unit) | 0;
    }
    first = Math.imul(first ^ (first >>> 15), 0x2c1b3c6d);
    // An odd step reaches every place.
    const step = Math.imul(second ^ (second >>> 13), 0x297a2d39) | 1;
    for (let hash = 0; hash < HASHES; hash += 1) if (!each((first + Math.imul(hash, step)) & (BITS - 1))) return false;
    return true;
  };
  return {
    add: (study) =>
      void everyPlace(study, (place) => {
        words[place >>> 5]! |= 1 << (place & 31);
        return true;
      }),
    mayHave: (study) => everyPlace(study, (place) => (words[place >>> 5]! & (1 << (place & 31))) !== 0),
  };
}
