import { useState } from "preact/hooks";
import type { DatedChange, Watch } from "../../../watches/types.ts";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { Field, Select } from "../components/fields.tsx";
import { Section } from "../components/panels.tsx";
import { MutationError } from "../components/status.tsx";
import { formatDay, formatMoment, pluralise } from "../format.ts";
import { useMutation } from "../queries.ts";
import { urlFor } from "../router.ts";
import { ConfirmButton, PagedList, Permitted } from "./parts.tsx";

const PATH = "/console/admin/watches";
const INTERVALS: readonly (readonly [string, string])[] = [
  ["24", "Every day"],
  ["168", "Every week"],
  ["336", "Every two weeks"],
  ["720", "Every month"],
];
const HOUR_MS = 3_600_000;
const OUTCOMES = {
  baseline: ["tag", "First scan done"],
  unchanged: ["tag", "No changes"],
  changed: ["tag", "Changed"],
  failed: ["tag bad", "Scan failed"],
} as const;

/** Domains that are scanned regularly, and the changes found. */
export function Watches({ query }: { readonly query: URLSearchParams }) {
  const [version, setVersion] = useState(0);
  return (
    <>
      <Permitted action="PUT /admin/watches/:domain">
        <AddWatch onAdded={() => setVersion((before) => before + 1)} />
      </Permitted>
      <Section title="Watched domains" class="stack">
        <PagedList<Watch> path={PATH} field="watches" empty="No watches" version={version}>
          {(watches, reload) => (
            <CardTable
              label="All watched domains"
              heads={["Domain", "Last scan", "Scanned", "Interval", "Next scan", { hidden: "Actions" }]}
            >
              {watches.map((watch) => (
                <WatchRow key={watch.domain} watch={watch} reload={reload} />
              ))}
            </CardTable>
          )}
        </PagedList>
      </Section>
      <ChangeList domain={query.get("domain") ?? ""} version={version} />
    </>
  );
}

function AddWatch({ onAdded }: { readonly onAdded: () => void }) {
  const [domain, setDomain] = useState("");
  const [hours, setHours] = useState("168");
  const mutation = useMutation();
  const add = async (event: Event) => {
    event.preventDefault();
    const host = domain
      .trim()
      .replace(/^https?:\/\//i, "")
      .replace(/[/?#].*$/, "");
    if (host === "") return;
    const path = `${PATH}/${encodeURIComponent(host)}`;
    if (!(await mutation.run(() => requestAsOperator(path, { method: "PUT", json: { every_hours: Number(hours) } }))))
      return;
    setDomain("");
    onAdded();
  };
  return (
    <form class="panel add-row" onSubmit={add} noValidate aria-label="Watch a domain">
      <Field
        label="Company domain"
        value={domain}
        onInput={setDomain}
        placeholder="acme.com"
        error={mutation.error?.message}
        required
      />
      <Select label="Interval" value={hours} onChange={setHours} options={INTERVALS} />
      <button type="submit" class="button primary" disabled={mutation.busy}>
        Watch
      </button>
    </form>
  );
}

function WatchRow({ watch, reload }: { readonly watch: Watch; readonly reload: () => void }) {
  const mutation = useMutation();
  const path = `${PATH}/${encodeURIComponent(watch.domain)}`;
  const change = async (method: "PUT" | "DELETE", json?: unknown) => {
    if (await mutation.run(() => requestAsOperator(path, { method, json }))) reload();
  };
  const [tone, label] = watch.paused
    ? ["tag plain-tag", "Paused"]
    : watch.last_outcome === null
      ? ["tag warm", "Not scanned yet"]
      : OUTCOMES[watch.last_outcome];
  return (
    <tr>
      <th scope="row" class="break">
        <a href={`/lookup/${encodeURIComponent(watch.domain)}`}>{watch.domain}</a>
        {watch.last_error && <p class="row-fault">{watch.last_error}</p>}
        <MutationError mutation={mutation} />
      </th>
      <td class="state">
        <span class={tone}>{label}</span>
      </td>
      <td data-label="Scanned" class="one-line">
        {watch.last_scan_at === null ? "–" : formatMoment(watch.last_scan_at)}
      </td>
      <td data-label="Interval" class="one-line">
        {formatInterval(watch.every_hours)}
      </td>
      <td data-label="Next scan" class="one-line">
        <span>
          {watch.paused ? "–" : formatMoment(watch.next_scan_at)}
          {!watch.paused && isEarlyRescan(watch) && <span class="faint"> to verify</span>}
        </span>
      </td>
      <td>
        <div class="actions">
          <a class="button small" href={urlFor("/operator/watches", { domain: watch.domain })}>
            Changes<span class="visually-hidden"> at {watch.domain}</span>
          </a>
          <Permitted action="PUT /admin/watches/:domain">
            <button
              type="button"
              class="button small"
              disabled={mutation.busy}
              onClick={() => change("PUT", { paused: !watch.paused })}
            >
              {watch.paused ? "Resume" : "Pause"}
              <span class="visually-hidden"> {watch.domain}</span>
            </button>
          </Permitted>
          <Permitted action="DELETE /admin/watches/:domain">
            <ConfirmButton
              confirm="Confirm removal"
              class="button small danger"
              busy={mutation.busy}
              onConfirm={() => change("DELETE")}
            >
              Remove<span class="visually-hidden"> {watch.domain}</span>
            </ConfirmButton>
          </Permitted>
        </div>
      </td>
    </tr>
  );
}

/** A scan that missed a tool or checked a data source only in part is verified before the interval ends. */
const isEarlyRescan = ({ last_outcome, last_scan_at, every_hours, next_scan_at }: Watch): boolean =>
  last_outcome !== "failed" && Date.parse(next_scan_at) < Date.parse(last_scan_at ?? "") + every_hours * HOUR_MS;

const formatInterval = (hours: number): string =>
  INTERVALS.find(([value]) => value === String(hours))?.[1] ??
  `Every ${hours % 24 === 0 ? pluralise(hours / 24, "day") : pluralise(hours, "hour")}`;

function ChangeList({ domain, version }: { readonly domain: string; readonly version: number }) {
  return (
    <Section title={domain === "" ? "Recent changes" : `Changes at ${domain}`} class="stack">
      {domain !== "" && (
        <p>
          <a class="button small" href="/operator/watches">
            Show all changes
          </a>
        </p>
      )}
      <PagedList<DatedChange>
        path="/console/admin/changes"
        query={{ domain }}
        field="changes"
        empty="No changes"
        version={version}
      >
        {(changes) => (
          <CardTable label="Changes" heads={["Tool", "Change", "Domain", "Category", "Seen", "Evidence"]}>
            {changes.map((change) => (
              <tr key={`${change.at} ${change.domain} ${change.tool_id}`}>
                <th scope="row">
                  <a href={`/tools/${encodeURIComponent(change.tool_id)}`}>{change.tool}</a>
                </th>
                <td class="state">
                  <span class={change.change === "appeared" ? "tag" : "tag warm"}>
                    {change.change === "appeared" ? "Appeared" : "No longer seen"}
                  </span>
                </td>
                <td data-label="Domain">
                  <a href={urlFor(`/lookup/${encodeURIComponent(change.domain)}`, { tab: "changes" })}>
                    {change.domain}
                  </a>
                </td>
                <td data-label="Category">{change.category}</td>
                <td data-label="Seen" class="one-line">
                  {formatDay(change.at)}
                  {change.change === "disappeared" && <span class="faint"> since {formatDay(change.first_seen)}</span>}
                </td>
                <td class="cut" title={change.evidence}>
                  <code class="small">{change.evidence}</code>
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </Section>
  );
}
