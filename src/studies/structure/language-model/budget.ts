/** How much a model is asked in an hour, and whether it is left in peace after it failed. In memory: a restart forgets. */
export interface Budget {
  /** Why the model is not asked now, in one sentence; null when it may be. */
  readonly refusal: () => string | null;
  /** A question is on its way. */
  readonly asked: () => void;
  /** What its answer cost. */
  readonly used: (tokens: number) => void;
  /** Whether the model answered at all. */
  readonly ended: (well: boolean) => void;
}

export interface BudgetLimits {
  readonly maxRequestsPerHour: number;
  /** Tokens of questions and answers together; null for no limit. */
  readonly maxTokensPerHour: number | null;
}

const HOUR_MS = 3_600_000;
/** A model that is down would otherwise cost each page the whole time-out. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 300_000;

/** @param now milliseconds that only go forward */
export function createBudget(limits: BudgetLimits, now: () => number): Budget {
  const requests: number[] = [];
  let spent: { readonly at: number; readonly tokens: number }[] = [];
  let failures = 0;
  let restUntil = Number.NEGATIVE_INFINITY;

  return {
    refusal() {
      const since = now() - HOUR_MS;
      while (requests[0] !== undefined && requests[0] <= since) requests.shift();
      spent = spent.filter(({ at }) => at > since);
      if (requests.length >= limits.maxRequestsPerHour) {
        return "The language model was asked as often as is allowed in an hour.";
      }
      const tokens = spent.reduce((sum, each) => sum + each.tokens, 0);
      if (limits.maxTokensPerHour !== null && tokens >= limits.maxTokensPerHour) {
        return "The language model used as many tokens as are allowed in an hour.";
      }
      return now() < restUntil ? "The language model failed several times and is left alone for some minutes." : null;
    },
    asked: () => void requests.push(now()),
    used: (tokens) => void spent.push({ at: now(), tokens }),
    ended(well) {
      failures = well ? 0 : failures + 1;
      if (failures < FAILURES_BEFORE_REST) return;
      restUntil = now() + REST_MS;
      // One failure after the rest is enough for the next one.
      failures = FAILURES_BEFORE_REST - 1;
    },
  };
}
