import { useEffect, useState } from "preact/hooks";
import { Field, type FieldProps } from "./field.tsx";

interface SettledProps extends Omit<FieldProps, "onInput"> {
  readonly onSettle: (value: string) => void;
}

const PAUSE_MS = 600;

/** A field that is taken when typing pauses. */
export function Settled({ value, onSettle, ...rest }: SettledProps) {
  const [typed, type] = useState(value);
  useEffect(() => type(value), [value]);
  // Typing alone asks; a new handler does not.
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSettle(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field {...rest} value={typed} onInput={type} />;
}
