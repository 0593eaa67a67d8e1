import { useEffect, useState } from "preact/hooks";
import { request } from "../api-client.ts";
import type { CompanyList, CompanyRecord } from "../api-types.ts";
import { Empty, type Page, Pages, QueryResult } from "../components/status.tsx";
import { apiKey } from "../credentials.ts";
import { countStudies, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { navigate, urlFor, useTitle } from "../router.ts";

const DEBOUNCE_MS = 300;
const PAGE_SIZE = "60";

async function fetchVendors(q: string, cursor?: string, signal?: AbortSignal): Promise<Page<CompanyRecord>> {
  const page = await request<CompanyList>(urlFor("/v1/companies", { q, limit: PAGE_SIZE, cursor }), { signal });
  return { items: page.companies, total: page.total, next: page.next_cursor };
}

export function VendorList({ query }: { readonly query: URLSearchParams }) {
  useTitle("Vendors");
  const key = useObservable(apiKey);
  const q = query.get("q")?.slice(0, 200) ?? "";
  const [typed, setTyped] = useState(q);
  useEffect(() => setTyped(q), [q]);
  useEffect(() => {
    if (typed === q) return;
    const timer = setTimeout(() => navigate(urlFor("/companies", { q: typed.trim() }), { replace: true }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, q]);
  const [result, reload] = useQuery((signal) => fetchVendors(q, undefined, signal), [q, key]);
  return (
    <>
      <h1>Vendors</h1>
      <p class="lead">Companies whose case studies are in the search index.</p>
      <search class="look-up wide">
        <label for="vendor">Name or domain</label>
        <input
          id="vendor"
          type="search"
          placeholder="kubernetes"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
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
          <ul class="vendor-list">
            {vendors.map((vendor) => (
              <li key={vendor.slug}>
                <a class="vendor-row" href={`/companies/${encodeURIComponent(vendor.slug)}`}>
                  <span class="monogram" aria-hidden="true">
                    {vendor.name.slice(0, 1).toUpperCase()}
                  </span>
                  <span class="vendor-name">{vendor.name}</span>
                  <span class="faint">{[vendor.domain, vendor.industry].filter(Boolean).join(" · ")}</span>
                  <span class="vendor-count">{countStudies(vendor.total_case_studies)}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Pages>
    </>
  );
}
