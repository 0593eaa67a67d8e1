import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface MenuProps {
  readonly label: ComponentChildren;
  readonly items: readonly { readonly label: string; readonly run: () => void }[];
}

/** A button that shows a few actions under it. */
export function Menu({ label, items }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Escape") return;
      if (event.target instanceof Node && box.current?.contains(event.target) && !(event instanceof KeyboardEvent))
        return;
      if (event instanceof KeyboardEvent) event.preventDefault();
      setOpen(false);
      if (event instanceof KeyboardEvent) box.current?.querySelector("button")?.focus();
    };
    addEventListener("pointerdown", close);
    addEventListener("focusin", close);
    addEventListener("keydown", close, true);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("focusin", close);
      removeEventListener("keydown", close, true);
    };
  }, [open]);
  return (
    <div class="menu" ref={box}>
      <button type="button" class="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && (
        <ul class="menu-list">
          {items.map((item) => (
            <li key={item.label}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  item.run();
                }}
              >
                {item.label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
