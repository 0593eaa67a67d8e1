import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";

interface SectionProps {
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page under a heading. */
export function Section({ title, class: name, children }: SectionProps) {
  const id = useId();
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id} class="section-title">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A framed part of a page under a heading. */
export function Panel({ title, class: name = "panel", children }: SectionProps) {
  const id = useId();
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Scrolls sideways when its content is wider than the page. */
export const ScrollRegion = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

export const ExternalLink = ({ href, children }: { readonly href: string; readonly children: ComponentChildren }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
    <Icon name="out" />
    <span class="visually-hidden"> (opens in a new tab)</span>
  </a>
);

/** A key or a secret that is shown once, to be copied. */
export const Secret = ({ value, what }: { readonly value: string; readonly what: string }) => (
  <p class="secret">
    <code>{value}</code>
    <CopyButton text={value} what={what} />
  </p>
);
