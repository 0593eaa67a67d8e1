import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { FalsePositive, UnmatchedCount } from "../../../detection/types.ts";
import { requestAsOperator } from "../api-client.ts";
import type { ToolExplanation } from "../api-types.ts";
import { CardTable, DetailRow } from "../components/card-table.tsx";
import { DebouncedField, Field } from "../components/fields.tsx";
import { ExternalLink, Section } from "../components/panels.tsx";
import { Done, MutationError, QueryResult } from "../components/status.tsx";
import { formatDay, formatMoment, formatNumber, formatPercent, humanise, pluralise } from "../format.ts";
import { useMutation, useQuery } from "../queries.ts";
import { setFilter, urlFor } from "../router.ts";
import { PagedList, Permitted } from "./parts.tsx";

interface FingerprintEntry {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly rules: number;
  readonly own: boolean;
}

/** Tools and their rules, signals without a rule, and reported false positives. */
export function FingerprintList({ query }: { readonly query: URLSearchParams }) {
  const [version, setVersion] = useState(0);
  const reload = () => setVersion(version + 1);
  const q = query.get("q") ?? "";
  return (
    <>
      <Section title="Tools" class="stack">
        <div class="filter-row">
          <DebouncedField
            label="Tool"
            type="search"
            placeholder="Stripe"
            value={q}
            hideOptional
            onChange={(text) => setFilter(urlFor("/operator/fingerprints", { q: text }), { isTyped: true })}
          />
        </div>
        <PagedList<FingerprintEntry>
          path="/console/admin/fingerprints"
          query={{ q, limit: "12" }}
          field="fingerprints"
          empty="No tools found"
          noun={["tool", "tools"]}
        >
          {(tools) => (
            <CardTable label="Tools of the catalogue" heads={["Tool", "Category", { number: "Rules" }, "Source"]}>
              {tools.map((tool) => (
                <tr key={tool.id}>
                  <th scope="row">
                    <a class="row-go" href={`/operator/fingerprints/${encodeURIComponent(tool.id)}`}>
                      {tool.name}
                    </a>
                  </th>
                  <td data-label="Category">{tool.category}</td>
                  <td class="number" data-label="Rules">
                    {formatNumber(tool.rules)}
                  </td>
                  <td data-label="Source" class="one-line">
                    {tool.own ? "With custom rules" : "Included"}
                  </td>
                </tr>
              ))}
            </CardTable>
          )}
        </PagedList>
      </Section>
      <Section title="Unrecognised signals" class="stack">
        <PagedList<UnmatchedCount>
          path="/console/admin/fingerprints/unknown"
          field="unknown"
          empty="No unrecognised signals"
        >
          {(unknown) => (
            <CardTable
              label="Signals without a rule"
              heads={["Signal", "Kind", { number: "Companies" }, "Such as", "Last seen"]}
            >
              {unknown.map(({ kind, value, companies, domain, last_seen }) => (
                <tr key={`${kind} ${value}`}>
                  <th scope="row" class="break">
                    <code>{value}</code>
                  </th>
                  <td data-label="Kind">{humanise(kind)}</td>
                  <td class="number" data-label="Companies">
                    {formatNumber(companies)}
                  </td>
                  <td data-label="Such as">
                    <a href={`/lookup/${encodeURIComponent(domain)}`}>{domain}</a>
                  </td>
                  <td data-label="Last seen" class="one-line">
                    {formatMoment(last_seen)}
                  </td>
                </tr>
              ))}
            </CardTable>
          )}
        </PagedList>
      </Section>
      <Section title="False positives" class="stack">
        <Permitted action="POST /admin/feedback">
          <ReportForm onDone={reload} />
        </Permitted>
        <PagedList<FalsePositive> path="/console/admin/feedback" field="feedback" empty="No reports" version={version}>
          {(reports) => (
            <CardTable label="Reported false positives" heads={REPORT_HEADS}>
              {reports.map((report) => (
                <ReportRow key={`${report.domain} ${report.tool_id}`} report={report} onDone={reload} />
              ))}
            </CardTable>
          )}
        </PagedList>
      </Section>
    </>
  );
}

function ReportForm({ onDone }: { readonly onDone: () => void }) {
  const [domain, setDomain] = useState("");
  const [tool, setTool] = useState("");
  const [done, setDone] = useState("");
  const mutation = useMutation();
  const send = async (event: Event) => {
    event.preventDefault();
    if (await mutation.run(() => requestAsOperator("/console/admin/feedback", { json: { domain, tool } }))) {
      setTool("");
      setDone(`${tool} is no longer listed for ${domain}.`);
      onDone();
    }
  };
  return (
    <form class="panel fields" onSubmit={send} noValidate>
      <p class="hint">
        Takes a tool that a company does not use off its list. The evidence for it no longer counts for this company.
      </p>
      <Field label="Domain" value={domain} onInput={setDomain} error={mutation.error?.fieldError("/domain")} required />
      <Field
        label="Tool not in use"
        value={tool}
        onInput={setTool}
        error={mutation.error?.fieldError("/tool")}
        required
      />
      <MutationError mutation={mutation} />
      <div class="actions">
        <button type="submit" class="button" disabled={mutation.busy}>
          Report
        </button>
      </div>
      {done !== "" && <Done text={done} />}
    </form>
  );
}

const REPORT_HEADS = ["Tool", "Domain", { number: "Rules off" }, "Reported", { hidden: "Actions" }] as const;

function ReportRow({ report, onDone }: { readonly report: FalsePositive; readonly onDone: () => void }) {
  const mutation = useMutation();
  const path = `/console/admin/feedback/${encodeURIComponent(report.domain)}/${encodeURIComponent(report.tool_id)}`;
  const remove = async () => {
    if (await mutation.run(() => requestAsOperator(path, { method: "DELETE" }))) onDone();
  };
  return (
    <DetailRow
      title={report.tool}
      columns={REPORT_HEADS.length}
      cells={
        <>
          <td data-label="Domain">
            <a href={`/lookup/${encodeURIComponent(report.domain)}`}>{report.domain}</a>
          </td>
          <td class="number" data-label="Rules off">
            {formatNumber(report.rules.length)}
          </td>
          <td data-label="Reported" class="one-line">
            {formatDay(report.reported_at)}
          </td>
          <td>
            <Permitted action="DELETE /admin/feedback/:domain/:tool">
              <div class="actions">
                <button type="button" class="button small" disabled={mutation.busy} onClick={remove}>
                  Remove
                  <span class="visually-hidden">
                    {" "}
                    the report of {report.tool} at {report.domain}
                  </span>
                </button>
              </div>
            </Permitted>
            <MutationError mutation={mutation} />
          </td>
        </>
      }
    >
      {report.note !== null && <p>{report.note}</p>}
      <p>
        Not applied at {report.domain}: <code class="break">{report.rules.join(", ")}</code>
      </p>
      <p>
        <a href={`/operator/fingerprints/${encodeURIComponent(report.tool_id)}`}>Rules of {report.tool}</a>
      </p>
    </DetailRow>
  );
}

const DETECTION_HEADS = ["Domain", { number: "Confidence" }, { number: "Evidence" }, "Scanned"] as const;

/** A tool's rules with their reasons, and its latest detections with their evidence. */
export function FingerprintPage({ tool }: { readonly tool: string }) {
  const path = `/console/admin/fingerprints/${encodeURIComponent(tool)}`;
  const [result, reload] = useQuery((signal) => requestAsOperator<ToolExplanation>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href="/operator/fingerprints">All fingerprints</a>
      </p>
      <QueryResult result={result} retry={reload} lines={8}>
        {(explanation) => <ToolDetails tool={explanation} />}
      </QueryResult>
    </>
  );
}

function ToolDetails({ tool }: { readonly tool: ToolExplanation }) {
  const facts: readonly (readonly [string, string])[] = [
    ["Vendor", tool.vendor],
    ["Also called", tool.aliases.join(", ")],
    ["Part of", tool.product_of ?? ""],
    ["Email roles", tool.roles.join(", ")],
    ["Implies", tool.implies.join(", ")],
    ["Excludes", tool.excludes.join(", ")],
    ["Requires", tool.requires.join(", ")],
  ];
  return (
    <>
      <header>
        <h2 class="section-title">{tool.name}</h2>
        <p class="faint">
          {tool.category} · detected at {pluralise(tool.domains, "company", "companies")} ·{" "}
          <ExternalLink href={tool.website}>{URL.parse(tool.website)?.hostname ?? tool.website}</ExternalLink>
        </p>
      </header>
      <dl class="pairs panel">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        <dt>ID</dt>
        <dd>
          <code>{tool.id}</code>
        </dd>
      </dl>
      <Section title="Rules" class="stack">
        <ul class="rows">
          {tool.rules.map((rule) => (
            <Rule key={rule.id} rule={rule} />
          ))}
        </ul>
      </Section>
      <Section title="Latest detections" class="stack">
        {tool.latest.length === 0 ? (
          <p class="faint">No stored scan detected this tool.</p>
        ) : (
          <CardTable label="Companies with this tool" heads={DETECTION_HEADS}>
            {tool.latest.map((scan) => (
              <DetailRow
                key={scan.domain}
                title={scan.domain}
                columns={DETECTION_HEADS.length}
                cells={
                  <>
                    <td class="number" data-label="Confidence">
                      {formatPercent(scan.confidence)}
                    </td>
                    <td class="number" data-label="Evidence">
                      {pluralise(scan.evidence.length, "signal")}
                    </td>
                    <td data-label="Scanned" class="one-line">
                      {formatMoment(scan.scanned_at)}
                    </td>
                  </>
                }
              >
                <ul class="plain evidence-short">
                  {scan.evidence.map(({ rule, signal, value, location }) => (
                    <li key={`${rule} ${value} ${location}`}>
                      <code class="break">{value}</code>{" "}
                      <span class="faint break">
                        {rule.split("/").at(-1)}, {signal} at {location}
                      </span>
                    </li>
                  ))}
                </ul>
                <p>
                  <a href={`/lookup/${encodeURIComponent(scan.domain)}?tool=${encodeURIComponent(tool.name)}`}>
                    {tool.name} at {scan.domain}
                  </a>
                </p>
              </DetailRow>
            ))}
          </CardTable>
        )}
      </Section>
    </>
  );
}

function Rule({ rule }: { readonly rule: ToolExplanation["rules"][number] }) {
  return (
    <li class="row">
      <span class="row-title">{humanise(rule.id)}</span>
      <span>
        <span class={rule.strength === "weak" ? "tag warm" : "tag"}>{humanise(rule.strength)}</span>{" "}
        {rule.own && <span class="tag plain-tag">Custom</span>}
      </span>
      <span>{humanise(rule.why)}.</span>
      <dl class="rule-match">
        {Object.entries(rule.match).map(([test, value]) => (
          <div key={test}>
            <dt>{humanise(test).toLowerCase()}</dt>
            <dd class="break">
              <code>{Array.isArray(value) ? value.join(", ") : String(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <span class="faint small break">in {rule.see.join(", ")}</span>
      {rule.means !== "runs" && <span class="faint">Means: {humanise(rule.means).toLowerCase()}</span>}
    </li>
  );
}
