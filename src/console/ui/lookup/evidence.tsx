import { useState } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import type { Tool } from "../api-types.ts";
import { DockedPanel } from "../components/docked-panel.tsx";
import { Field } from "../components/fields.tsx";
import { Highlighted } from "../components/highlighted.tsx";
import { Icon } from "../components/icon.tsx";
import { stateWord } from "../components/marks.tsx";
import { ExternalLink } from "../components/panels.tsx";
import { MutationError } from "../components/status.tsx";
import { copyText, toast } from "../components/toast.tsx";
import { ToolIcon } from "../components/tool-icon.tsx";
import { capitalised, formatDay, formatPercent, humanise, pluralise } from "../format.ts";
import { useMutation } from "../queries.ts";
import { useRights } from "../session.ts";
import type { Row } from "./rows.ts";
import { kindIcon, kindOf, signalName } from "./signal-kinds.ts";

interface EvidenceProps {
  readonly row: Row;
  readonly tool: Tool;
  readonly domain: string;
  readonly scannedAt: string;
  /** Descriptions by kind of signal, for evidence whose rule gives no reason. */
  readonly signals: Readonly<Record<string, string>>;
  readonly onClose: () => void;
  readonly onStep: (by: 1 | -1) => void;
}

type Evidence = NonNullable<Tool["evidence"]>[number];

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** Why a tool is listed: each piece of evidence with the matched part, its source and the reason. */
export function EvidencePanel({ row, tool, domain, scannedAt, signals, onClose, onStep }: EvidenceProps) {
  const evidence = tool.evidence ?? [];
  const [reporting, setReporting] = useState(false);
  const since = row.first && MONTH.format(new Date(row.first));
  const facts = [
    row.category,
    row.state &&
      `${stateWord(row.state).toLowerCase()}${row.confidence === undefined ? "" : ` (${formatPercent(row.confidence)})`}`,
    since && `since ${since}`,
    pluralise(evidence.length, "proof"),
  ];
  return (
    <DockedPanel
      title={tool.tool}
      icon={<ToolIcon tool={tool.tool} category={tool.category} />}
      onClose={onClose}
      onStep={onStep}
      noun="tool"
    >
      <p class="panel-facts">{facts.filter(Boolean).join(" · ")}</p>
      {(tool.vendor !== tool.tool || tool.website || tool.version) && (
        <p class="panel-facts">
          {[tool.version && `Version ${tool.version}`, tool.vendor && `by ${tool.vendor}`].filter(Boolean).join(" ")}{" "}
          {tool.website && (
            <ExternalLink href={tool.website}>{tool.website.replace(/^https?:\/\/(www\.)?|\/$/g, "")}</ExternalLink>
          )}
        </p>
      )}
      <ol class="proofs" aria-label={`Evidence at ${domain}`}>
        {evidence.map((item, index) => (
          <Proof
            key={`${item.rule} ${item.value} ${item.location}`}
            item={item}
            why={row.about?.reasons[index]?.why ?? signals[item.signal]}
            matched={row.about?.reasons[index]?.matched ?? null}
            scannedAt={scannedAt}
          />
        ))}
      </ol>
      {reporting && <Report tool={tool} domain={domain} onDone={() => setReporting(false)} />}
      <div class="actions">
        <button type="button" class="button" onClick={() => copyText(proofText(tool, domain, scannedAt), "the proof")}>
          Copy proof
        </button>
        <button type="button" class="button" aria-expanded={reporting} onClick={() => setReporting(!reporting)}>
          Report wrong
        </button>
        {row.about && (
          <a class="button" href={`/tools/${encodeURIComponent(row.about.id)}`}>
            Who uses it
          </a>
        )}
      </div>
    </DockedPanel>
  );
}

interface ProofProps {
  readonly item: Evidence;
  readonly why: string | undefined;
  readonly matched: readonly [number, number] | null;
  readonly scannedAt: string;
}

const Proof = ({ item, why, matched, scannedAt }: ProofProps) => (
  <li class="proof">
    <header>
      <span class="kind">
        <Icon name={kindIcon(kindOf(item.signal))} />
      </span>
      <h3>{signalName(item.signal)}</h3>
      <time dateTime={scannedAt}>{formatDay(scannedAt)}</time>
    </header>
    <p class="proof-value">
      <code>{matched ? <Highlighted text={item.value} ranges={[matched]} /> : item.value}</code>
    </p>
    {why && <p class="proof-why">{capitalised(why)}.</p>}
    <p class="proof-source">
      {/^https?:\/\//.test(item.location) ? (
        <ExternalLink href={item.location}>{shortUrl(item.location)}</ExternalLink>
      ) : (
        item.location
      )}
    </p>
    <details>
      <summary>Details</summary>
      <dl class="pairs">
        <dt>Signal</dt>
        <dd>
          <code>{item.signal}</code>
        </dd>
        <dt>Rule</dt>
        <dd>
          <code>{item.rule}</code>
        </dd>
        <dt>Strength</dt>
        <dd>{capitalised(item.strength)}</dd>
        <dt>Data source</dt>
        <dd>{humanise(item.source)}</dd>
      </dl>
    </details>
  </li>
);

const shortUrl = (url: string): string => url.replace(/^https?:\/\/|\/$/g, "");

/** A tool with its evidence as text, to paste into a message. */
const proofText = ({ tool, level, confidence, evidence = [] }: Tool, domain: string, scannedAt: string): string =>
  [
    `${tool} at ${domain}: ${level ?? "detected"}${confidence === undefined ? "" : ` (${formatPercent(confidence)})`}, scanned ${formatDay(scannedAt)}`,
    ...evidence.map(({ signal, value, location }) => `- ${signalName(signal)}: ${value} (${location})`),
  ].join("\n");

/** The operator suppresses the rules that matched; everyone else gets a report to send. */
function Report({
  tool,
  domain,
  onDone,
}: {
  readonly tool: Tool;
  readonly domain: string;
  readonly onDone: () => void;
}) {
  const mayReport = useRights()("POST /admin/feedback");
  const [note, setNote] = useState("");
  const mutation = useMutation();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!mayReport) {
      const rules = (tool.evidence ?? []).map(({ rule }) => rule).join(", ");
      copyText(`${domain} does not use ${tool.tool}.${note ? ` ${note}` : ""}\nRules: ${rules}`, "the report");
      return onDone();
    }
    const json = { domain, tool: tool.tool, ...(note ? { note } : {}) };
    if (!(await mutation.run(() => requestAsOperator("/console/admin/feedback", { json })))) return;
    toast(`Reported: ${tool.tool} is no longer listed for ${domain}`);
    onDone();
  };
  return (
    <form class="report" onSubmit={submit}>
      <p class="hint">
        {mayReport
          ? "The rules that matched are suppressed for this company."
          : "Only the operator can suppress a tool. Copy the report and send it to the operator."}
      </p>
      <Field label="What is wrong" value={note} onInput={setNote} />
      <MutationError mutation={mutation} />
      <button type="submit" class="button small primary" disabled={mutation.busy}>
        {mayReport ? "Report" : "Copy report"}
      </button>
    </form>
  );
}
