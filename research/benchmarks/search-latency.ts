/** Milliseconds, and answers a second. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  /** Questions of one repetition, and repetitions: fewer where an engine is slow. */
  readonly questions: number;
  readonly repetitions: number;
}

export interface LatencyOptions {
  readonly callers: number;
  readonly repetitions: number;
  /** Time limit: no new question is asked after it, and the questions asked so far count. */
  readonly seconds: number;
}

/** Asks every question in each repetition and returns the medians of the repetitions. */
export async function measureLatency<Q>(
  questions: readonly Q[],
  ask: (question: Q) => Promise<unknown>,
  { callers, repetitions, seconds }: LatencyOptions,
): Promise<Latency> {
  const end = performance.now() + seconds * 1_000;
  const runs: { times: number[]; perSecond: number }[] = [];
  for (let run = 0; run < repetitions && (run === 0 || performance.now() < end); run++) {
    const times: number[] = [];
    const waiting = questions.values();
    const began = performance.now();
    const caller = async () => {
      for (const question of waiting) {
        const asked = performance.now();
        await ask(question);
        times.push(performance.now() - asked);
        if (performance.now() > end) return;
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const isWhole = times.length === questions.length;
    if (run === 0 || isWhole) runs.push({ times, perSecond: (times.length / (performance.now() - began)) * 1_000 });
  }
  const of = (value: (run: { times: number[]; perSecond: number }) => number) => quantile(runs.map(value), 0.5);
  return {
    p50: of(({ times }) => quantile(times, 0.5)),
    p95: of(({ times }) => quantile(times, 0.95)),
    p99: of(({ times }) => quantile(times, 0.99)),
    perSecond: of(({ perSecond }) => perSecond),
    questions: runs[0]?.times.length ?? 0,
    repetitions: runs.length,
  };
}

/** The value at or above which so much of the values lie, by the nearest rank. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
