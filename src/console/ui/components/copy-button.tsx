import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface CopyProps {
  readonly text: string;
  /** What is copied, for screen readers: `key`, `curl command`. */
  readonly what: string;
  readonly label?: string;
}

const RESET_MS = 2_000;

export function CopyButton({ text, what, label = "Copy" }: CopyProps) {
  const [state, setState] = useState<"ready" | "copied" | "blocked">("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), RESET_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    if (!navigator.clipboard) return setState("blocked");
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("blocked"),
    );
  };
  return (
    <button type="button" class="button small" onClick={copy}>
      <Icon name={state === "copied" ? "check" : "copy"} />
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "blocked" ? "Select the text and copy it" : label}
        <span class="visually-hidden"> {what}</span>
      </span>
    </button>
  );
}
