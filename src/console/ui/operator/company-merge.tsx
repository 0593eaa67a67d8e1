import { useEffect, useState } from "preact/hooks";
import type { CompanyList, CompanyRecord } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Field } from "../parts/field.tsx";
import { addressOf, go } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { withQuota } from "../wording.ts";
import { Refused } from "./refused.tsx";
import { useDeed } from "./use-deed.ts";

const PAUSE_MS = 300;
const SHOWN = 5;

/** Two names of one company: everything of this one goes to the other. */
export function Merge({ company, path }: { readonly company: CompanyRecord; readonly path: string }) {
  const [typed, type] = useState("");
  const [q, ask] = useState("");
  const [into, choose] = useState<CompanyRecord | null>(null);
  const deed = useDeed();
  useEffect(() => {
    const timer = setTimeout(() => ask(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const [found] = useAnswer(
    q === ""
      ? null
      : (signal) => askAsOperator<CompanyList>(addressOf("/console/admin/companies", { q, limit: "6" }), { signal }),
    [q],
  );
  const others =
    found.state === "told" && typed.trim() !== ""
      ? found.value.companies.filter(({ slug }) => slug !== company.slug).slice(0, SHOWN)
      : [];
  const merge = async () => {
    if (!into) return;
    const done = await deed.run(() => askAsOperator(`${path}/merge`, { json: { into: into.slug } }));
    if (done) go(`/operator/companies/${encodeURIComponent(into.slug)}`, { replace: true });
  };
  return (
    <section class="panel" aria-labelledby="merge">
      <h2 id="merge">Merge it with another</h2>
      <p>When two names are of one company: everything of {company.name} goes to the other, and its name goes.</p>
      {into === null ? (
        <>
          <Field label="The company that stays" value={typed} onInput={type} plain />
          {others.length > 0 && (
            <ul class="chooser" aria-label="Companies found">
              {others.map((other) => (
                <li key={other.slug}>
                  <button type="button" onClick={() => choose(other)}>
                    <span>{other.name}</span>
                    <span class="faint">{withQuota(other.total_case_studies, "case study", "case studies")}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {found.state === "told" && others.length === 0 && typed.trim() !== "" && (
            <p class="faint">No other company has this name.</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>{company.name}</strong> ({withQuota(company.total_case_studies, "case study", "case studies")}) goes
            to <strong>{into.name}</strong> ({into.slug}). It cannot be undone.
          </p>
          <div class="actions">
            <button type="button" class="button danger" disabled={deed.busy} onClick={merge}>
              Merge into {into.name}
            </button>
            <button type="button" class="button quiet" onClick={() => choose(null)}>
              Choose another
            </button>
          </div>
        </>
      )}
      <Refused deed={deed} />
    </section>
  );
}
