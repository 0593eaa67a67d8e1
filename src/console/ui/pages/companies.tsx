import { useEffect, useState } from "preact/hooks";
import { apiKey } from "../api-key.ts";
import type { CompanyList, CompanyRecord } from "../api-types.ts";
import { ask } from "../ask.ts";
import { useObservable } from "../observable.ts";
import { Empty, Told } from "../parts/states.tsx";
import { addressOf, go, useTitle } from "../router.ts";
import { refusalOf, useAnswer } from "../use-answer.ts";
import { withQuota } from "../wording.ts";

const PAUSE_MS = 300;
const PAGE = "60";

export function Companies({ query }: { readonly query: URLSearchParams }) {
  useTitle("Companies");
  const key = useObservable(apiKey);
  const q = query.get("q")?.slice(0, 200) ?? "";
  const [typed, type] = useState(q);
  useEffect(() => type(q), [q]);
  useEffect(() => {
    if (typed === q) return;
    const timer = setTimeout(() => go(addressOf("/companies", { q: typed.trim() }), { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, q]);
  const [answer, again] = useAnswer(
    (signal) => ask<CompanyList>(addressOf("/v1/companies", { q, limit: PAGE }), { signal }),
    [q, key],
  );
  return (
    <>
      <h1>Companies</h1>
      <p class="lead">Vendors whose case studies are in the index.</p>
      <search class="look-up wide">
        <label for="vendor">Name or domain</label>
        <input
          id="vendor"
          type="search"
          placeholder="A small typing error is forgiven"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </search>
      <Told answer={answer} again={again} lines={8}>
        {(first, waiting) => <Listed key={`${q} ${waiting}`} first={first} q={q} />}
      </Told>
    </>
  );
}

function Listed({ first, q }: { readonly first: CompanyList; readonly q: string }) {
  const [more, setMore] = useState<CompanyList>({ companies: [], total: 0, next_cursor: first.next_cursor });
  const [fault, setFault] = useState("");
  const companies = [...first.companies, ...more.companies];
  const load = async () => {
    try {
      const page = await ask<CompanyList>(
        addressOf("/v1/companies", { q, limit: PAGE, cursor: more.next_cursor ?? undefined }),
      );
      setMore({ ...page, companies: [...more.companies, ...page.companies] });
    } catch (error) {
      setFault(refusalOf(error).message);
    }
  };
  if (companies.length === 0) {
    return (
      <Empty title={q === "" ? "No company is here yet" : `No company is called “${q}”`}>
        <p>
          A vendor's case studies come in by an import, or when <a href="/submit">their page is submitted</a>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p class="faint" role="status">
        {withQuota(first.total, "company", "companies")}
      </p>
      <ul class="company-list">
        {companies.map((company) => (
          <li key={company.slug}>
            <CompanyRow company={company} />
          </li>
        ))}
      </ul>
      {fault && (
        <p class="error" role="alert">
          {fault}
        </p>
      )}
      {more.next_cursor && (
        <button type="button" class="button" onClick={load}>
          Show more
        </button>
      )}
    </>
  );
}

const CompanyRow = ({ company }: { readonly company: CompanyRecord }) => (
  <a class="company-row" href={`/companies/${encodeURIComponent(company.slug)}`}>
    <span class="monogram" aria-hidden="true">
      {company.name.slice(0, 1).toUpperCase()}
    </span>
    <span class="company-name">{company.name}</span>
    <span class="faint">{[company.domain, company.industry].filter(Boolean).join(" · ")}</span>
    <span class="company-count">{withQuota(company.total_case_studies, "case study", "case studies")}</span>
  </a>
);
