import type { ComponentChildren } from "preact";
import type { Answer } from "../use-answer.ts";
import { Fault } from "./fault.tsx";

/** Grey lines where text will stand, so that nothing jumps when it comes. */
export const Loading = ({ lines = 4, label = "Loading" }: { readonly lines?: number; readonly label?: string }) => (
  <div class="loading" role="status">
    <span class="unseen">{label}…</span>
    {Array.from({ length: lines }, (_, line) => (
      // The lines are all alike
      <span key={line} class={`bone bone-${line % 3}`} />
    ))}
  </div>
);

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

interface ToldProps<T> {
  readonly answer: Answer<T>;
  readonly again?: () => void;
  readonly children: (value: T, waiting: boolean) => ComponentChildren;
  readonly lines?: number;
}

/** Shows an answer, or that it is waited for, or why there is none. */
export function Told<T>({ answer, again, children, lines }: ToldProps<T>) {
  if (answer.state === "refused") return <Fault refusal={answer.refusal} again={again} />;
  if (answer.state === "told") return children(answer.value, false);
  return answer.last === undefined ? <Loading lines={lines ?? 4} /> : children(answer.last, true);
}
