import { claimText } from "../../../casestudies/claim-text.ts";
import { request } from "../api-client.ts";
import type { Result, Results, Study, StudyWithClaim } from "../api-types.ts";
import { DockedPanel } from "../components/docked-panel.tsx";
import { OutcomeFigure } from "../components/outcome-figure.tsx";
import { QueryResult } from "../components/status.tsx";
import { copyText } from "../components/toast.tsx";
import { apiKey } from "../credentials.ts";
import { collection, toggleCollected } from "../device-lists.ts";
import { countryName, formatDay } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { urlFor } from "../router.ts";
import { AlsoIn } from "./answer.tsx";
import { citation } from "./citation.ts";

const MAX_OUTCOMES = 5;

interface PreviewProps {
  readonly study: Study | Result;
  readonly onClose: () => void;
  readonly onStep: (by: 1 | -1) => void;
}

/** What a case study says, next to the list. */
export function Preview({ study, onClose, onStep }: PreviewProps) {
  const outcomes = study.outcomes.toSorted((one, other) => Number(one.value === null) - Number(other.value === null));
  return (
    <DockedPanel title={study.title} noun="case study" onClose={onClose} onStep={onStep}>
      <p class="faint">
        <a href={`/companies/${encodeURIComponent(study.company.slug)}`}>{study.company.name}</a>
        {study.client.name && ` → ${study.client.name}`}
        {study.published_at && ` · ${study.published_at.slice(0, 4)}`}
      </p>
      {"also_in" in study && study.also_in && (
        <p class="faint">
          Nearly the same text: <AlsoIn studies={study.also_in} />
        </p>
      )}
      <Claim id={study.id} />
      <dl class="pairs">
        <Pair name="Industry" value={study.industry} />
        <Pair name="Country" value={study.country && countryName(study.country)} />
        <Pair name="Tools" value={study.tools.join(", ")} />
      </dl>
      <ul class="preview-outcomes">
        {outcomes.slice(0, MAX_OUTCOMES).map((outcome) => (
          <li key={outcome.text}>
            {outcome.value !== null && (
              <p>
                <OutcomeFigure outcome={outcome} />
              </p>
            )}
            <p class="faint">{outcome.text}</p>
          </li>
        ))}
      </ul>
      {study.outcomes.length === 0 && study.summary && <p>{study.summary}</p>}
      <StudyActions study={study} />
    </DockedPanel>
  );
}

/** What one can do with a case study. */
export function StudyActions({ study, page = false }: { readonly study: Study; readonly page?: boolean }) {
  const collected = useObservable(collection).includes(study.id);
  return (
    <div class="actions">
      <button type="button" class="button primary" onClick={() => copyText(citation(study), "the citation")}>
        Copy citation
      </button>
      {!page && (
        <a class="button" href={`/studies/${encodeURIComponent(study.id)}`}>
          Open
        </a>
      )}
      <button type="button" class="button" aria-pressed={collected} onClick={() => toggleCollected(study.id)}>
        {collected ? "Collected" : "Collect"}
      </button>
      {!page && (
        <a class="button" href={urlFor("/studies", { q: similarTo(study) })}>
          Similar
        </a>
      )}
    </div>
  );
}

const MAX_SIMILAR_TEXT = 300;

/** A query for case studies like this one: what it is about, without whom. */
const similarTo = ({ title, summary, client }: Study): string => {
  const text = summary ?? title;
  return (client.name ? text.replaceAll(client.name, "") : text).replace(/\s+/g, " ").trim().slice(0, MAX_SIMILAR_TEXT);
};

const SIMILAR = 4;

/** Case studies like this one; counts as one request. */
export function SimilarStudies({ study }: { readonly study: Study }) {
  const key = useObservable(apiKey);
  const [result] = useQuery(
    key === null
      ? null
      : (signal) =>
          request<Results>("/v1/casestudies/semantic", {
            json: { query: similarTo(study), limit: SIMILAR + 1, mode: "semantic" },
            signal,
          }),
    [key, study.id],
  );
  if (key === null) return null;
  return (
    <section aria-labelledby="similar">
      <h2 id="similar">Similar case studies</h2>
      <QueryResult result={result}>
        {({ results }) => (
          <ul class="similar">
            {results
              .filter(({ id }) => id !== study.id)
              .slice(0, SIMILAR)
              .map(({ id, title, company, client }) => (
                <li key={id}>
                  <a href={`/studies/${encodeURIComponent(id)}`}>{title}</a>
                  <span class="faint">
                    {company.name}
                    {client.name && ` → ${client.name}`}
                  </span>
                </li>
              ))}
          </ul>
        )}
      </QueryResult>
    </section>
  );
}

/** Whether the vendor's tool is still seen at the client. Loaded for the open case study only. */
function Claim({ id }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const [result] = useQuery(
    key === null
      ? null
      : (signal) => request<StudyWithClaim>(`/v1/casestudies/${encodeURIComponent(id)}?include=claim`, { signal }),
    [key, id],
  );
  if (result.state !== "loaded" || !result.data.claim) return null;
  const { claim } = result.data;
  if (claim.status === "not_checked") return null;
  return (
    <p class={`claim ${claim.status}`}>
      {claimText(claim)}
      {claim.checked_at && <span> {formatDay(claim.checked_at)}</span>}
    </p>
  );
}

const Pair = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value ? (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  ) : null;
