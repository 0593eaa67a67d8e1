import { useEffect, useState } from "preact/hooks";
import { Refusal } from "./ask.ts";

export type Answer<T> =
  | { readonly state: "asking"; readonly last: T | undefined }
  | { readonly state: "told"; readonly value: T }
  | { readonly state: "refused"; readonly refusal: Refusal };

/**
 * What a question was answered, asked anew when one of `inputs` changes; null asks nothing. The answer before is kept
 * while the next one is waited for, so that a page does not flicker.
 */
export function useAnswer<T>(
  question: ((signal: AbortSignal) => Promise<T>) | null,
  inputs: readonly unknown[],
): readonly [Answer<T>, () => void] {
  const [answer, show] = useState<Answer<T>>({ state: "asking", last: undefined });
  const [turn, next] = useState(0);
  // The question is a new function each time; its inputs count.
  useEffect(() => {
    if (!question) return;
    const patience = new AbortController();
    show((before) => ({ state: "asking", last: before.state === "told" ? before.value : undefined }));
    question(patience.signal).then(
      (value) => {
        if (!patience.signal.aborted) show({ state: "told", value });
      },
      (error) => {
        if (!patience.signal.aborted) show({ state: "refused", refusal: refusalOf(error) });
      },
    );
    return () => patience.abort();
  }, [...inputs, turn]);
  return [answer, () => next((before) => before + 1)];
}

/** A fault of the page itself is told too, and not as the service's. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal(-1, { title: "The page broke", detail: "Reload it. If that does not help, tell the operator." });
