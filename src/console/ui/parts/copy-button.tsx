import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface CopyProps {
  readonly text: string;
  /** What it is, for who listens: `key`, `curl command`. */
  readonly what: string;
  readonly label?: string;
}

const SHOWN_MS = 2_000;

export function CopyButton({ text, what, label = "Copy" }: CopyProps) {
  const [state, show] = useState<"ready" | "copied" | "refused">("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => show("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => show("copied"),
      () => show("refused"),
    );
  return (
    <button type="button" class="button small" onClick={() => (navigator.clipboard ? void copy() : show("refused"))}>
      <Icon name={state === "copied" ? "check" : "copy"} />
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "refused" ? "Select it and copy" : label}
        <span class="unseen"> {what}</span>
      </span>
    </button>
  );
}
