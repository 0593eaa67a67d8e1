import { Failure } from "../vocabulary/failure.ts";

/** Work in steps that give parts of one list. Between two steps, another's may run. */
export interface Job<T> {
  /** Goes before all that is not. */
  readonly urgent: boolean;
  readonly signal: AbortSignal | undefined;
  readonly steps: readonly (() => Promise<readonly T[]>)[];
}

export interface Queue {
  /**
   * @returns the parts, joined in order
   * @throws Failure `service.overloaded` when too many jobs wait; the signal's reason when it aborts; a step's own error
   */
  run<T>(job: Job<T>): Promise<T[]>;
  /** Refuses all jobs with `reason`, and waits for the step that runs. */
  drain(reason: Failure): Promise<void>;
}

interface Waiting {
  readonly urgent: boolean;
  /** Runs one step; tells whether there is another. */
  step(): Promise<boolean>;
  refuse(reason: unknown): void;
}

/** Runs one step at a time: urgent jobs first, else in turn. */
export function createQueue(maxWaiting: number): Queue {
  let waiting: Waiting[] = [];
  let current: Waiting | undefined;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const next = waiting.find(({ urgent }) => urgent) ?? waiting[0];
      if (!next) {
        // In the same breath as the look: a job that comes after must start the work anew.
        running = undefined;
        return;
      }
      waiting = waiting.filter((job) => job !== next);
      // The rest of a long job goes to the end: the others have their turn.
      current = next;
      if (await next.step()) waiting.push(next);
      current = undefined;
    }
  }

  return {
    run<T>({ urgent, signal, steps }: Job<T>): Promise<T[]> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (steps.length === 0) return Promise.resolve([]);
      if (waiting.length >= maxWaiting)
        return Promise.reject(
          new Failure("service.overloaded", "Too much is being read at once; try again in a moment.", {
            retryAfterSeconds: 2,
          }),
        );
      return new Promise((resolve, reject) => {
        const parts: T[] = [];
        let at = 0;
        let over = false;
        const end = (settle: () => void) => {
          over = true;
          signal?.removeEventListener("abort", onAbort);
          settle();
        };
        const job: Waiting = {
          urgent,
          async step() {
            try {
              const part = await steps[at]!();
              if (over) return false;
              for (const item of part) parts.push(item);
              at += 1;
              if (at === steps.length) end(() => resolve(parts));
            } catch (error) {
              if (!over) end(() => reject(error));
            }
            return !over;
          },
          refuse: (reason) => end(() => reject(reason)),
        };
        function onAbort(): void {
          waiting = waiting.filter((other) => other !== job);
          job.refuse(signal?.reason);
        }
        signal?.addEventListener("abort", onAbort);
        waiting.push(job);
        running ??= work();
      });
    },
    async drain(reason) {
      const refused = current ? [current, ...waiting] : waiting;
      waiting = [];
      for (const job of refused) job.refuse(reason);
      await running;
    },
  };
}
