import { request } from "../api-client.ts";
import type { CompanyList, CompanyRecord } from "../api-types.ts";
import { NameSearch } from "../components/fields.tsx";
import { Empty, type Page, Pages, QueryResult } from "../components/status.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { CompanyIcon } from "../components/tool-icon.tsx";
import { apiKey } from "../credentials.ts";
import { formatNumber, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { setFilter, urlFor, useTitle } from "../router.ts";

const COLUMNS: readonly Column<CompanyRecord>[] = [
  {
    name: "vendor",
    title: "Vendor",
    compare: (one, other) => one.name.localeCompare(other.name),
    cell: ({ name, domain }) => (
      <>
        <CompanyIcon domain={domain ?? ""} name={name} />
        {name}
      </>
    ),
  },
  { name: "domain", title: "Domain", kind: "middle", cell: ({ domain }) => domain ?? "" },
  {
    name: "industry",
    title: "Industry",
    kind: "wide",
    compare: (one, other) => (one.industry ?? "").localeCompare(other.industry ?? ""),
    cell: ({ industry }) => industry ?? "",
  },
  {
    name: "studies",
    title: "Case studies",
    kind: "number",
    compare: (one, other) => one.total_case_studies - other.total_case_studies,
    cell: ({ total_case_studies }) => formatNumber(total_case_studies),
  },
];

const PAGE_SIZE = "60";

async function fetchVendors(q: string, cursor?: string, signal?: AbortSignal): Promise<Page<CompanyRecord>> {
  const page = await request<CompanyList>(urlFor("/v1/companies", { q, limit: PAGE_SIZE, cursor }), { signal });
  return { items: page.companies, total: page.total, next: page.next_cursor };
}

export function VendorList({ query }: { readonly query: URLSearchParams }) {
  useTitle("Vendors");
  const key = useObservable(apiKey);
  const q = query.get("q")?.slice(0, 200) ?? "";
  const [result, reload] = useQuery((signal) => fetchVendors(q, undefined, signal), [q, key], `vendors ${key} ${q}`);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Vendors</h1>
          <p class="faint">Companies whose case studies are in the search index</p>
        </div>
        <a class="button" href="/compare">
          Compare vendors
        </a>
      </div>
      <search class="vendor-filter">
        <NameSearch
          label="Name or domain"
          value={q}
          onSearch={(name) => setFilter(urlFor("/companies", { q: name }))}
        />
      </search>
      <QueryResult result={result} retry={reload} lines={8}>
        {(page, loading) => <Results key={`${q} ${loading}`} first={page} q={q} />}
      </QueryResult>
    </>
  );
}

function Results({ first, q }: { readonly first: Page<CompanyRecord>; readonly q: string }) {
  if (first.items.length === 0) {
    return (
      <Empty title={q === "" ? "No vendors" : `No vendor matches “${q}”`}>
        <p>
          Import case studies, or <a href="/submit">submit a case-study page</a>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p class="faint" role="status">
        {pluralise(first.total ?? 0, "vendor")}
      </p>
      <Pages first={first} load={(cursor) => fetchVendors(q, cursor)}>
        {(vendors) => (
          <DataTable
            label="Vendors"
            rows={vendors}
            columns={COLUMNS}
            keyOf={({ slug }) => slug}
            href={({ slug }) => `/companies/${encodeURIComponent(slug)}`}
          />
        )}
      </Pages>
    </>
  );
}
