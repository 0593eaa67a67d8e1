import { request } from "../api-client.ts";
import type { UsedTool, UsedTools } from "../api-types.ts";
import { NameSearch, Select } from "../components/fields.tsx";
import { Empty, type Page, Pages, QueryResult } from "../components/status.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { ToolIcon } from "../components/tool-icon.tsx";
import { apiKey } from "../credentials.ts";
import { formatDay, formatNumber, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { serviceInfo, useQuery } from "../queries.ts";
import { setFilter, urlFor, useTitle } from "../router.ts";

const COLUMNS: readonly Column<UsedTool>[] = [
  {
    name: "tool",
    title: "Tool",
    cell: ({ name, category }) => (
      <span class="tool-name">
        <ToolIcon tool={name} category={category} />
        {name}
      </span>
    ),
    compare: (one, other) => one.name.localeCompare(other.name),
  },
  { name: "category", title: "Category", kind: "middle", cell: ({ category }) => category },
  {
    name: "companies",
    title: "Companies",
    kind: "number",
    cell: ({ companies }) => formatNumber(companies),
    compare: (one, other) => one.companies - other.companies,
  },
  {
    name: "first",
    title: "First seen",
    kind: "wide",
    cell: ({ first_seen }) => (first_seen === null ? "" : formatDay(first_seen)),
  },
  {
    name: "last",
    title: "Last seen",
    kind: "wide",
    cell: ({ last_seen }) => (last_seen === null ? "" : formatDay(last_seen)),
  },
];

/** All tools of the catalogue, those that most scanned companies use first. */
export function ToolList({ query }: { readonly query: URLSearchParams }) {
  useTitle("Tools");
  const key = useObservable(apiKey);
  const [info] = useQuery(serviceInfo, []);
  const filter = { q: query.get("q") ?? "", category: query.get("category") ?? "" };
  const change = (part: Partial<typeof filter>) => setFilter(urlFor("/tools", { ...filter, ...part }));
  const load = async (cursor?: string, signal?: AbortSignal): Promise<Page<UsedTool>> => {
    const page = await request<UsedTools>(urlFor("/v1/tools", { ...filter, limit: "50", cursor }), { signal });
    return { items: page.tools, total: page.total, next: page.next_cursor };
  };
  const [result, retry] = useQuery(
    (signal) => load(undefined, signal),
    [key, filter.q, filter.category],
    `tools ${key} ${filter.q} ${filter.category}`,
  );
  const categories = info.state === "loaded" ? info.data.areas.flatMap(({ categories: labels }) => labels).sort() : [];
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Tools</h1>
          <p class="faint">What the catalogue detects, and how many of the companies scanned here use it</p>
        </div>
        <a class="button" href="/query">
          Ask who uses what
        </a>
      </div>
      <search class="filter-line">
        <NameSearch label="Name of a tool" value={filter.q} onSearch={(q) => change({ q })} />
        <Select
          label="Category"
          value={filter.category}
          onChange={(category) => change({ category })}
          options={[["", "All categories"], ...categories.map((label) => [label, label] as const)]}
        />
      </search>
      <QueryResult result={result} retry={retry} lines={8}>
        {(first, loading) =>
          first.items.length === 0 ? (
            <Empty title="No tool has this name">
              <p>Names and aliases are searched. A tool of your own needs a fingerprint: see Contributing.</p>
            </Empty>
          ) : (
            <section aria-label="Tools" aria-busy={loading} class={loading ? "loading-previous" : undefined}>
              <p class="faint" role="status">
                {pluralise(first.total ?? 0, "tool")}
              </p>
              <Pages key={`${filter.q} ${filter.category}`} first={first} load={(cursor) => load(cursor)}>
                {(tools) => (
                  <DataTable
                    label="Tools"
                    rows={tools}
                    columns={COLUMNS}
                    keyOf={({ id }) => id}
                    href={({ id }) => `/tools/${encodeURIComponent(id)}`}
                  />
                )}
              </Pages>
            </section>
          )
        }
      </QueryResult>
    </>
  );
}
