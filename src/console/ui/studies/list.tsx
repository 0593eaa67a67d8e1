import { useEffect, useState } from "preact/hooks";
import { DebouncedField, IndustrySelect, Segmented } from "../components/fields.tsx";
import { Empty, Pages, QueryResult } from "../components/status.tsx";
import { StudyCard } from "../components/study-card.tsx";
import { apiKey } from "../credentials.ts";
import { countStudies, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { navigate, useTitle } from "../router.ts";
import {
  FILTERS,
  findStudies,
  listStudies,
  loadIndustries,
  parseSearch,
  type Search,
  type StudyResults,
  searchUrl,
} from "./search.ts";

/** Wait after the last key press: each search counts as a request. */
const DEBOUNCE_MS = 400;
const EXAMPLE_QUERIES = ["lower cloud costs", "fewer outages", "faster releases", "left a legacy data centre"];

export function StudyList({ query }: { readonly query: URLSearchParams }) {
  useTitle("Case studies");
  const key = useObservable(apiKey);
  const search = parseSearch(query);
  const url = searchUrl(search);
  const [result, reload] = useQuery((signal) => findStudies(search, signal), [url, key]);
  const update = (change: Partial<Search>) => navigate(searchUrl({ ...search, ...change }), { replace: true });
  return (
    <>
      <h1>Case studies</h1>
      <p class="lead">Search the case studies that vendors publish. Results also match by meaning.</p>
      <SearchForm text={search.q} onSearch={(q) => update({ q })} />
      <Filters search={search} onChange={update} />
      <QueryResult result={result} retry={reload} lines={8}>
        {(page, loading) => <Results key={`${url} ${loading}`} search={search} first={page} loading={loading} />}
      </QueryResult>
    </>
  );
}

function SearchForm({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  // The browser's back button restores the previous text.
  useEffect(() => setTyped(text), [text]);
  // Only typing starts the timer; `onSearch` is a new function on every render.
  useEffect(() => {
    const { length } = typed.trim();
    if (typed === text || length === 1 || length === 2) return;
    const timer = setTimeout(() => onSearch(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search>
      <form
        class="look-up wide"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed);
        }}
      >
        <label for="query">Query</label>
        <div class="look-up-row">
          <input
            id="query"
            type="search"
            maxLength={1_000}
            placeholder="Which companies reduced their cloud bill?"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit" class="button primary">
            Search
          </button>
        </div>
        {text === "" && (
          <p class="try">
            Try{" "}
            {EXAMPLE_QUERIES.map((query, index) => (
              <span key={query}>
                {index > 0 && ", "}
                <button type="button" class="link" onClick={() => onSearch(query)}>
                  {query}
                </button>
              </span>
            ))}
          </p>
        )}
      </form>
    </search>
  );
}

interface FiltersProps {
  readonly search: Search;
  readonly onChange: (change: Partial<Search>) => void;
}

/** The search mode and the filters. With a query, only industry and vendor filter the results. */
function Filters({ search, onChange }: FiltersProps) {
  const hasQuery = search.q.trim() !== "";
  const active = FILTERS.filter((name) => search[name] !== "");
  const key = useObservable(apiKey);
  const [open, setOpen] = useState(active.length > 0);
  // The list of industries counts as a request, so it is loaded only when the filters are open.
  const [industries] = useQuery(key !== null && open ? loadIndustries : null, [key, open]);
  const field = (name: (typeof FILTERS)[number], label: string, hint?: string, type?: "date") => (
    <DebouncedField
      label={label}
      type={type ?? "text"}
      value={search[name]}
      hint={hint}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <div class="filters">
      <Segmented
        legend="Search mode"
        name="mode"
        value={search.mode}
        onChange={(mode) => onChange({ mode })}
        options={[
          ["hybrid", "Hybrid", "By meaning and by keyword"],
          ["semantic", "Semantic", "By meaning"],
          ["keyword", "Keyword", "By keyword"],
        ]}
      />
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Filters{active.length > 0 && <span class="count">{active.length}</span>}</summary>
        <div class="filter-fields">
          <IndustrySelect
            industries={industries.state === "loaded" ? industries.data : []}
            value={search.industry}
            onChange={(industry) => onChange({ industry })}
          />
          {field("company", "Vendor", "Slug, such as kubernetes")}
          {!hasQuery && (
            <>
              {field("client", "Client", "Name or domain")}
              {field("country", "Country", "Two-letter code, such as DE")}
              {field("after", "From", undefined, "date")}
              {field("before", "Until", undefined, "date")}
            </>
          )}
        </div>
        {hasQuery && <p class="hint">Client, country and date filters apply only to the list without a query.</p>}
        {active.length > 0 && (
          <button
            type="button"
            class="button small"
            onClick={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, ""])))}
          >
            Clear filters
          </button>
        )}
      </details>
    </div>
  );
}

interface ResultsProps {
  readonly search: Search;
  readonly first: StudyResults;
  readonly loading: boolean;
}

function Results({ search, first, loading }: ResultsProps) {
  const notices = first.notices.map((notice) => (
    <p key={notice} class="hint" role="status">
      {notice}
    </p>
  ));
  if (first.items.length === 0) {
    return (
      <Empty title="No case studies found">
        {notices}
        <p>Use other words, change the search mode or clear a filter.</p>
      </Empty>
    );
  }
  return (
    <section aria-label="Results" aria-busy={loading} class={loading ? "loading-previous" : undefined}>
      <p class="faint" role="status">
        {first.total === undefined
          ? pluralise(first.items.length, "best match", "best matches")
          : `${countStudies(first.total)}, newest first`}
      </p>
      {notices}
      <Pages first={first} load={(cursor) => listStudies(search, cursor)}>
        {(studies) => (
          <div class="results">
            {studies.map((study) => (
              <StudyCard key={study.id} study={study} />
            ))}
          </div>
        )}
      </Pages>
    </section>
  );
}
