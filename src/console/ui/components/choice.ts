import { useEffect, useRef, useState } from "preact/hooks";

/** How long the arrow keys must rest before the radio button that they reached is applied. */
const REST_MS = 500;
const ARROWS = /^Arrow/;

/**
 * The state of a group of radio buttons. A browser checks each button that an arrow key passes, so where a choice sends a
 * request (`isCostly`) those are applied after a pause, on Enter or when the focus leaves the group; a click is at once.
 *
 * @returns the value to show as checked, what to do with a change, and listeners for the group
 */
export function useChoice<T extends string>(value: T, onChange: (value: T) => void, isCostly: boolean) {
  const [waiting, setWaiting] = useState<T>();
  const byArrow = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = (next: T | undefined) => {
    clearTimeout(timer.current);
    setWaiting(undefined);
    if (next !== undefined && next !== value) onChange(next);
  };
  // The timer applies what the group last showed, with the filters of then.
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => () => clearTimeout(timer.current), []);
  // Another value from outside, such as by Back, replaces what waits.
  useEffect(() => apply(undefined), [value]);
  const choose = (next: T) => {
    if (!isCostly || !byArrow.current) return apply(next);
    setWaiting(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(next), REST_MS);
  };
  const listeners = {
    onPointerDown: () => {
      byArrow.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      byArrow.current = ARROWS.test(event.key);
      if (event.key !== "Enter" || waiting === undefined) return;
      event.preventDefault();
      apply(waiting);
    },
    onFocusOut: (event: FocusEvent) => {
      const to = event.relatedTarget;
      const group = event.currentTarget;
      if (waiting !== undefined && !(group instanceof Node && to instanceof Node && group.contains(to))) apply(waiting);
    },
  };
  return { shown: waiting ?? value, choose, listeners };
}
