import type { Tool } from "../api-types.ts";
import { Drawer } from "../parts/drawer.tsx";
import { Icon } from "../parts/icon.tsx";
import { dayOf, minuteOf, withQuota, worded } from "../wording.ts";
import { Confidence } from "./tools.tsx";

interface EvidenceProps {
  readonly tool: Tool;
  readonly domain: string;
  readonly scannedAt: string;
  readonly signals: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

const STRENGTHS: Readonly<Record<string, string>> = {
  weak: "Weak: it suffices only together with others",
  strong: "Strong",
  certain: "Certain",
};

/** Every proof of one tool: the exact string, where it stood, what kind of sign it is, and the rule that knew it. */
export function EvidenceDrawer({ tool, domain, scannedAt, signals, onClose }: EvidenceProps) {
  const proofs = tool.evidence ?? [];
  return (
    <Drawer title={tool.tool} onClose={onClose}>
      <p class="drawer-about">
        {tool.category}
        {tool.vendor && tool.vendor !== tool.tool ? ` by ${tool.vendor}` : ""}
        {tool.website && (
          <>
            {" · "}
            <a href={tool.website} target="_blank" rel="noreferrer">
              {tool.website.replace(/^https?:\/\/(www\.)?|\/$/g, "")}
              <Icon name="out" />
              <span class="unseen"> (opens in a new tab)</span>
            </a>
          </>
        )}
      </p>
      <dl class="pairs">
        <dt>Confidence</dt>
        <dd>{tool.confidence !== undefined && <Confidence value={tool.confidence} />}</dd>
        {tool.version && (
          <>
            <dt>Version</dt>
            <dd>{tool.version}</dd>
          </>
        )}
        <dt>First seen</dt>
        <dd>{tool.first_seen ? dayOf(tool.first_seen) : "unknown"}</dd>
        <dt>Last seen</dt>
        <dd>{tool.last_seen ? dayOf(tool.last_seen) : "unknown"}</dd>
      </dl>
      <h3>
        {withQuota(proofs.length, "proof", "proofs")} at {domain}
      </h3>
      <ol class="proofs">
        {proofs.map((proof) => (
          <li key={`${proof.rule} ${proof.value} ${proof.location}`}>
            <p class="proof-value">
              <code>{proof.value}</code>
            </p>
            <dl class="pairs">
              <dt>Signal</dt>
              <dd>
                <code>{proof.signal}</code>
                {signals[proof.signal] && <span class="faint"> {signals[proof.signal]}</span>}
              </dd>
              <dt>Where</dt>
              <dd class="break">{proof.location}</dd>
              <dt>Rule</dt>
              <dd>
                <code>{proof.rule}</code>
              </dd>
              <dt>Strength</dt>
              <dd>{STRENGTHS[proof.strength] ?? proof.strength}</dd>
              <dt>Seen by</dt>
              <dd>
                {worded(proof.source)}, {minuteOf(scannedAt)}
              </dd>
            </dl>
          </li>
        ))}
      </ol>
    </Drawer>
  );
}
