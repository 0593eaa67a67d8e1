import type { ComponentChildren } from "preact";
import type { Comparison } from "../api-types.ts";
import { Bars } from "../parts/bars.tsx";
import { Icon } from "../parts/icon.tsx";
import { figureOf, percentOf, worded } from "../wording.ts";

type Compared = Comparison["companies"][number];

interface SideProps {
  readonly comparison: Comparison;
  readonly onRemove: (slug: string) => void;
}

/** A table: whoever listens can go along a row as well as down a column. */
export function SideBySide({ comparison: { companies, industry }, onRemove }: SideProps) {
  const row = (name: string, cell: (compared: Compared) => ComponentChildren) => (
    <tr>
      <th scope="row">{name}</th>
      {companies.map((compared) => (
        <td key={compared.company.slug}>{cell(compared)}</td>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="scroll" aria-label="Comparison" tabIndex={0}>
      <table class="comparison">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">What is compared</span>
              {industry && <span class="faint">in {industry}</span>}
            </th>
            {companies.map(({ company }) => (
              <th key={company.slug} scope="col">
                <span class="column-head">
                  <a href={`/companies/${encodeURIComponent(company.slug)}`}>{company.name}</a>
                  <button
                    type="button"
                    class="button quiet square small"
                    aria-label={`Take ${company.name} away`}
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
                  text: percentOf(each.share),
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
          {row("Reported", ({ case_studies }) => (
            <Reported studies={case_studies} />
          ))}
          {row("Newest", ({ case_studies }) =>
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
    </section>
  );
}

const None = () => <span class="faint">None</span>;

/** The figures of the case studies that are shown, one of each. */
function Reported({ studies }: { readonly studies: Compared["case_studies"] }) {
  const shown = studies
    .flatMap(({ id, outcomes }) =>
      outcomes
        .filter(({ value }) => value !== null)
        .slice(0, 1)
        .map((outcome) => ({ id, outcome })),
    )
    .slice(0, 4);
  if (shown.length === 0) return <None />;
  return (
    <ul class="figures small">
      {shown.map(({ id, outcome }) => (
        <li key={id} title={outcome.text}>
          <strong>{figureOf(outcome)}</strong>
          <span>{worded(outcome.metric)}</span>
        </li>
      ))}
    </ul>
  );
}
