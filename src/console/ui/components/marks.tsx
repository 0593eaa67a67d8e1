import type { ComponentChildren } from "preact";
import type { Level } from "../../../detection/levels.ts";
import { formatNumber, formatPercent } from "../format.ts";
import { Icon } from "./icon.tsx";

interface ChipProps {
  /** Pressed, for a chip that filters. */
  readonly on: boolean;
  readonly onClick: () => void;
  readonly count?: number;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** A filter that is on or off. */
export const Chip = ({ on, onClick, count, title, children }: ChipProps) => (
  <button type="button" class="chip" aria-pressed={on} title={title} onClick={onClick}>
    {children}
    {count !== undefined && <span>{formatNumber(count)}</span>}
  </button>
);

/** A filter that is set, with a button that removes it. */
export const RemovableChip = ({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) => (
  <button type="button" class="chip on" aria-label={`Remove ${label}`} onClick={onRemove}>
    {label}
    <Icon name="close" />
  </button>
);

interface Tab {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly href: string;
}

/** Parts of a page, each at its own address. */
export const Tabs = ({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, title, href }) => (
      <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
        {title}
      </a>
    ))}
  </nav>
);

export const Badge = ({
  tone,
  children,
}: {
  readonly tone?: "new" | "gone" | "warning";
  readonly children: ComponentChildren;
}) => <span class={tone ? `badge ${tone}` : "badge"}>{children}</span>;

export type ToolState = Level | "once" | "gone";

const WORDS: Readonly<Record<ToolState, string>> = {
  confirmed: "Confirmed",
  likely: "Likely",
  possible: "Possible",
  once: "Verified once",
  gone: "No longer detected",
};

export const stateWord = (state: ToolState): string => WORDS[state];

/** How sure a detection is, as a word; the figure is in the tooltip. */
export const StateWord = ({
  state,
  confidence,
  short = false,
}: {
  readonly state: ToolState;
  readonly confidence?: number | undefined;
  /** Where the name of the tool needs the room: "once". */
  readonly short?: boolean;
}) => (
  <span
    class={`state-word ${state}`}
    title={[short && WORDS[state], confidence !== undefined && `${formatPercent(confidence)} confidence`]
      .filter(Boolean)
      .join(", ")}
  >
    {short && state === "once" ? (
      <>
        <span class="visually-hidden">Verified </span>Once
      </>
    ) : (
      WORDS[state]
    )}
  </span>
);

interface BannerProps {
  readonly tone?: "note" | "warning" | "error";
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** A sentence about the whole page, above what it shows. Announced when it appears. */
export const Banner = ({ tone = "note", children, actions }: BannerProps) => (
  <div class={tone === "note" ? "banner" : `banner ${tone}`} role={tone === "error" ? "alert" : "status"}>
    <Icon name={tone === "note" ? "info" : "warning"} />
    <p>{children}</p>
    {actions}
  </div>
);

/** A few figures with their nouns. */
export const Figures = ({ figures }: { readonly figures: readonly (readonly [value: string, noun: string])[] }) => (
  <dl class="figures-row">
    {figures.map(([value, noun]) => (
      <div key={noun}>
        <dt>{noun}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
