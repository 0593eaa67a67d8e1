import { useEffect } from "preact/hooks";
import { requestAsOperator } from "../../api-client.ts";
import type { Industries, ReviewedStudy } from "../../api-types.ts";
import { CardTable } from "../../components/card-table.tsx";
import { DebouncedField, IndustrySelect, Select } from "../../components/fields.tsx";
import { formatDay, formatPercent, humanise } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { setFilter, urlFor } from "../../router.ts";
import { PagedList } from "../parts.tsx";

const REVIEW_PATH = "/operator/studies";
let lastUrl = REVIEW_PATH;

/** A field with a lower confidence is highlighted for review. */
export const LOW_CONFIDENCE = 0.6;

/** The list with the filters used last, for the link back to it. */
export const lastListUrl = (): string => lastUrl;

const fetchIndustries = (signal: AbortSignal) =>
  requestAsOperator<Industries>("/console/operator/industries", { signal });

/** Case studies to review, by default those with the lowest confidence first. */
export function ReviewList({ query }: { readonly query: URLSearchParams }) {
  const [company, industry, corrected, order] = ["company", "industry", "corrected", "order"].map(
    (name) => query.get(name) ?? "",
  ) as [string, string, string, string];
  const filters = { company, industry, corrected, order };
  const [industries] = useQuery(fetchIndustries, []);
  useEffect(() => {
    lastUrl = urlFor(REVIEW_PATH, filters);
  }, [company, industry, corrected, order]);
  const update = (change: Partial<typeof filters>, isTyped = false) =>
    setFilter(urlFor(REVIEW_PATH, { ...filters, ...change }), { isTyped });
  return (
    <>
      <div class="filter-row">
        <Select
          label="Order"
          value={order}
          onChange={(value) => update({ order: value })}
          options={[
            ["", "Lowest confidence"],
            ["newest", "Newest"],
          ]}
        />
        <Select
          label="Corrections"
          value={corrected}
          onChange={(value) => update({ corrected: value })}
          options={[
            ["", "All"],
            ["no", "Not corrected"],
            ["yes", "Corrected"],
          ]}
        />
        <IndustrySelect
          industries={industries.state === "loaded" ? industries.data.industries : []}
          value={industry}
          onChange={(value) => update({ industry: value })}
        />
        <DebouncedField
          label="Vendor"
          value={company}
          placeholder="kubernetes"
          hideOptional
          onChange={(slug) => update({ company: slug }, true)}
        />
      </div>
      <PagedList<ReviewedStudy>
        path="/console/admin/casestudies"
        query={filters}
        field="case_studies"
        empty="No case studies"
        noun={["case study", "case studies"]}
      >
        {(studies) => (
          <CardTable label="Case studies" heads={["Case study", "Least certain", "Vendor → client", "Published"]}>
            {studies.map((study) => (
              <tr key={study.id}>
                <th scope="row" class="two-lines">
                  <a class="row-go" href={`${REVIEW_PATH}/${encodeURIComponent(study.id)}`}>
                    {study.title}
                  </a>
                </th>
                <td class="state">
                  <LeastConfidentField study={study} />
                  {study.corrected.length > 0 && (
                    <span class="faint" title={study.corrected.map((name) => humanise(name).toLowerCase()).join(", ")}>
                      {" "}
                      corrected
                    </span>
                  )}
                </td>
                <td class="two-lines" data-label="Client">
                  {parties(study)}
                </td>
                <td data-label="Published" class="one-line">
                  {study.published_at ? formatDay(study.published_at) : "–"}
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}

const parties = ({ company, client }: ReviewedStudy): string => `${company.name} → ${client.name ?? "unnamed"}`;

/** `/client/domain` → `client domain`, `/outcomes/0` → `outcomes`. */
const fieldLabel = (pointer: string) =>
  pointer
    .split("/")
    .filter((part) => part !== "" && !/^\d+$/.test(part))
    .join(" ");

function LeastConfidentField({ study: { least_sure: least } }: { readonly study: ReviewedStudy }) {
  if (!least) return <span class="faint">Imported as given</span>;
  return (
    <span class={least.confidence < LOW_CONFIDENCE ? "tag warm" : "tag"}>
      {humanise(fieldLabel(least.pointer))} {formatPercent(least.confidence)}
    </span>
  );
}
