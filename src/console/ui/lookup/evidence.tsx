import { useEffect, useRef, useState } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import type { Tool } from "../api-types.ts";
import { DockedPanel } from "../components/docked-panel.tsx";
import { Field } from "../components/fields.tsx";
import { Highlighted } from "../components/highlighted.tsx";
import { Icon } from "../components/icon.tsx";
import { stateWord } from "../components/marks.tsx";
import { ExternalLink } from "../components/panels.tsx";
import { Done, MutationError } from "../components/status.tsx";
import { copyText } from "../components/toast.tsx";
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
  const [reported, setReported] = useState<string>();
  const [reporting, setReporting] = useState(false);
  // The panel stays while the arrow keys change its tool; a report belongs to one.
  useEffect(() => {
    setReporting(false);
    setReported(undefined);
  }, [tool.tool]);
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
      {reporting && (
        <Report
          tool={tool}
          domain={domain}
          onDone={(text) => {
            setReporting(false);
            setReported(text);
          }}
        />
      )}
      {reported !== undefined && <Done text={reported} />}
      <div class="actions">
        <button type="button" class="button" onClick={() => copyText(proofText(tool, domain, scannedAt), "the proof")}>
          Copy proof
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={reporting}
          onClick={() => {
            setReported(undefined);
            setReporting(!reporting);
          }}
        >
          Report as wrong
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

interface ReportProps {
  readonly tool: Tool;
  readonly domain: string;
  /** Called with what happened. */
  readonly onDone: (text: string) => void;
}

/** The operator takes the tool off the company's list; everyone else gets a report to send. */
function Report({ tool, domain, onDone }: ReportProps) {
  const mayReport = useRights()("POST /admin/feedback");
  const [note, setNote] = useState("");
  const mutation = useMutation();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!mayReport) {
      const copied = await copyText(reportText(tool, domain, note), "the report");
      return onDone(
        copied
          ? "The report is copied. Paste it into a message to the operator."
          : "The browser does not allow copying. Send the operator the address of this page.",
      );
    }
    const json = { domain, tool: tool.tool, ...(note ? { note } : {}) };
    if (!(await mutation.run(() => requestAsOperator("/console/admin/feedback", { json })))) return;
    onDone(`Reported. ${tool.tool} is no longer listed for ${domain}.`);
  };
  return (
    <form class="report" ref={form} onSubmit={submit}>
      <h3>
        {domain} does not use {tool.tool}?
      </h3>
      <p class="hint">
        {mayReport
          ? `The evidence above then no longer counts for ${domain}. Other companies are not changed.`
          : `Only the operator can take ${tool.tool} off the list. Copy a report with the evidence above and send it to them.`}
      </p>
      <Field label="How do you know" value={note} onInput={setNote} placeholder="We moved to another tool in March" />
      <MutationError mutation={mutation} />
      <button type="submit" class="button small primary" disabled={mutation.busy}>
        {mayReport ? `Remove ${tool.tool}` : "Copy report"}
      </button>
    </form>
  );
}

const reportText = ({ tool, evidence = [] }: Tool, domain: string, note: string): string =>
  [
    `${domain} does not use ${tool}.${note === "" ? "" : ` ${note}`}`,
    ...evidence.map(
      ({ signal, value, location, rule }) => `- ${signalName(signal)}: ${value} (${location}; rule ${rule})`,
    ),
  ].join("\n");
