import type { ServiceInfo } from "../api-types.ts";
import { DomainForm } from "../components/domain-form.tsx";
import { Badge, Banner } from "../components/marks.tsx";
import { ScrollRegion } from "../components/panels.tsx";
import { ErrorPanel, Loading } from "../components/status.tsx";
import { CompanyIcon, ToolIcon, useAreas } from "../components/tool-icon.tsx";
import { capitalised, formatPercent, pluralise } from "../format.ts";
import { navigate, urlFor, useTitle } from "../router.ts";
import { type Row, rowsOf } from "./rows.ts";
import { useLookup } from "./scan.ts";

interface CompareProps {
  readonly domain: string;
  /** The other company; empty until it is chosen. */
  readonly other: string;
  readonly info: ServiceInfo;
}

const inUse = (row: Row) => row.state !== "possible" && row.state !== "gone";

/** The tools of two companies side by side: what both use, and what only one does. */
export function CompareStacks({ domain, other, info }: CompareProps) {
  useTitle(other === "" ? `Compare ${domain}` : `${domain} and ${other}`);
  const page = `/lookup/${encodeURIComponent(domain)}`;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{other === "" ? `Compare ${domain}` : `${domain} and ${other}`}</h1>
        </div>
        <div class="actions">
          <a class="button" href={page}>
            Back to {domain}
          </a>
        </div>
      </div>
      <DomainForm
        label="Compare with"
        action="Compare"
        initial={other}
        onDomain={(host) => navigate(urlFor(page, { with: host }))}
      />
      {other !== "" && <Both key={other} domain={domain} other={other} info={info} />}
    </>
  );
}

function Both({ domain, other, info }: CompareProps) {
  const areas = useAreas();
  const [one] = useLookup(domain);
  const [two] = useLookup(other);
  for (const { error, lookup } of [one, two]) if (error && !lookup) return <ErrorPanel error={error} />;
  if (!one.lookup || !two.lookup) return <Loading lines={8} label="Scanning" />;
  const left = new Map(
    rowsOf(one, areas)
      .filter(inUse)
      .map((row) => [row.name, row]),
  );
  const right = new Map(
    rowsOf(two, areas)
      .filter(inUse)
      .map((row) => [row.name, row]),
  );
  const names = [...new Map([...left, ...right]).values()];
  const shared = names.filter(({ name }) => left.has(name) && right.has(name)).length;
  const groups = [...Map.groupBy(names, ({ area }) => area)].toSorted(
    ([first], [second]) => (first || 99) - (second || 99),
  );
  // A side without a tool of its own gets no column.
  const sides = [
    { only: domain, isMissing: (name: string) => !right.has(name) },
    { only: other, isMissing: (name: string) => !left.has(name) },
  ].filter(({ isMissing }) => names.some(({ name }) => isMissing(name)));
  return (
    <>
      <Banner>
        {pluralise(shared, "tool")} in common, {formatPercent(names.length === 0 ? 0 : shared / names.length)} of all{" "}
        {names.length}.
      </Banner>
      <ScrollRegion label={`Tools of ${domain} and ${other}`}>
        <table class="dense versus">
          <thead>
            <tr>
              <th scope="col">Area</th>
              <th scope="col">Both</th>
              {sides.map(({ only }) => (
                <th key={only} scope="col">
                  <CompanyIcon domain={only} /> Only {only}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(([area, members]) => (
              <tr key={area} class={`still area-${area}`}>
                <th scope="row">
                  <span class="swatch" />
                  {area === 0 ? "Other" : capitalised(info.areas[area - 1]?.area ?? "")}
                </th>
                <Cell label="Both" rows={members.filter(({ name }) => left.has(name) && right.has(name))} />
                {sides.map(({ only, isMissing }) => (
                  <Cell key={only} label={`Only ${only}`} rows={members.filter(({ name }) => isMissing(name))} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

const Cell = ({ label, rows }: { readonly label: string; readonly rows: readonly Row[] }) => (
  <td data-label={label}>
    <ul class="versus-tools">
      {rows.map(({ name, category, isNew }) => (
        <li key={name} title={category}>
          <ToolIcon tool={name} category={category} />
          {name}
          {isNew && <Badge tone="new">New</Badge>}
        </li>
      ))}
    </ul>
  </td>
);
