import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api-client.ts";
import type { CompanyList, CompanyRecord, Comparison } from "../api-types.ts";
import { Bars } from "../components/bars.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Field, IndustrySelect } from "../components/fields.tsx";
import { Icon } from "../components/icon.tsx";
import { OutcomeFigure } from "../components/outcome-figure.tsx";
import { ScrollRegion } from "../components/panels.tsx";
import { Empty, QueryResult } from "../components/status.tsx";
import { apiKey } from "../credentials.ts";
import { formatPercent } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { navigate, urlFor, useTitle } from "../router.ts";
import { loadIndustries } from "../studies/search.ts";

const DEBOUNCE_MS = 300;

interface PickerProps {
  readonly slugs: readonly string[];
  readonly industry: string;
  readonly max: number;
  readonly onChange: (slugs: readonly string[], industry?: string) => void;
}

/** Adds vendors by name and filters the comparison by industry. */
function Picker({ slugs, industry, max, onChange }: PickerProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState<readonly CompanyRecord[]>([]);
  const key = useObservable(apiKey);
  const [industries] = useQuery(key === null ? null : loadIndustries, [key]);
  useEffect(() => {
    setFound([]);
    if (typed.trim().length < 2) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const url = urlFor("/v1/companies", { q: typed.trim(), limit: "6" });
      const page = await request<CompanyList>(url, { signal: controller.signal }).catch(() => undefined);
      if (page && !controller.signal.aborted) setFound(page.companies);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed]);
  const add = (slug: string | undefined) => {
    if (slug === undefined) return;
    onChange([...new Set([...slugs, slug])].slice(0, max));
    setTyped("");
    // The pressed button is gone: move the focus back to the field.
    form.current?.querySelector("input")?.focus();
  };
  const full = slugs.length >= max;
  const suggestions = found.filter(({ slug }) => !slugs.includes(slug));
  return (
    <div class="picker">
      <form
        ref={form}
        class="picker-add"
        onSubmit={(event) => {
          event.preventDefault();
          add(suggestions[0]?.slug);
        }}
      >
        <Field
          label="Add a vendor"
          type="search"
          value={typed}
          onInput={setTyped}
          required
          hint={full ? `At most ${max} vendors; remove one first.` : "Type at least two letters."}
        />
        {typed.trim().length >= 2 && suggestions.length > 0 && !full && (
          <ul class="suggestions" aria-label="Matching vendors">
            {suggestions.map((company) => (
              <li key={company.slug}>
                <button type="button" onClick={() => add(company.slug)}>
                  <Icon name="plus" />
                  {company.name}
                  <span class="faint">{company.total_case_studies}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </form>
      <IndustrySelect
        label="Industry"
        industries={industries.state === "loaded" ? industries.data : []}
        value={industry}
        onChange={(selected) => onChange(slugs, selected)}
      />
    </div>
  );
}

type ComparedVendor = Comparison["companies"][number];

interface TableProps {
  readonly comparison: Comparison;
  readonly onRemove: (slug: string) => void;
}

function ComparisonTable({ comparison: { companies, industry }, onRemove }: TableProps) {
  const row = (name: string, cell: (compared: ComparedVendor) => ComponentChildren) => (
    <tr>
      <th scope="row">{name}</th>
      {companies.map((compared) => (
        <td key={compared.company.slug}>{cell(compared)}</td>
      ))}
    </tr>
  );
  return (
    <ScrollRegion label="Comparison">
      <table class="comparison">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Attribute</span>
              {industry && <span class="faint">in {industry}</span>}
            </th>
            {companies.map(({ company }) => (
              <th key={company.slug} scope="col">
                <span class="column-head">
                  <a href={`/companies/${encodeURIComponent(company.slug)}`}>{company.name}</a>
                  <button
                    type="button"
                    class="button quiet square small"
                    aria-label={`Remove ${company.name}`}
                    onClick={() => onRemove(company.slug)}
                  >
                    <Icon name="close" />
                  </button>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row("Case studies", ({ total_case_studies }) => (
            <strong class="big">{total_case_studies}</strong>
          ))}
          {row("Industries", ({ top_industries, company }) =>
            top_industries.length === 0 ? (
              <None />
            ) : (
              <Bars
                label={`Industries of ${company.name}`}
                bars={top_industries.slice(0, 5).map((each) => ({
                  label: each.industry,
                  value: each.share,
                  text: formatPercent(each.share),
                }))}
              />
            ),
          )}
          {row("Notable clients", ({ notable_clients }) =>
            notable_clients.length === 0 ? (
              <None />
            ) : (
              <ul class="plain">
                {notable_clients.slice(0, 8).map(({ client }) => (
                  <li key={client}>{client}</li>
                ))}
              </ul>
            ),
          )}
          {row("Outcomes", ({ case_studies }) => (
            <Figures studies={case_studies} />
          ))}
          {row("Latest case studies", ({ case_studies }) =>
            case_studies.length === 0 ? (
              <None />
            ) : (
              <ul class="plain spaced">
                {case_studies.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`/studies/${encodeURIComponent(id)}`}>{title}</a>
                  </li>
                ))}
              </ul>
            ),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const None = () => <span class="faint">None</span>;

/** The first figure of each case study shown. */
function Figures({ studies }: { readonly studies: ComparedVendor["case_studies"] }) {
  const shown = studies
    .flatMap(({ id, outcomes }) => {
      const outcome = outcomes.find(({ value }) => value !== null);
      return outcome ? [{ id, outcome }] : [];
    })
    .slice(0, 4);
  if (shown.length === 0) return <None />;
  return (
    <ul class="figures small">
      {shown.map(({ id, outcome }) => (
        <li key={id} title={outcome.text}>
          <OutcomeFigure outcome={outcome} />
        </li>
      ))}
    </ul>
  );
}

const MAX_VENDORS = 5;

export function Compare({ query }: { readonly query: URLSearchParams }) {
  useTitle("Compare vendors");
  const key = useObservable(apiKey);
  const slugs = [...new Set((query.get("c") ?? "").split(",").filter(Boolean))].slice(0, MAX_VENDORS);
  const industry = query.get("industry")?.slice(0, 200) ?? "";
  const update = (companies: readonly string[], inIndustry = industry) =>
    navigate(urlFor("/compare", { c: companies.join(","), industry: inIndustry }), { replace: true });
  const [result, reload] = useQuery(
    slugs.length === 0
      ? null
      : (signal) =>
          request<Comparison>("/v1/compare", { json: { companies: slugs, industry: industry || undefined }, signal }),
    [slugs.join(","), industry, key],
  );
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Compare vendors</h1>
          <p class="lead">Compare up to {MAX_VENDORS} vendors. Copy the link to share the comparison.</p>
        </div>
        {slugs.length > 0 && (
          <div class="actions">
            <CopyButton text={location.href} what="to this comparison" label="Copy link" />
          </div>
        )}
      </div>
      <Picker slugs={slugs} industry={industry} max={MAX_VENDORS} onChange={update} />
      {slugs.length === 0 ? (
        <Empty title="No vendors selected">
          <p>
            Type a name above, or try <a href="/compare?c=kubernetes,prometheus">Kubernetes and Prometheus</a>.
          </p>
        </Empty>
      ) : (
        <QueryResult result={result} retry={reload} lines={8}>
          {(comparison) => (
            <ComparisonTable
              comparison={comparison}
              onRemove={(slug) => update(slugs.filter((each) => each !== slug))}
            />
          )}
        </QueryResult>
      )}
    </>
  );
}
