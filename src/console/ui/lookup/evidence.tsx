import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Tool } from "../api-types.ts";
import { Icon } from "../components/icon.tsx";
import { ExternalLink } from "../components/panels.tsx";
import { formatDay, formatTime, humanise } from "../format.ts";
import { Confidence } from "./tools.tsx";

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A side panel. The native dialog keeps the keyboard focus inside and closes on Escape. */
function Drawer({ title, onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // A removed dialog does not restore the focus by itself.
      if (focused instanceof HTMLElement) focused.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button close it; a click outside is a third way
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="drawer-inner">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="button quiet square" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface EvidenceProps {
  readonly tool: Tool;
  readonly domain: string;
  readonly scannedAt: string;
  readonly signals: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

const STRENGTHS: Readonly<Record<string, string>> = {
  weak: "Weak: counts only with other evidence",
  strong: "Strong",
  certain: "Certain",
};

/** All evidence for one tool: the exact value, its location, the kind of signal and the rule that matched. */
export function EvidenceDrawer({ tool, domain, scannedAt, signals, onClose }: EvidenceProps) {
  const evidence = tool.evidence ?? [];
  return (
    <Drawer title={tool.tool} onClose={onClose}>
      <p class="drawer-about">
        {tool.category}
        {tool.vendor && tool.vendor !== tool.tool ? ` by ${tool.vendor}` : ""}
        {tool.website && (
          <>
            {" · "}
            <ExternalLink href={tool.website}>{tool.website.replace(/^https?:\/\/(www\.)?|\/$/g, "")}</ExternalLink>
          </>
        )}
      </p>
      <dl class="pairs">
        <dt>Confidence</dt>
        <dd>
          {tool.confidence !== undefined && <Confidence value={tool.confidence} />}
          {tool.level !== undefined && <span class="faint"> {tool.level}</span>}
        </dd>
        {tool.version && (
          <>
            <dt>Version</dt>
            <dd>{tool.version}</dd>
          </>
        )}
        <dt>First seen</dt>
        <dd>{tool.first_seen ? formatDay(tool.first_seen) : "unknown"}</dd>
        <dt>Last seen</dt>
        <dd>{tool.last_seen ? formatDay(tool.last_seen) : "unknown"}</dd>
      </dl>
      <h3>
        Evidence at {domain} ({evidence.length})
      </h3>
      <ol class="evidence-list">
        {evidence.map((item) => (
          <li key={`${item.rule} ${item.value} ${item.location}`}>
            <p class="evidence-value">
              <code>{item.value}</code>
            </p>
            <dl class="pairs">
              <dt>Signal</dt>
              <dd>
                <code>{item.signal}</code>
                {signals[item.signal] && <span class="faint"> {signals[item.signal]}</span>}
              </dd>
              <dt>Location</dt>
              <dd class="break">{item.location}</dd>
              <dt>Rule</dt>
              <dd>
                <code>{item.rule}</code>
              </dd>
              <dt>Strength</dt>
              <dd>{STRENGTHS[item.strength] ?? item.strength}</dd>
              <dt>Data source</dt>
              <dd>
                {humanise(item.source)}, {formatTime(scannedAt)}
              </dd>
            </dl>
          </li>
        ))}
      </ol>
    </Drawer>
  );
}
