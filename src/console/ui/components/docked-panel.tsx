import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DockedProps {
  readonly title: ComponentChildren;
  /** Before the title, such as a `ToolIcon`. */
  readonly icon?: ComponentChildren;
  readonly onClose: () => void;
  /** Called with 1 and −1 by the arrow keys. */
  readonly onStep?: (by: 1 | -1) => void;
  /** What a step moves to, for the hint at the end: `tool`. */
  readonly noun?: string;
  readonly children: ComponentChildren;
}

const WIDE = "(min-width: 1100px)";

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  return matches;
}

/** What opens the row whose details are shown. */
const OPENER = '.row-open[aria-current="true"], tr[aria-current="true"] .row-open, .result-row.on .preview-button';
const openerOf = (): HTMLElement | null => document.querySelector<HTMLElement>(OPENER);

/**
 * Details of what is selected: docked at the right of a wide window, where the page stays usable; otherwise a dialog that
 * covers the right side, or the whole screen of a phone. Escape closes it, and the focus returns to the row that it shows.
 */
export function DockedPanel(props: DockedProps) {
  return useMedia(WIDE) ? <Docked {...props} /> : <Sheet {...props} />;
}

function Docked(props: DockedProps) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const onClose = () => {
    // The page stays usable: the focus moves only if it would be lost with the panel.
    if (panel.current?.contains(document.activeElement)) openerOf()?.focus();
    props.onClose();
  };
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      onClose();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [props.onClose]);
  return (
    <aside class="docked" aria-labelledby={id} ref={panel}>
      <PanelBody {...props} onClose={onClose} id={id} />
    </aside>
  );
}

function Sheet(props: DockedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const shown = useRef<HTMLElement | null>(null);
  const onClose = () => {
    shown.current = openerOf();
    props.onClose();
  };
  useEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    element?.showModal();
    // The focus on the body moves the head out of sight.
    element?.scrollTo(0, 0);
    return () => {
      element?.close();
      // A removed dialog does not restore the focus by itself.
      const target = shown.current ?? focused;
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button close it; a click outside is a third way
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <PanelBody {...props} onClose={onClose} id={id} />
    </dialog>
  );
}

function PanelBody({ id, title, icon, onClose, onStep, noun, children }: DockedProps & { readonly id: string }) {
  const body = useRef<HTMLDivElement>(null);
  // The next one is read from its beginning.
  useEffect(() => body.current?.parentElement?.scrollTo(0, 0), [title]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are a shortcut; the list itself has them too
    <div
      class="panel-body"
      ref={body}
      tabIndex={-1}
      onKeyDown={(event) => {
        const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
        if (by === undefined || !onStep || isTyping(event.target)) return;
        event.preventDefault();
        // What had the focus may not be there for the next one; the head stays.
        if (event.target instanceof Element && !event.target.closest(".panel-head")) event.currentTarget.focus();
        onStep(by);
      }}
    >
      <header class="panel-head">
        {icon}
        <h2 id={id} aria-live="polite">
          {title}
        </h2>
        <button type="button" class="button small quiet square" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
      <p class="panel-keys" aria-hidden="true">
        {onStep && (
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> next {noun}
          </span>
        )}
        <span>
          <kbd>esc</kbd> close
        </span>
      </p>
    </div>
  );
}

/** Whether a key press belongs to a field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
