import { useState } from "preact/hooks";
import type { FalsePositive, UnmatchedCount } from "../../../detection/types.ts";
import { askAsOperator } from "../ask.ts";
import { Field } from "../parts/field.tsx";
import { Settled } from "../parts/settled.tsx";
import { addressOf, go } from "../router.ts";
import { dayOf, withQuota } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { Refused } from "./refused.tsx";
import { useDeed } from "./use-deed.ts";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly rules: number;
  readonly own: boolean;
}

/** The tools that rules tell, what scans saw and no rule knows, and what was told wrongly. */
export function Fingerprints({ query }: { readonly query: URLSearchParams }) {
  const [turn, setTurn] = useState(0);
  const renew = () => setTurn(turn + 1);
  const q = query.get("q") ?? "";
  return (
    <>
      <section class="stack" aria-labelledby="tools">
        <h2 id="tools" class="section-title">
          Tools and their rules
        </h2>
        <div class="filter-row">
          <Settled
            label="Tool"
            type="search"
            placeholder="Stripe"
            value={q}
            plain
            onSettle={(text) => go(addressOf("/operator/fingerprints", { q: text }), { replace: true })}
          />
        </div>
        <Listed<Entry>
          path="/console/admin/fingerprints"
          query={{ q, limit: "9" }}
          field="fingerprints"
          empty="No tool has this name"
          counted={["tool", "tools"]}
        >
          {(tools) => (
            <ul class="tool-grid">
              {tools.map((tool) => (
                <li key={tool.id}>
                  <a class="row-link" href={`/operator/fingerprints/${encodeURIComponent(tool.id)}`}>
                    <span class="row-title">{tool.name}</span>
                    <span class="faint">
                      {tool.category}, {withQuota(tool.rules, "rule")}
                      {tool.own && ", some your own"}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Listed>
      </section>
      <section class="stack" aria-labelledby="unknown">
        <h2 id="unknown" class="section-title">
          Seen, and known to no rule
        </h2>
        <Listed<UnmatchedCount>
          path="/console/admin/fingerprints/unknown"
          field="unknown"
          empty="Rules know all that scans saw"
        >
          {(unknown) => (
            <ul class="rows">
              {unknown.map((one) => (
                <li key={`${one.kind} ${one.value}`} class="row">
                  <code class="row-title break">{one.value}</code>
                  <span class="faint">
                    {one.kind}, at {withQuota(one.companies, "company", "companies")}, such as {one.domain}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Listed>
      </section>
      <section class="stack" aria-labelledby="wrong">
        <h2 id="wrong" class="section-title">
          Told wrongly
        </h2>
        <ReportForm onDone={renew} />
        <Listed<FalsePositive> path="/console/admin/feedback" field="feedback" empty="Nothing was reported" turn={turn}>
          {(reports) => (
            <ul class="rows">
              {reports.map((report) => (
                <ReportRow key={`${report.domain} ${report.tool_id}`} report={report} onDone={renew} />
              ))}
            </ul>
          )}
        </Listed>
      </section>
    </>
  );
}

function ReportForm({ onDone }: { readonly onDone: () => void }) {
  const [domain, setDomain] = useState("");
  const [tool, setTool] = useState("");
  const deed = useDeed();
  const send = async (event: Event) => {
    event.preventDefault();
    if (await deed.run(() => askAsOperator("/console/admin/feedback", { json: { domain, tool } }))) {
      setTool("");
      onDone();
    }
  };
  return (
    <form class="panel fields" onSubmit={send} noValidate>
      <Field label="Domain" value={domain} onInput={setDomain} error={deed.refusal?.at("/domain")} required />
      <Field label="Tool that is not there" value={tool} onInput={setTool} error={deed.refusal?.at("/tool")} required />
      <Refused deed={deed} />
      <div class="actions">
        <button type="submit" class="button" disabled={deed.busy}>
          Report
        </button>
      </div>
    </form>
  );
}

function ReportRow({ report, onDone }: { readonly report: FalsePositive; readonly onDone: () => void }) {
  const deed = useDeed();
  const path = `/console/admin/feedback/${encodeURIComponent(report.domain)}/${encodeURIComponent(report.tool_id)}`;
  const takeBack = async () => {
    if (await deed.run(() => askAsOperator(path, { method: "DELETE" }))) onDone();
  };
  return (
    <li class="row">
      <span class="row-title">
        {report.tool} at {report.domain}
      </span>
      <span class="faint">
        {report.rules.join(", ")}, {dayOf(report.reported_at)}
      </span>
      <button type="button" class="button small" disabled={deed.busy} onClick={takeBack}>
        Take back
      </button>
    </li>
  );
}
