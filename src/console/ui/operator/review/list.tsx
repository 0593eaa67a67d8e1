import { useEffect } from "preact/hooks";
import type { Industries, Reviewed } from "../../api-types.ts";
import { askAsOperator } from "../../ask.ts";
import { Choice } from "../../parts/choice.tsx";
import { IndustryChoice } from "../../parts/industry-choice.tsx";
import { Settled } from "../../parts/settled.tsx";
import { addressOf, go } from "../../router.ts";
import { useAnswer } from "../../use-answer.ts";
import { dayOf, percentOf, worded } from "../../wording.ts";
import { Listed } from "../listed.tsx";
import { UNSURE } from "./proof.tsx";

const PAGE = "/operator/studies";
let last = PAGE;

/** The list as it was narrowed last, for the way back to it. */
export const lastList = (): string => last;

const industries = (signal: AbortSignal) => askAsOperator<Industries>("/console/operator/industries", { signal });

/** Case studies to review: those that were read with least confidence first. */
export function ReviewList({ query }: { readonly query: URLSearchParams }) {
  const [company, industry, corrected, order] = ["company", "industry", "corrected", "order"].map(
    (name) => query.get(name) ?? "",
  ) as [string, string, string, string];
  const wanted = { company, industry, corrected, order };
  const [known] = useAnswer(industries, []);
  useEffect(() => {
    last = addressOf(PAGE, wanted);
  }, [company, industry, corrected, order]);
  const want = (change: Partial<typeof wanted>) => go(addressOf(PAGE, { ...wanted, ...change }), { replace: true });
  return (
    <>
      <div class="filter-row">
        <Choice
          label="Order"
          value={order}
          onChoose={(chosen) => want({ order: chosen })}
          options={[
            ["", "Least sure first"],
            ["newest", "Newest first"],
          ]}
        />
        <Choice
          label="Corrected"
          value={corrected}
          onChoose={(chosen) => want({ corrected: chosen })}
          options={[
            ["", "All"],
            ["no", "Not yet"],
            ["yes", "By hand"],
          ]}
        />
        <IndustryChoice
          known={known.state === "told" ? known.value.industries : []}
          value={industry}
          onChoose={(chosen) => want({ industry: chosen })}
        />
        <Settled
          label="Vendor"
          value={company}
          placeholder="kubernetes"
          plain
          onSettle={(slug) => want({ company: slug })}
        />
      </div>
      <Listed<Reviewed>
        path="/console/admin/casestudies"
        query={wanted}
        field="case_studies"
        empty="No case study stands there"
        counted={["case study", "case studies"]}
      >
        {(studies) => (
          <ul class="rows">
            {studies.map((study) => (
              <li key={study.id}>
                <a class="row-link" href={`${PAGE}/${encodeURIComponent(study.id)}`}>
                  <span class="row-title">{study.title}</span>
                  <Sureness study={study} />
                  <span class="faint">
                    {study.company.name}
                    {study.client.name && ` for ${study.client.name}`}
                    {study.industry && `, ${study.industry}`}
                    {study.published_at && `, ${dayOf(study.published_at)}`}
                  </span>
                  {study.corrected.length > 0 && (
                    <span class="faint">
                      Corrected: {study.corrected.map((name) => worded(name).toLowerCase()).join(", ")}
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

/** `/client/domain` → `client domain`, `/outcomes/0` → `outcomes`. */
const placeOf = (pointer: string) =>
  pointer
    .split("/")
    .filter((part) => part !== "" && !/^\d+$/.test(part))
    .join(" ");

function Sureness({ study: { least_sure: least } }: { readonly study: Reviewed }) {
  if (!least) return <span class="faint">As it was given</span>;
  return (
    <span class={least.confidence < UNSURE ? "tag warm" : "tag"}>
      {worded(placeOf(least.pointer))} {percentOf(least.confidence)} sure
    </span>
  );
}
