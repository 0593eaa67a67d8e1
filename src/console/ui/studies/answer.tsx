import { Fragment } from "preact";
import { request } from "../api-client.ts";
import type { Answer } from "../api-types.ts";
import { Highlighted } from "../components/highlighted.tsx";
import { Icon } from "../components/icon.tsx";
import { ExternalLink } from "../components/panels.tsx";
import { Empty, QueryResult } from "../components/status.tsx";
import { copyText } from "../components/toast.tsx";
import { apiKey } from "../credentials.ts";
import { capitalised, countStudies, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { answerSentence } from "./answer-sentence.ts";
import { type Search, searchUrl } from "./search.ts";

/** Answers of this tab by what was asked: each counts as a request, so that Back does not ask again. */
const known = new Map<string, Promise<Answer>>();
const MAX_KNOWN = 30;

function ask({ q, industry, company, country }: Search): Promise<Answer> {
  const json = {
    query: q,
    industry: industry || undefined,
    company: company || undefined,
    country: country || undefined,
  };
  const name = JSON.stringify(json);
  const before = known.get(name);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const answer = request<Answer>("/v1/casestudies/answer", { json });
  known.set(name, answer);
  const forget = () => known.delete(name);
  answer.then(({ degraded, index }) => (degraded || index?.pending) && forget(), forget);
  return answer;
}

/** The passages that answer a question, by what they claim; with a language model also an answer composed from them. */
export function AnswerView({ search }: { readonly search: Search }) {
  const key = useObservable(apiKey);
  const [result, retry] = useQuery(() => ask(search), [searchUrl(search), key]);
  return (
    <QueryResult result={result} retry={retry} lines={8}>
      {(answer, loading) => (
        <section aria-label="Answer" aria-busy={loading} class={loading ? "answer loading-previous" : "answer"}>
          <Notices answer={answer} search={search} />
          {answer.groups.length === 0 ? (
            <Empty title="No case study answers this well">
              <p>
                <a href={searchUrl({ ...search, view: "results" })}>Show the nearest case studies</a>, or ask in other
                words.
              </p>
            </Empty>
          ) : (
            <>
              <Composed answer={answer} />
              {outcomesFirst(answer).map(({ claim, citations }) => (
                <Group key={claim} title={titleOf(claim, answer)} citations={citations} />
              ))}
            </>
          )}
        </section>
      )}
    </QueryResult>
  );
}

type Citation = Answer["groups"][number]["citations"][number];

/** The service orders by the best passage; those that report an outcome say more. A composed answer cites its numbers. */
function outcomesFirst({ groups, composed }: Answer): Answer["groups"] {
  if (composed) return groups;
  let number = 0;
  return groups
    .toSorted((one, other) => Number(one.claim === null) - Number(other.claim === null))
    .map((group) => ({
      ...group,
      citations: group.citations.map((citation) => {
        number += 1;
        return { ...citation, number };
      }),
    }));
}

const titleOf = (claim: string | null, { groups }: Answer): string =>
  claim === null ? (groups.length > 1 ? "Other passages" : "Passages") : capitalised(claim);

function Notices({
  answer: { degraded, index, composed },
  search,
}: {
  readonly answer: Answer;
  readonly search: Search;
}) {
  const pending = index?.pending ?? 0;
  const ignored = [search.client && "client", search.year && "year", search.figures && "“has figures”"].filter(Boolean);
  const notices = [
    degraded?.reason,
    pending > 0 && `${countStudies(pending)} not in the search index yet: passages may be missing.`,
    composed?.fallback,
    ignored.length > 0 && `Answers are not filtered by ${ignored.join(" and ")}.`,
  ].filter(Boolean);
  return (
    <>
      {notices.map((notice) => (
        <p key={notice} class="hint" role="status">
          {notice}
        </p>
      ))}
    </>
  );
}

/** The words of the language model; each sentence names the passages that support it. */
function Composed({ answer: { composed } }: { readonly answer: Answer }) {
  if (!composed || composed.sentences.length === 0) return null;
  return (
    <section class="composed" aria-label="Composed answer">
      <p>
        {composed.sentences.map(({ text, citations }) => (
          <Fragment key={text}>
            {text}{" "}
            {citations.map((number) => (
              <Fragment key={number}>
                <a href={`#passage-${number}`} aria-label={`Passage ${number}`}>
                  [{number}]
                </a>{" "}
              </Fragment>
            ))}
          </Fragment>
        ))}
      </p>
      <p class="faint">
        Composed by the configured language model from the passages below
        {composed.dropped > 0 && `; ${pluralise(composed.dropped, "sentence")} that they do not support omitted`}.
      </p>
    </section>
  );
}

const Group = ({ title, citations }: { readonly title: string; readonly citations: readonly Citation[] }) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <ol class="citations">
      {citations.map((citation) => (
        <li key={citation.number} id={`passage-${citation.number}`}>
          <CitedPassage citation={citation} />
        </li>
      ))}
    </ol>
  </section>
);

function CitedPassage({ citation }: { readonly citation: Citation }) {
  const { number, sentence, highlights, figure, id, title, url, company, client, published_at, also_in } = citation;
  const marked = answerSentence(sentence, highlights);
  // To mark everything would mark nothing.
  const isPart = marked !== undefined && marked[1] - marked[0] < sentence.trim().length;
  return (
    <>
      <span class="citation-number" aria-hidden="true">
        {number}
      </span>
      <div>
        <blockquote>
          <Highlighted text={sentence} ranges={isPart ? [marked] : []} />
        </blockquote>
        <p class="result-meta">
          <a href={`/studies/${encodeURIComponent(id)}`}>{title}</a>
          {" · "}
          <a href={`/companies/${encodeURIComponent(company.slug)}`}>{company.name}</a>
          {client.name && ` → ${client.name}`}
          {published_at && ` · ${published_at.slice(0, 4)}`}
          {" · "}
          <ExternalLink href={url}>{URL.parse(url)?.hostname ?? url}</ExternalLink>
        </p>
        {also_in.length > 0 && (
          <p class="result-meta">
            <AlsoIn studies={also_in} />
          </p>
        )}
      </div>
      {figure && (
        <p class="result-figure">
          <strong>{figure.text}</strong>
          <span class="metric">{capitalised(figure.measured)}</span>
        </p>
      )}
      <button
        type="button"
        class="button small quiet square"
        aria-label={`Copy passage ${number}`}
        onClick={() => copyText(quoted(citation), "the passage")}
      >
        <Icon name="copy" />
      </button>
    </>
  );
}

/** `“Costs fell by half.” Acme for Globex, https://acme.example/globex` */
const quoted = ({ sentence, company, client, url }: Citation): string =>
  `“${sentence}” ${company.name}${client.name ? ` for ${client.name}` : ""}, ${url}`;

/** Links to the case studies with nearly the same text, which lists fold into one. */
export function AlsoIn({ studies }: { readonly studies: readonly { readonly id: string; readonly url: string }[] }) {
  const shown = studies.slice(0, MAX_ALSO);
  return (
    <>
      also in{" "}
      {shown.map(({ id, url }, index) => (
        <Fragment key={id}>
          {index > 0 && ", "}
          <a href={`/studies/${encodeURIComponent(id)}`}>{shortUrl(url)}</a>
        </Fragment>
      ))}
      {studies.length > shown.length && ` and ${studies.length - shown.length} more`}
    </>
  );
}

const MAX_ALSO = 3;
const shortUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?|\/$/g, "");
