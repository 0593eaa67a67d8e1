import { useEffect, useState } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import type { CompanyList, CompanyRecord } from "../api-types.ts";
import { CardTable } from "../components/card-table.tsx";
import { DebouncedField, Field, type FieldProps } from "../components/fields.tsx";
import { Panel } from "../components/panels.tsx";
import { MutationError, QueryResult } from "../components/status.tsx";
import { countStudies, formatNumber } from "../format.ts";
import { useMutation, useQuery } from "../queries.ts";
import { navigate, setFilter, urlFor } from "../router.ts";
import { useRights } from "../session.ts";
import { PagedList, Permitted } from "./parts.tsx";

export function OperatorVendors({ query }: { readonly query: URLSearchParams }) {
  const q = query.get("q") ?? "";
  return (
    <>
      <div class="filter-row">
        <DebouncedField
          label="Name or domain"
          type="search"
          value={q}
          hideOptional
          onChange={(text) => setFilter(urlFor("/operator/companies", { q: text }), { isTyped: true })}
        />
      </div>
      <PagedList<CompanyRecord>
        path="/console/admin/companies"
        query={{ q }}
        field="companies"
        empty="No vendors"
        noun={["vendor", "vendors"]}
      >
        {(companies) => (
          <CardTable label="Vendors" heads={["Vendor", "Slug", "Domain", "Industry", { number: "Case studies" }]}>
            {companies.map((company) => (
              <tr key={company.slug}>
                <th scope="row">
                  <a class="row-go" href={`/operator/companies/${encodeURIComponent(company.slug)}`}>
                    {company.name}
                  </a>
                </th>
                <td data-label="Slug">{company.slug}</td>
                <td data-label="Domain">{company.domain ?? "–"}</td>
                <td data-label="Industry">{company.industry ?? "–"}</td>
                <td class="number" data-label="Case studies">
                  {formatNumber(company.total_case_studies)}
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}

/** The fields that can be corrected. */
const FIELDS = ["name", "slug", "domain", "industry", "logo_url"] as const;
type FieldName = (typeof FIELDS)[number];

const FIELD_PROPS: Readonly<Record<FieldName, Pick<FieldProps, "label" | "hint" | "required" | "type">>> = {
  name: { label: "Name", required: true },
  slug: {
    label: "Slug",
    hint: "Links with the old slug stop working.",
    required: true,
  },
  domain: { label: "Domain" },
  industry: { label: "Industry", hint: "A name or synonym of the taxonomy" },
  logo_url: { label: "Logo URL", type: "url" },
};

/** Corrects a vendor, or merges it into another one. */
export function VendorEdit({ slug }: { readonly slug: string }) {
  const path = `/console/admin/companies/${encodeURIComponent(slug)}`;
  const [result, reload] = useQuery((signal) => requestAsOperator<CompanyRecord>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href="/operator/companies">All vendors</a>
      </p>
      <QueryResult result={result} retry={reload} lines={6}>
        {(company) => (
          <>
            <header>
              <h2 class="section-title">{company.name}</h2>
              <p class="faint">
                <a href={urlFor("/operator/studies", { company: company.slug })}>
                  {countStudies(company.total_case_studies)}
                </a>
                {" · "}
                <a href={`/companies/${encodeURIComponent(company.slug)}`}>public page</a>
              </p>
            </header>
            <div class="columns">
              <EditForm key={company.slug} company={company} path={path} onSaved={reload} />
              <Permitted action="POST /admin/companies/:slug/merge">
                <MergeForm company={company} path={path} />
              </Permitted>
            </div>
          </>
        )}
      </QueryResult>
    </>
  );
}

interface EditProps {
  readonly company: CompanyRecord;
  readonly path: string;
  readonly onSaved: () => void;
}

function EditForm({ company, path, onSaved }: EditProps) {
  const may = useRights();
  const [form, setForm] = useState(textsOf(company));
  const [status, setStatus] = useState("");
  const mutation = useMutation();
  const before = textsOf(company);
  const changed = FIELDS.filter((part) => form[part].trim() !== before[part]);
  const save = async (event: Event) => {
    event.preventDefault();
    setStatus("");
    const json = Object.fromEntries(changed.map((part) => [part, form[part].trim() || null]));
    let saved: CompanyRecord | undefined;
    const done = await mutation.run(async () => {
      saved = await requestAsOperator<CompanyRecord>(path, { method: "PATCH", json });
    });
    if (!done || !saved) return;
    setStatus("Saved.");
    setForm(textsOf(saved));
    if (saved.slug === company.slug) onSaved();
    else navigate(`/operator/companies/${encodeURIComponent(saved.slug)}`, { replace: true });
  };
  const hasFormError = mutation.error && FIELDS.every((part) => mutation.error?.fieldError(`/${part}`) === undefined);
  return (
    <form class="panel" onSubmit={save} noValidate aria-labelledby="edit">
      <h2 id="edit">Details</h2>
      <fieldset class="bare" disabled={!may("PATCH /admin/companies/:slug")}>
        {FIELDS.map((part) => (
          <Field
            key={part}
            {...FIELD_PROPS[part]}
            value={form[part]}
            onInput={(text) => setForm({ ...form, [part]: text })}
            error={mutation.error?.fieldError(`/${part}`)}
          />
        ))}
      </fieldset>
      {hasFormError && (
        <p class="error" role="alert">
          {mutation.error?.message}
        </p>
      )}
      <div class="actions">
        {may("PATCH /admin/companies/:slug") && (
          <button type="submit" class="button primary" disabled={mutation.busy || changed.length === 0}>
            Save
          </button>
        )}
        <span role="status" class="faint">
          {status}
        </span>
      </div>
    </form>
  );
}

const textsOf = (company: CompanyRecord): Record<FieldName, string> => ({
  name: company.name,
  slug: company.slug,
  domain: company.domain ?? "",
  industry: company.industry ?? "",
  logo_url: company.logo_url ?? "",
});

const DEBOUNCE_MS = 300;
const MAX_SUGGESTIONS = 5;

/** Moves the case studies of this vendor to another one and deletes this one. */
function MergeForm({ company, path }: { readonly company: CompanyRecord; readonly path: string }) {
  const [typed, setTyped] = useState("");
  const [q, setQ] = useState("");
  const [into, setInto] = useState<CompanyRecord | null>(null);
  const mutation = useMutation();
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const [found] = useQuery(
    q === ""
      ? null
      : (signal) => requestAsOperator<CompanyList>(urlFor("/console/admin/companies", { q, limit: "6" }), { signal }),
    [q],
  );
  const others =
    found.state === "loaded" && typed.trim() !== ""
      ? found.data.companies.filter(({ slug }) => slug !== company.slug).slice(0, MAX_SUGGESTIONS)
      : [];
  const merge = async () => {
    if (!into) return;
    const done = await mutation.run(() => requestAsOperator(`${path}/merge`, { json: { into: into.slug } }));
    if (done) navigate(`/operator/companies/${encodeURIComponent(into.slug)}`, { replace: true });
  };
  return (
    <Panel title="Merge">
      <p>Use this when two vendors are the same company. {company.name} is deleted; its case studies move.</p>
      {into === null ? (
        <>
          <Field label="Merge into" value={typed} onInput={setTyped} hideOptional />
          {others.length > 0 && (
            <ul class="merge-targets" aria-label="Matching vendors">
              {others.map((other) => (
                <li key={other.slug}>
                  <button type="button" onClick={() => setInto(other)}>
                    <span>{other.name}</span>
                    <span class="faint">{countStudies(other.total_case_studies)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {found.state === "loaded" && others.length === 0 && typed.trim() !== "" && (
            <p class="faint">No other vendor matches.</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>{company.name}</strong> ({countStudies(company.total_case_studies)}) will be merged into{" "}
            <strong>{into.name}</strong> ({into.slug}). This cannot be undone.
          </p>
          <div class="actions">
            <button type="button" class="button danger" disabled={mutation.busy} onClick={merge}>
              Merge into {into.name}
            </button>
            <button type="button" class="button quiet" onClick={() => setInto(null)}>
              Cancel
            </button>
          </div>
        </>
      )}
      <MutationError mutation={mutation} />
    </Panel>
  );
}
