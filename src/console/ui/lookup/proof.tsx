import { useState } from "preact/hooks";
import { claimText } from "../../../casestudies/claim-text.ts";
import { request } from "../api-client.ts";
import type { Proofs } from "../api-types.ts";
import { Field } from "../components/fields.tsx";
import { OutcomeFigure } from "../components/outcome-figure.tsx";
import { Empty, MutationError, QueryResult } from "../components/status.tsx";
import { apiKey } from "../credentials.ts";
import { download } from "../download.ts";
import { countryName, countStudies, formatDay } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useMutation, useQuery } from "../queries.ts";
import { urlFor } from "../router.ts";

const findProof = (domain: string, question: string, signal: AbortSignal): Promise<Proofs> =>
  request<Proofs>(`/v1/prospects/${encodeURIComponent(domain)}/proof`, {
    json: question === "" ? {} : { question },
    signal,
  });

/** The case studies that would convince the company, each with what it shares with it. */
export function ProofTab({ domain }: { readonly domain: string }) {
  const key = useObservable(apiKey);
  const [typed, setTyped] = useState("");
  const [question, setQuestion] = useState("");
  const [result, reload] = useQuery(
    (signal) => findProof(domain, question, signal),
    [domain, question, key],
    `proof ${key} ${domain} ${question}`,
  );
  const brief = useMutation();
  const saveBrief = () =>
    brief.run(() =>
      download(
        urlFor(`/v1/prospects/${encodeURIComponent(domain)}/brief`, { question, format: "html" }),
        `${domain}-brief.html`,
      ),
    );
  return (
    <QueryResult result={result} retry={reload} lines={8}>
      {(found, loading) => (
        <div class={loading ? "stack loading-previous" : "stack"} aria-busy={loading}>
          <form
            class="proof-form"
            onSubmit={(event) => {
              event.preventDefault();
              setQuestion(typed.trim());
            }}
          >
            <Field label="What the company wants" value={typed} onInput={setTyped} placeholder="Lower cloud costs" />
            <button type="submit" class="button">
              Rank
            </button>
            <button type="button" class="button" disabled={brief.busy} onClick={saveBrief}>
              Save brief
            </button>
          </form>
          <MutationError mutation={brief} />
          <ProofList found={found} />
        </div>
      )}
    </QueryResult>
  );
}

/** What company and case study share, in a few words; the whole sentence is the title. */
const SHORT_REASONS: Readonly<Record<string, (value: string) => string>> = {
  same_industry: (value) => `same industry: ${value}`,
  related_industry: (value) => `related industry: ${value}`,
  same_country: (value) => `same country: ${countryName(value)}`,
  same_tool: (value) => `also uses ${value}`,
  migrated_from: (value) => `left ${value}`,
  same_outcome: () => "outcome of the wanted kind",
  answers_question: () => "answers the question",
};

function ProofList({ found: { proofs, prospect, case_studies } }: { readonly found: Proofs }) {
  if (proofs.length === 0) {
    return (
      <Empty title="No case study fits">
        <p>None of {countStudies(case_studies)} shares an industry, a country or a tool with the company.</p>
      </Empty>
    );
  }
  const known = [prospect.industry, prospect.country].filter(Boolean).join(", ");
  return (
    <>
      <p class="faint" role="status">
        Best {proofs.length} of {countStudies(case_studies)}
        {known && ` for ${known}`}
      </p>
      <ol class="proof-studies">
        {proofs.map(({ case_study: study, reasons }) => {
          const figure = study.outcomes.find(({ value, better }) => value !== null && better !== false);
          return (
            <li key={study.id}>
              <div>
                <h2>
                  <a href={`/studies/${encodeURIComponent(study.id)}`}>{study.title}</a>
                </h2>
                <p class="company-facts">
                  {[
                    `${study.company.name} → ${study.client.name ?? "a client"}`,
                    study.industry,
                    study.published_at && formatDay(study.published_at),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
                <ul class="chips">
                  {reasons.map(({ kind, text, value, sentence }) => (
                    <li key={`${kind} ${value}`} class="badge" title={[text, sentence].filter(Boolean).join(" ")}>
                      {SHORT_REASONS[kind]?.(value) ?? text}
                    </li>
                  ))}
                </ul>
                {study.claim && <p class="company-facts">{claimText(study.claim)}</p>}
              </div>
              {figure && (
                <p class="proof-figure">
                  <OutcomeFigure outcome={figure} />
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}
