import { observable, useObservable } from "../observable.ts";

const SHOWN_MS = 3_000;
const message = observable<string | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short confirmation of an action for a moment: `Copied`. Errors belong into the page instead. */
export function toast(text: string): void {
  message.set(text);
  clearTimeout(timer);
  timer = setTimeout(() => message.set(null), SHOWN_MS);
}

/** The one place where toasts are shown and announced. */
export function Toasts() {
  const text = useObservable(message);
  return (
    <div class="toasts" role="status">
      {text !== null && <p class="toast">{text}</p>}
    </div>
  );
}

/** Copies a text and confirms it; false where the browser does not allow it. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
    return true;
  } catch {
    // Pages over plain HTTP have no clipboard.
    toast("The browser does not allow copying");
    return false;
  }
}
