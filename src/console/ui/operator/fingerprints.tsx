import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { FalsePositive, UnmatchedCount } from "../../../detection/types.ts";
import { requestAsOperator } from "../api-client.ts";
import type { ToolExplanation } from "../api-types.ts";
import { DebouncedField, Field } from "../components/fields.tsx";
import { ExternalLink, Section } from "../components/panels.tsx";
import { MutationError, QueryResult } from "../components/status.tsx";
import { formatDay, formatPercent, formatTime, humanise, pluralise } from "../format.ts";
import { useMutation, useQuery } from "../queries.ts";
import { navigate, urlFor } from "../router.ts";
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
            onChange={(text) => navigate(urlFor("/operator/fingerprints", { q: text }), { replace: true })}
          />
        </div>
        <PagedList<FingerprintEntry>
          path="/console/admin/fingerprints"
          query={{ q, limit: "9" }}
          field="fingerprints"
          empty="No tools found"
          noun={["tool", "tools"]}
        >
          {(tools) => (
            <ul class="tool-grid">
              {tools.map((tool) => (
                <li key={tool.id}>
                  <a class="row-link" href={`/operator/fingerprints/${encodeURIComponent(tool.id)}`}>
                    <span class="row-title">{tool.name}</span>
                    <span class="faint">
                      {tool.category}, {pluralise(tool.rules, "rule")}
                      {tool.own && ", with custom rules"}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
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
            <ul class="rows">
              {unknown.map(({ kind, value, companies, domain }) => (
                <li key={`${kind} ${value}`} class="row">
                  <code class="row-title break">{value}</code>
                  <span class="faint">
                    {kind}, at {pluralise(companies, "company", "companies")}, such as {domain}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </Section>
      <Section title="False positives" class="stack">
        <Permitted action="POST /admin/feedback">
          <ReportForm onDone={reload} />
        </Permitted>
        <PagedList<FalsePositive> path="/console/admin/feedback" field="feedback" empty="No reports" version={version}>
          {(reports) => (
            <ul class="rows">
              {reports.map((report) => (
                <ReportRow key={`${report.domain} ${report.tool_id}`} report={report} onDone={reload} />
              ))}
            </ul>
          )}
        </PagedList>
      </Section>
    </>
  );
}

function ReportForm({ onDone }: { readonly onDone: () => void }) {
  const [domain, setDomain] = useState("");
  const [tool, setTool] = useState("");
  const mutation = useMutation();
  const send = async (event: Event) => {
    event.preventDefault();
    if (await mutation.run(() => requestAsOperator("/console/admin/feedback", { json: { domain, tool } }))) {
      setTool("");
      onDone();
    }
  };
  return (
    <form class="panel fields" onSubmit={send} noValidate>
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
    </form>
  );
}
function ReportRow({ report, onDone }: { readonly report: FalsePositive; readonly onDone: () => void }) {
  const mutation = useMutation();
  const path = `/console/admin/feedback/${encodeURIComponent(report.domain)}/${encodeURIComponent(report.tool_id)}`;
  const remove = async () => {
    if (await mutation.run(() => requestAsOperator(path, { method: "DELETE" }))) onDone();
  };
  return (
    <li class="row">
      <span class="row-title">
        {report.tool} at {report.domain}
      </span>
      <span class="faint">
        {report.rules.join(", ")}, {formatDay(report.reported_at)}
      </span>
      <Permitted action="DELETE /admin/feedback/:domain/:tool">
        <button type="button" class="button small" disabled={mutation.busy} onClick={remove}>
          Remove<span class="visually-hidden"> the report of {report.tool}</span>
        </button>
      </Permitted>
    </li>
  );
}

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
          <ul class="rows">
            {tool.latest.map((scan) => (
              <li key={scan.domain} class="row">
                <span class="row-title">
                  <a href={`/lookup/${encodeURIComponent(scan.domain)}?tool=${encodeURIComponent(tool.name)}`}>
                    {scan.domain}
                  </a>
                </span>
                <span class="faint">
                  {formatPercent(scan.confidence)} confidence, {formatTime(scan.scanned_at)}
                </span>
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
              </li>
            ))}
          </ul>
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
