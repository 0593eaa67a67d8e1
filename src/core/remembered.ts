/** Longer keys are computed each time. */
const MAX_KEY = 253;

/**
 * Computes a result once for each key that is asked for again and again. Keys that others choose cannot fill the memory:
 * after `max` of them it forgets all.
 *
 * @param compute must depend on nothing but the key
 */
export function remembered<Result>(max: number, compute: (key: string) => Result): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const before = results.get(key);
    if (before !== undefined || results.has(key)) return before as Result;
    if (key.length > MAX_KEY) return compute(key);
    if (results.size >= max) results.clear();
    // A part of a page keeps the whole page in the memory: this is a text of its own.
    const own = ` ${key}`.slice(1);
    const result = compute(own);
    results.set(own, result);
    return result;
  };
}
