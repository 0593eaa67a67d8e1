import { request } from "../api-client.ts";
import type { StackDomain, StackDomains, ToolDetail, UsedTools } from "../api-types.ts";
import { LineChart } from "../components/charts.tsx";
import { Icon } from "../components/icon.tsx";
import { Figures } from "../components/marks.tsx";
import { Empty, MutationError, type Page, Pages, QueryResult } from "../components/status.tsx";
import { ToolIcon, useAreas } from "../components/tool-icon.tsx";
import { apiKey } from "../credentials.ts";
import { download } from "../download.ts";
import { formatDay, formatNumber, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useMutation, useQuery } from "../queries.ts";
import { urlFor, useTitle } from "../router.ts";
import { CompanyTable } from "./company-table.tsx";

const PAGE_SIZE = 100;
const RIVALS = 8;
const MIN_FOR_TREND = 3;

/** One tool: who uses it here, when it was first seen, and what is used in its place. */
export function ToolPage({ id }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const [result, retry] = useQuery(
    (signal) => request<ToolDetail>(`/v1/tools/${encodeURIComponent(id)}`, { signal }),
    [key, id],
    `tool ${key} ${id}`,
  );
  useTitle(result.state === "loaded" ? result.data.name : id);
  return (
    <QueryResult result={result} retry={retry} lines={8}>
      {(tool) => (
        <>
          <div class="page-head">
            <div class="identity">
              <ToolIcon tool={tool.name} category={tool.category} large />
              <div>
                <h1>{tool.name}</h1>
                <p class="faint">
                  <a href={urlFor("/tools", { category: tool.category })}>{tool.category}</a>
                  {tool.vendor === null || tool.vendor === tool.name ? "" : ` · ${tool.vendor}`}
                  {tool.website !== null && (
                    <>
                      {" · "}
                      <a href={tool.website} rel="noreferrer noopener nofollow" target="_blank">
                        {tool.website.replace(/^https?:\/\/(?:www\.)?|\/$/g, "")}
                      </a>
                    </>
                  )}
                </p>
              </div>
            </div>
            <div class="actions">
              <a class="button" href={urlFor("/query", { all: tool.id })}>
                Use in a query
              </a>
              <ExportCompanies id={tool.id} />
            </div>
          </div>
          <Figures
            figures={[
              [formatNumber(tool.companies), tool.companies === 1 ? "company uses it" : "companies use it"],
              ...(tool.first_seen === null ? [] : [[formatDay(tool.first_seen), "first seen"] as const]),
              ...(tool.last_seen === null ? [] : [[formatDay(tool.last_seen), "last seen"] as const]),
            ]}
          />
          {(tool.index?.pending ?? 0) > 0 && (
            <p class="hint" role="status">
              {pluralise(tool.index?.pending ?? 0, "company", "companies")} not in the index yet.
            </p>
          )}
          <div class="tool-columns">
            <Users tool={tool} />
            <Rivals tool={tool} />
          </div>
        </>
      )}
    </QueryResult>
  );
}

function ExportCompanies({ id }: { readonly id: string }) {
  const mutation = useMutation();
  const save = () => download(`/v1/tools/${encodeURIComponent(id)}/companies?format=csv`, `${id}.csv`);
  return (
    <>
      <button type="button" class="button primary" disabled={mutation.busy} onClick={() => mutation.run(save)}>
        <Icon name="down" />
        Export CSV
      </button>
      <MutationError mutation={mutation} />
    </>
  );
}

function Users({ tool }: { readonly tool: ToolDetail }) {
  const load = async (cursor?: string, signal?: AbortSignal): Promise<Page<StackDomain>> => {
    const path = `/v1/tools/${encodeURIComponent(tool.id)}/companies`;
    const page = await request<StackDomains>(urlFor(path, { limit: String(PAGE_SIZE), cursor }), { signal });
    return { items: page.domains, total: page.total, next: page.next_cursor };
  };
  const [result, retry] = useQuery((signal) => load(undefined, signal), [tool.id], `users ${apiKey.get()} ${tool.id}`);
  return (
    <section class="stack" aria-label={`Companies that use ${tool.name}`}>
      <QueryResult result={result} retry={retry} lines={6}>
        {(first) =>
          first.items.length === 0 ? (
            <Empty title="No scanned company uses it">
              <p>
                <a href="/lists">Scan a list of companies</a> to find some.
              </p>
            </Empty>
          ) : (
            <>
              {first.next === null && first.items.length >= MIN_FOR_TREND && (
                <Trend tool={tool} companies={first.items} />
              )}
              <Pages first={first} load={(cursor) => load(cursor)}>
                {(companies) => <CompanyTable companies={companies} hideStack />}
              </Pages>
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

/** Companies by the month of the first observation of the tool, which may be long after its introduction. All are loaded. */
function Trend({ tool, companies }: { readonly tool: ToolDetail; readonly companies: readonly StackDomain[] }) {
  const area = useAreas().get(tool.category) ?? 0;
  const months = companies.flatMap(
    ({ matched }) => matched.find(({ tool_id }) => tool_id === tool.id)?.first_seen.slice(0, 7) ?? [],
  );
  const labels = monthsBetween(months.toSorted()[0] ?? "", months.toSorted().at(-1) ?? "");
  if (labels.length < 2) return null;
  const values = labels.map((month) => months.filter((each) => each <= month).length);
  return (
    <LineChart
      title="Companies by when the tool was first seen here"
      kind="area"
      labels={labels}
      series={[{ name: "Companies", values, hue: `area-${area}` }]}
    />
  );
}

/** `2025-11`, `2026-01` → `2025-11`, `2025-12`, `2026-01`. */
function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month !== "" && month <= last && months.length < 240; ) {
    months.push(month);
    const [year = 0, number = 0] = month.split("-").map(Number);
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
  }
  return months;
}

/** Other tools of the category that companies here use, those that most use first. */
function Rivals({ tool }: { readonly tool: ToolDetail }) {
  const [result, retry] = useQuery(
    (signal) =>
      request<UsedTools>(urlFor("/v1/tools", { category: tool.category, limit: String(RIVALS + 1) }), { signal }),
    [tool.category],
  );
  const rivals = (tools: UsedTools["tools"]) =>
    tools.filter(({ id, companies }) => id !== tool.id && companies > 0).slice(0, RIVALS);
  if (result.state === "loaded" && rivals(result.data.tools).length === 0) return null;
  return (
    <aside class="rivals" aria-label={`Others in ${tool.category}`}>
      <h2>Others in {tool.category}</h2>
      <QueryResult result={result} retry={retry}>
        {({ tools }) => (
          <ul>
            {rivals(tools).map(({ id, name, category, companies }) => (
              <li key={id}>
                <a class="tool-name" href={`/tools/${encodeURIComponent(id)}`}>
                  <ToolIcon tool={name} category={category} />
                  {name}
                </a>
                <span class="tally">{formatNumber(companies)}</span>
                <a
                  class="faint"
                  href={`/query?all=${encodeURIComponent(tool.id)}&all=${encodeURIComponent(id)}`}
                  aria-label={`Companies that use both ${tool.name} and ${name}`}
                >
                  both
                </a>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </aside>
  );
}
