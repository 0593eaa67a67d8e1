import type { CompanyRecord } from "../api-types.ts";
import { Settled } from "../parts/settled.tsx";
import { addressOf, go } from "../router.ts";
import { withQuota } from "../wording.ts";
import { Listed } from "./listed.tsx";

/** Vendors, to be corrected or merged. */
export function OperatorCompanies({ query }: { readonly query: URLSearchParams }) {
  const q = query.get("q") ?? "";
  return (
    <>
      <div class="filter-row">
        <Settled
          label="Name or domain"
          type="search"
          value={q}
          plain
          onSettle={(text) => go(addressOf("/operator/companies", { q: text }), { replace: true })}
        />
      </div>
      <Listed<CompanyRecord>
        path="/console/admin/companies"
        query={{ q }}
        field="companies"
        empty={q === "" ? "There is no company yet" : "No company has this name"}
        counted={["company", "companies"]}
      >
        {(companies) => (
          <ul class="rows">
            {companies.map((company) => (
              <li key={company.slug}>
                <a class="row-link" href={`/operator/companies/${encodeURIComponent(company.slug)}`}>
                  <span class="row-title">{company.name}</span>
                  <span class="faint">{withQuota(company.total_case_studies, "case study", "case studies")}</span>
                  <span class="faint break">
                    {[company.slug, company.domain, company.industry].filter(Boolean).join(", ")}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
