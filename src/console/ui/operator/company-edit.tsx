import { useState } from "preact/hooks";
import type { CompanyRecord } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Field, type FieldProps } from "../parts/field.tsx";
import { Told } from "../parts/states.tsx";
import { addressOf, go } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { withQuota } from "../wording.ts";
import { Merge } from "./company-merge.tsx";
import { useDeed } from "./use-deed.ts";

/** Everything that can be corrected of a company, in the order in which it is read. */
const PARTS = ["name", "slug", "domain", "industry", "logo_url"] as const;
type Part = (typeof PARTS)[number];

const SHOWN: Readonly<Record<Part, Pick<FieldProps, "label" | "hint" | "required" | "type">>> = {
  name: { label: "Name", required: true },
  slug: {
    label: "Short name in addresses",
    hint: "Links with the former one lead nowhere afterwards.",
    required: true,
  },
  domain: { label: "Domain" },
  industry: { label: "Industry", hint: "By name or by a synonym of the taxonomy" },
  logo_url: { label: "Address of its logo", type: "url" },
};

/** One company: what is known of it, and whether it is another one too. */
export function CompanyEdit({ slug }: { readonly slug: string }) {
  const path = `/console/admin/companies/${encodeURIComponent(slug)}`;
  const [answer, again] = useAnswer((signal) => askAsOperator<CompanyRecord>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href="/operator/companies">All companies</a>
      </p>
      <Told answer={answer} again={again} lines={6}>
        {(company) => (
          <>
            <header>
              <h2 class="section-title">{company.name}</h2>
              <p class="faint">
                <a href={addressOf("/operator/studies", { company: company.slug })}>
                  {withQuota(company.total_case_studies, "case study", "case studies")}
                </a>
                {" · "}
                <a href={`/companies/${encodeURIComponent(company.slug)}`}>as readers see it</a>
              </p>
            </header>
            <div class="columns">
              <Edit key={company.slug} company={company} path={path} onSaved={again} />
              <Merge company={company} path={path} />
            </div>
          </>
        )}
      </Told>
    </>
  );
}

interface EditProps {
  readonly company: CompanyRecord;
  readonly path: string;
  readonly onSaved: () => void;
}

function Edit({ company, path, onSaved }: EditProps) {
  const [form, fill] = useState(textsOf(company));
  const [told, tell] = useState("");
  const deed = useDeed();
  const before = textsOf(company);
  const changed = PARTS.filter((part) => form[part].trim() !== before[part]);
  const save = async (event: Event) => {
    event.preventDefault();
    tell("");
    const json = Object.fromEntries(changed.map((part) => [part, form[part].trim() || null]));
    let saved: CompanyRecord | undefined;
    const done = await deed.run(async () => {
      saved = await askAsOperator<CompanyRecord>(path, { method: "PATCH", json });
    });
    if (!done || !saved) return;
    tell("It is saved.");
    fill(textsOf(saved));
    if (saved.slug === company.slug) onSaved();
    else go(`/operator/companies/${encodeURIComponent(saved.slug)}`, { replace: true });
  };
  const elsewhere = deed.refusal && PARTS.every((part) => deed.refusal?.at(`/${part}`) === undefined);
  return (
    <form class="panel" onSubmit={save} noValidate aria-labelledby="edit">
      <h2 id="edit">What is known of it</h2>
      {PARTS.map((part) => (
        <Field
          key={part}
          {...SHOWN[part]}
          value={form[part]}
          onInput={(text) => fill({ ...form, [part]: text })}
          error={deed.refusal?.at(`/${part}`)}
        />
      ))}
      {elsewhere && (
        <p class="error" role="alert">
          {deed.refusal?.message}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={deed.busy || changed.length === 0}>
          Save
        </button>
        <span role="status" class="faint">
          {told}
        </span>
      </div>
    </form>
  );
}

const textsOf = (company: CompanyRecord): Record<Part, string> => ({
  name: company.name,
  slug: company.slug,
  domain: company.domain ?? "",
  industry: company.industry ?? "",
  logo_url: company.logo_url ?? "",
});
