import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listText } from "../../../core/csv.ts";
import { request } from "../api-client.ts";
import type { Outcome, Result, Study } from "../api-types.ts";
import { useMedia } from "../components/docked-panel.tsx";
import { Facet, type FacetOption, FacetSwitch } from "../components/facets.tsx";
import { Segmented } from "../components/fields.tsx";
import { Highlighted } from "../components/highlighted.tsx";
import { Icon } from "../components/icon.tsx";
import { Banner, RemovableChip } from "../components/marks.tsx";
import { OutcomeFigure, shownOutcome } from "../components/outcome-figure.tsx";
import { Empty, Loading, Pages, QueryResult } from "../components/status.tsx";
import { copyText } from "../components/toast.tsx";
import { apiKey } from "../credentials.ts";
import { collection, collectionUrl, MAX_COLLECTED } from "../device-lists.ts";
import { countryName, countStudies, formatNumber } from "../format.ts";
import { saveFile, toCsv } from "../lookup/export.ts";
import { useObservable } from "../observable.ts";
import { keep, recall, serviceInfo, useQuery } from "../queries.ts";
import { setFilter, useTitle } from "../router.ts";
import { AlsoIn, AnswerView } from "./answer.tsx";
import { answerSentence } from "./answer-sentence.ts";
import { citation } from "./citation.ts";
import { Preview } from "./preview.tsx";
import {
  CLAIMS,
  type Facets,
  FILTERS,
  type FilterName,
  findStudies,
  listStudies,
  MODES,
  parseSearch,
  type Search,
  type StudyResults,
  searchUrl,
} from "./search.ts";

const EXAMPLE_QUERIES = ["lower cloud costs", "fewer outages", "faster releases", "left a legacy data centre"];
/** Facets have a column of their own. */
const WIDE = "(min-width: 60rem)";
/** Rows at first; a question has up to 50 results. */
const SHOWN_RESULTS = { wide: 20, narrow: 10 };
const MODE_WORDS = { hybrid: "Hybrid", semantic: "By meaning", keyword: "By keyword" } as const;

export function StudyList({ query }: { readonly query: URLSearchParams }) {
  const ids = query.get("ids");
  return ids === null ? <StudySearch query={query} /> : <Collection ids={ids.split(",").slice(0, MAX_COLLECTED)} />;
}

function StudySearch({ query }: { readonly query: URLSearchParams }) {
  const key = useObservable(apiKey);
  const search = parseSearch(query);
  const url = searchUrl(search);
  const wide = useMedia(WIDE);
  const [filtering, setFiltering] = useState(false);
  useTitle(search.q === "" ? "Case studies" : search.q);
  const isAnswer = search.q !== "" && search.view === "answer";
  const [result, reload] = useQuery(
    isAnswer ? null : (signal) => findStudies(search, signal),
    [url, key],
    `studies ${key} ${url}`,
  );
  const update = (change: Partial<Search>) => setFilter(searchUrl({ ...search, ...change }));
  // Those of the last result stay while the next one loads.
  const facets = (result.state === "loaded" ? result.data : result.state === "loading" ? result.previous : undefined)
    ?.facets;
  return (
    <>
      <h1 class="visually-hidden">Case studies</h1>
      <SearchForm text={search.q} onSearch={(q) => update({ q })} />
      {key !== null && (
        <Active
          search={search}
          onChange={update}
          results={result.state === "loaded" ? result.data : undefined}
          filters={
            wide || isAnswer ? null : (
              <button
                type="button"
                class="button small"
                aria-expanded={filtering}
                aria-controls="filters"
                onClick={() => setFiltering(!filtering)}
              >
                Filters{countFilters(search) > 0 && ` (${countFilters(search)})`}
              </button>
            )
          }
        />
      )}
      {isAnswer ? (
        <AnswerView search={search} />
      ) : (
        <div class={key === null ? "study-search keyless" : "study-search"}>
          {key !== null && (wide || filtering) && (
            <div class="facet-column" id="filters">
              {facets ? (
                <FacetColumn search={search} facets={facets} onChange={update} />
              ) : (
                result.state === "loading" && <Loading lines={8} label="Loading filters" />
              )}
            </div>
          )}
          <div class="study-results">
            <QueryResult result={result} retry={reload} lines={8}>
              {(page, loading) => (
                <Results
                  key={url}
                  first={page}
                  loading={loading}
                  load={async (cursor) => await listStudies(search, cursor)}
                />
              )}
            </QueryResult>
          </div>
        </div>
      )}
    </>
  );
}

/** Searches on Enter or the button, not while typing: each search counts as a request. */
function SearchForm({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  // The browser's back button restores the previous text.
  useEffect(() => setTyped(text), [text]);
  return (
    <search>
      <form
        class="study-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <label class="visually-hidden" for="query">
          Query
        </label>
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
      </form>
      {text === "" && (
        <p class="try">
          Try{" "}
          {EXAMPLE_QUERIES.map((query, index) => (
            <Fragment key={query}>
              {index > 0 && ", "}
              <button type="button" class="link" onClick={() => onSearch(query)}>
                {query}
              </button>
            </Fragment>
          ))}
        </p>
      )}
    </search>
  );
}

const countFilters = (search: Search): number =>
  FILTERS.filter((name) => search[name] !== "").length + Number(search.figures) + Number(search.mode !== "hybrid");

interface ActiveProps {
  readonly search: Search;
  readonly onChange: (change: Partial<Search>) => void;
  readonly results: StudyResults | undefined;
  /** The button that shows the facets, where they have no column. */
  readonly filters: ComponentChildren;
}

/** The filters that are set, the number of results, and what to do with them. */
function Active({ search, onChange, results, filters }: ActiveProps) {
  const collected = useObservable(collection);
  const items = results?.items ?? [];
  const isAnswer = search.q !== "" && search.view === "answer";
  return (
    <div class="study-bar">
      <div class="chips">
        {search.q !== "" && (
          <Segmented
            legend="View"
            name="view"
            isCostly
            value={search.view}
            onChange={(view) => onChange({ view })}
            options={[
              ["results", "Case studies", "The case studies that match, best first"],
              ["answer", "Answer", "The passages that answer, by what they claim"],
            ]}
          />
        )}
        {FILTERS.flatMap((name) =>
          search[name] === ""
            ? []
            : [
                <RemovableChip
                  key={name}
                  label={filterLabel(name, search[name])}
                  onRemove={() => onChange({ [name]: "" })}
                />,
              ],
        )}
        {search.figures && <RemovableChip label="Has figures" onRemove={() => onChange({ figures: false })} />}
        <span class="faint" role="status">
          {results === undefined || isAnswer
            ? ""
            : search.q === ""
              ? `${countStudies(results.total ?? 0)}${results.total === 0 ? "" : ", newest first"}`
              : `${formatNumber(items.length)} ${results.noGoodMatch ? "weak" : "best"} ${items.length === 1 ? "match" : "matches"}`}
        </span>
      </div>
      <div class="actions">
        {filters}
        {collected.length > 0 && (
          <a class="button small" href={collectionUrl(collected)}>
            Collection {collected.length}
          </a>
        )}
        <button
          type="button"
          class="button small"
          onClick={() => copyText(`${location.origin}${searchUrl(search)}`, "the address")}
        >
          <Icon name="share" />
          Share
        </button>
        {!isAnswer && <ExportButton studies={items} />}
      </div>
    </div>
  );
}

const EXPORTED = ["title", "vendor", "client", "industry", "country", "published", "outcomes", "url"] as const;

/** Saves the shown case studies as CSV. */
function ExportButton({ studies }: { readonly studies: readonly Study[] }) {
  const save = () => {
    const rows = studies.map((study) => [
      study.title,
      study.company.name,
      study.client.name,
      study.industry,
      study.country,
      study.published_at,
      listText(study.outcomes.map(({ text }) => text)),
      study.url,
    ]);
    saveFile("case-studies.csv", "text/csv", toCsv([EXPORTED, ...rows]));
  };
  return (
    <button type="button" class="button small" disabled={studies.length === 0} onClick={save}>
      <Icon name="down" />
      Export
    </button>
  );
}

interface FacetColumnProps {
  readonly search: Search;
  readonly facets: Facets;
  readonly onChange: (change: Partial<Search>) => void;
}

/** Filters with counts. They stay valid with a question. */
function FacetColumn({ search, facets, onChange }: FacetColumnProps) {
  const [info] = useQuery(serviceInfo, []);
  const { claims } = facets;
  const claimsAreHidden = info.state !== "loaded" || info.data.index_hidden;
  const one = (name: FilterName, title: string, options: readonly FacetOption[] = []) => (
    <Facet
      title={title}
      options={withChosen(options, name, search[name])}
      value={search[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      {one("company", "Vendor", facets.vendors)}
      {one("client", "Client", facets.clients)}
      {one("industry", "Client industry", facets.industries)}
      {one(
        "country",
        "Country",
        facets.countries.map((option) => ({ ...option, label: countryName(option.value) })),
      )}
      {one("year", "Year", facets.years)}
      {one("tool", "Tool", facets.tools)}
      {!claimsAreHidden &&
        one(
          "claim",
          claims?.complete === false ? `Claim, of the newest ${formatNumber(claims.counted)}` : "Claim",
          CLAIM_OPTIONS.map((option) => ({
            ...option,
            count: claims ? (claims.values.find(({ value }) => value === option.value)?.count ?? 0) : undefined,
          })),
        )}
      <FacetSwitch
        title="Outcome"
        label="Has figures"
        count={facets.figures}
        on={search.figures}
        onChange={(figures) => onChange({ figures })}
      />
      {search.q !== "" && (
        <Facet
          title="Search"
          required
          options={MODES.map((mode) => ({ value: mode, label: MODE_WORDS[mode] }))}
          value={search.mode}
          onChange={(chosen) => onChange({ mode: MODES.find((mode) => mode === chosen) ?? "hybrid" })}
        />
      )}
    </>
  );
}

const CLAIM_WORDS: Readonly<Record<string, string>> = {
  corroborated: "Seen at the client",
  replaced: "Another tool is seen",
  not_seen: "Not seen",
  cannot_be_seen: "Cannot be seen",
  not_checked: "Not checked",
};
const CLAIM_OPTIONS = CLAIMS.map((value) => ({ value, label: CLAIM_WORDS[value] ?? value }));

const filterLabel = (name: FilterName, value: string): string =>
  name === "country" && value.length === 2
    ? countryName(value.toUpperCase())
    : name === "claim"
      ? (CLAIM_WORDS[value] ?? value)
      : value;

/** A value from the address that no result has stays visible, so that it can be removed. */
const withChosen = (options: readonly FacetOption[], name: FilterName, chosen: string): readonly FacetOption[] =>
  chosen === "" || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: filterLabel(name, chosen), count: 0 }];

interface ResultsProps {
  readonly first: StudyResults;
  readonly loading: boolean;
  readonly load: (cursor: string) => Promise<StudyResults | Awaited<ReturnType<typeof listStudies>>>;
}

function Results({ first, loading, load }: ResultsProps) {
  const shown = SHOWN_RESULTS[useMedia(WIDE) ? "wide" : "narrow"];
  if (first.items.length === 0) {
    return (
      <Empty title="No case studies found">
        <Notices notices={first.notices} />
        <p>Use other words, or remove a filter.</p>
      </Empty>
    );
  }
  return (
    <section aria-label="Results" aria-busy={loading} class={loading ? "loading-previous" : undefined}>
      {first.noGoodMatch && (
        <Banner tone="warning">No good match: these case studies hardly answer the question.</Banner>
      )}
      <Notices notices={first.notices} />
      <Pages of={first} {...(first.next === null ? inTwoPages(first.items, shown) : { first, load })}>
        {(studies) => <ResultRows studies={studies} />}
      </Pages>
    </section>
  );
}

/** All results of a question are here; the weaker ones are shown on request. */
const inTwoPages = (items: StudyResults["items"], shown: number) => ({
  first: { items: items.slice(0, shown), next: items.length > shown ? "rest" : null },
  load: async () => ({ items: items.slice(shown), next: null }),
});

const Notices = ({ notices }: { readonly notices: readonly string[] }) => (
  <>
    {notices.map((notice) => (
      <p key={notice} class="hint" role="status">
        {notice}
      </p>
    ))}
  </>
);

/** Characters of a title that one line of a row holds in a window of 1280 px. */
const LONG_TITLE = 96;

/** Rows of at most 110 px, with a preview of the selected one. */
function ResultRows({ studies }: { readonly studies: readonly (Study | Result)[] }) {
  const place = `preview ${location.search}`;
  const [selected, setSelected] = useState(() => recall<string>(place));
  useEffect(() => keep(place, selected), [place, selected]);
  const at = studies.findIndex(({ id }) => id === selected);
  const shown = studies[at];
  const step = (by: 1 | -1) => {
    const next = studies[at + by];
    if (!next) return;
    setSelected(next.id);
    document.getElementById(`result-${next.id}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click next to the links is a shortcut for the button Preview */}
      <ul
        class="result-rows"
        onClick={({ target }) => {
          if (!(target instanceof Element) || target.closest("a, button")) return;
          const id = target.closest("li")?.id.replace(/^result-/, "");
          setSelected(id === selected ? undefined : id);
        }}
      >
        {studies.map((study) => (
          <li
            key={study.id}
            id={`result-${study.id}`}
            class={["result-row", study.id === selected && "on", study.title.length > LONG_TITLE && "long"]
              .filter(Boolean)
              .join(" ")}
          >
            <ResultRow study={study} onPreview={() => setSelected(study.id === selected ? undefined : study.id)} />
          </li>
        ))}
      </ul>
      {shown && <Preview study={shown} onClose={() => setSelected(undefined)} onStep={step} />}
    </>
  );
}

function ResultRow({ study, onPreview }: { readonly study: Study | Result; readonly onPreview: () => void }) {
  const match = "passage" in study ? study : undefined;
  const figure = shownOutcome(study.outcomes);
  const facts = [
    study.client.name ? `${study.company.name} → ${study.client.name}` : study.company.name,
    study.industry,
    study.published_at?.slice(0, 4),
  ];
  return (
    <>
      <div class="result-main">
        <h2>
          <a href={`/studies/${encodeURIComponent(study.id)}`}>{study.title}</a>
        </h2>
        <p class="result-meta" title={facts.filter(Boolean).join(" · ")}>
          {dotted([
            match?.relevance && <Relevance level={match.relevance} />,
            ...facts,
            match?.also_in && <AlsoIn studies={match.also_in} />,
          ])}
        </p>
        <p class="result-text">{match ? <Passage match={match} /> : study.summary}</p>
      </div>
      {figure && <Figure outcome={figure} />}
      <button
        type="button"
        class="button small quiet preview-button"
        aria-label={`Preview ${study.title}`}
        onClick={onPreview}
      >
        Preview
      </button>
    </>
  );
}

const RELEVANCE = {
  strong: ["Strong match", "Says what was asked, and stands out from the other results"],
  good: ["Good match", "Says most of what was asked"],
  weak: ["Weak match", "Shares words or a subject with the question, and may not answer it"],
} as const;

/** How well a case study answers a question; the tooltip says what the word means. */
const Relevance = ({ level }: { readonly level: keyof typeof RELEVANCE }) => (
  <strong class={`score ${level}`} title={RELEVANCE[level][1]}>
    {RELEVANCE[level][0]}
  </strong>
);

/** The passage from the sentence that answers on, which is marked. */
function Passage({ match }: { readonly match: Result }) {
  const sentence = answerSentence(match.passage, match.highlights);
  if (!sentence) return <>{match.passage}</>;
  const [from, to] = sentence;
  const text = from > 0 ? `… ${match.passage.slice(from)}` : match.passage;
  const start = from > 0 ? 2 : 0;
  return <Highlighted text={text} ranges={[[start, start + to - from]]} />;
}

const Figure = ({ outcome }: { readonly outcome: Outcome }) => (
  <p class="result-figure" title={outcome.text}>
    <OutcomeFigure outcome={outcome} />
  </p>
);

function dotted(parts: readonly ComponentChildren[]): ComponentChildren {
  return parts.filter(Boolean).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && " · "}
      {part}
    </Fragment>
  ));
}

/** Case studies that were chosen by hand; the address is the collection. */
function Collection({ ids }: { readonly ids: readonly string[] }) {
  useTitle("Collection");
  const key = useObservable(apiKey);
  const [result, reload] = useQuery(
    (signal) =>
      Promise.all(
        ids.filter(Boolean).map((id) => request<Study>(`/v1/casestudies/${encodeURIComponent(id)}`, { signal })),
      ),
    [ids.join(","), key],
  );
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Collection</h1>
          <p class="faint">{countStudies(ids.filter(Boolean).length)}</p>
        </div>
        {result.state === "loaded" && (
          <div class="actions">
            <button
              type="button"
              class="button"
              onClick={() => copyText(result.data.map(citation).join("\n"), "the citations")}
            >
              Copy citations
            </button>
            <button type="button" class="button" onClick={() => copyText(location.href, "the address")}>
              <Icon name="share" />
              Share
            </button>
            <ExportButton studies={result.data} />
          </div>
        )}
      </div>
      <QueryResult result={result} retry={reload} lines={8}>
        {(studies) => <ResultRows studies={studies} />}
      </QueryResult>
    </>
  );
}
