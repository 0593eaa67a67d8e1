import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { measuredBy, outcomeFigure } from "../../../casestudies/outcome-text.ts";
import { request } from "../api-client.ts";
import type { Comparison } from "../api-types.ts";
import { DotPlot, HeatMap } from "../components/charts.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Field, IndustrySelect } from "../components/fields.tsx";
import { Icon } from "../components/icon.tsx";
import { OutcomeFigure } from "../components/outcome-figure.tsx";
import { ScrollRegion } from "../components/panels.tsx";
import { Empty, QueryResult } from "../components/status.tsx";
import { apiKey } from "../credentials.ts";
import { capitalised } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { setFilter, urlFor, useTitle } from "../router.ts";
import { loadIndustries } from "../studies/search.ts";
import { useSuggestions } from "../suggestions.ts";

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
  const { vendors } = useSuggestions(typed);
  const key = useObservable(apiKey);
  const [industries] = useQuery(key === null ? null : loadIndustries, [key]);
  const add = (slug: string | undefined) => {
    if (slug === undefined) return;
    onChange([...new Set([...slugs, slug])].slice(0, max));
    setTyped("");
    // The pressed button is gone: move the focus back to the field.
    form.current?.querySelector("input")?.focus();
  };
  const full = slugs.length >= max;
  const suggestions = vendors.filter(({ slug }) => !slugs.includes(slug));
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
                  <span class="faint">{company.case_studies}</span>
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

const MAX_INDUSTRIES = 12;
/** Outcomes shown of each vendor, those with most figures. */
const NOUNS_EACH = 4;
/** Hues that differ clearly, one for each vendor. */
const HUES = [3, 2, 7, 9, 5];

/** What vendors have in common, on one axis: industries, outcomes in percent, clients. */
function Shared({ companies }: { readonly companies: readonly ComparedVendor[] }) {
  const names = companies.map(({ company }) => company.name);
  const industries = sharedIndustries(companies);
  const groups = percentChanges(companies);
  const clients = sharedClients(companies);
  return (
    <div class="shared">
      {industries.length > 0 && (
        <HeatMap
          title="Case studies by industry"
          rows={industries}
          columns={names}
          value={(row, column) =>
            companies[column]?.top_industries.find(({ industry }) => industry === industries[row])?.case_studies ?? 0
          }
        />
      )}
      {groups.length > 0 && (
        <DotPlot
          title="Reported changes in percent, decreases marked −"
          series={names.map((name, at) => ({ name, hue: `area-${HUES[at]}` }))}
          groups={groups}
          format={(value) => `${value}%`}
        />
      )}
      {companies.length > 1 && (
        <section>
          <h2>Clients of several</h2>
          {clients.length === 0 ? (
            <p class="faint">None of the named clients is a client of two of these vendors.</p>
          ) : (
            <ul class="plain">
              {clients.map(({ client, vendors }) => (
                <li key={client}>
                  {client} <span class="faint">{vendors.join(", ")}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  );
}

/** Industries of any vendor, those with most case studies first. */
function sharedIndustries(companies: readonly ComparedVendor[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { top_industries } of companies)
    for (const { industry, case_studies } of top_industries)
      counts.set(industry, (counts.get(industry) ?? 0) + case_studies);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_INDUSTRIES)
    .map(([industry]) => industry);
}

/** Only like with like: changes in percent, one row for each noun. */
function percentChanges(companies: readonly ComparedVendor[]) {
  const changes = companies.flatMap(({ case_studies }, of) => {
    const own = case_studies
      .flatMap(({ outcomes }) => outcomes)
      .filter(
        ({ value, unit, kind, direction }) =>
          value !== null && unit === "%" && kind === "change" && direction !== "absolute",
      );
    return [...Map.groupBy(own, measuredBy)]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .slice(0, NOUNS_EACH)
      .flatMap(([noun, outcomes]) =>
        outcomes.map((outcome) => ({
          noun,
          of,
          value: Math.abs(outcome.value ?? 0),
          isDecrease: outcome.direction === "decrease",
          text: outcomeFigure(outcome) ?? outcome.text,
        })),
      );
  });
  return [...Map.groupBy(changes, ({ noun }) => noun)]
    .map(([noun, dots]) => ({ name: capitalised(noun), dots }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

function sharedClients(companies: readonly ComparedVendor[]) {
  const vendors = new Map<string, string[]>();
  for (const { company, case_studies, notable_clients } of companies) {
    const names = [...notable_clients.map(({ client }) => client), ...case_studies.map(({ client }) => client.name)];
    for (const client of new Set(names))
      if (client) vendors.set(client, [...(vendors.get(client) ?? []), company.name]);
  }
  return [...vendors].flatMap(([client, of]) => (of.length > 1 ? [{ client, vendors: of }] : []));
}

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
                {case_studies.slice(0, SHOWN_STUDIES).map(({ id, title }) => (
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
const SHOWN_STUDIES = 5;
/** Enough for the figures of most vendors. */
const READ_STUDIES = 50;

export function Compare({ query }: { readonly query: URLSearchParams }) {
  useTitle("Compare vendors");
  const key = useObservable(apiKey);
  const slugs = [...new Set((query.get("c") ?? "").split(",").filter(Boolean))].slice(0, MAX_VENDORS);
  const industry = query.get("industry")?.slice(0, 200) ?? "";
  const update = (companies: readonly string[], inIndustry = industry) =>
    setFilter(urlFor("/compare", { c: companies.join(","), industry: inIndustry }));
  const [result, reload] = useQuery(
    slugs.length === 0
      ? null
      : (signal) =>
          request<Comparison>("/v1/compare", {
            json: { companies: slugs, industry: industry || undefined, limit_per_company: READ_STUDIES },
            signal,
          }),
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
            <>
              <Shared companies={comparison.companies} />
              <ComparisonTable
                comparison={comparison}
                onRemove={(slug) => update(slugs.filter((each) => each !== slug))}
              />
            </>
          )}
        </QueryResult>
      )}
    </>
  );
}
