import { useEffect, useState } from "preact/hooks";
import { apiKey } from "../api-key.ts";
import { useObservable } from "../observable.ts";
import { Empty, Told } from "../parts/states.tsx";
import { StudyCard } from "../parts/study-card.tsx";
import { go, useTitle } from "../router.ts";
import { Filters } from "../studies/filters.tsx";
import { addressFor, type Found, find, list, type Wanted, wantedIn } from "../studies/find.ts";
import { refusalOf, useAnswer } from "../use-answer.ts";
import { withQuota } from "../wording.ts";

/** After the last key: each search counts as a request. */
const PAUSE_MS = 400;

const QUESTIONS = ["cut the cost of the cloud", "fewer outages", "faster releases", "left a legacy data centre"];

export function Studies({ query }: { readonly query: URLSearchParams }) {
  useTitle("Case studies");
  const key = useObservable(apiKey);
  const wanted = wantedIn(query);
  const address = addressFor(wanted);
  const [answer, again] = useAnswer((signal) => find(wanted, signal), [address, key]);
  const want = (change: Partial<Wanted>) => go(addressFor({ ...wanted, ...change }), { replace: true });
  return (
    <>
      <h1>Case studies</h1>
      <p class="lead">
        What vendors publish of their customers. Ask in your own words; the words need not be the same.
      </p>
      <SearchBox text={wanted.q} onWant={(q) => want({ q })} />
      <Filters wanted={wanted} onWant={want} />
      <Told answer={answer} again={again} lines={8}>
        {(found, waiting) => (
          <FoundStudies key={`${address} ${waiting}`} wanted={wanted} first={found} waiting={waiting} />
        )}
      </Told>
    </>
  );
}

function SearchBox({ text, onWant }: { readonly text: string; readonly onWant: (text: string) => void }) {
  const [typed, type] = useState(text);
  // Going back brings the text of before.
  useEffect(() => type(text), [text]);
  // Typing alone asks; a new handler does not.
  useEffect(() => {
    const short = typed.trim().length;
    if (typed === text || short === 1 || short === 2) return;
    const timer = setTimeout(() => onWant(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search>
      <form
        class="look-up wide"
        onSubmit={(event) => {
          event.preventDefault();
          onWant(typed);
        }}
      >
        <label for="question">Question</label>
        <div class="look-up-row">
          <input
            id="question"
            type="search"
            maxLength={1_000}
            placeholder="Which companies reduced their cloud bill?"
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <button type="submit" class="button primary">
            Search
          </button>
        </div>
        {text === "" && (
          <p class="try">
            Try{" "}
            {QUESTIONS.map((question, at) => (
              <span key={question}>
                {at > 0 && ", "}
                <button type="button" class="link" onClick={() => onWant(question)}>
                  {question}
                </button>
              </span>
            ))}
          </p>
        )}
      </form>
    </search>
  );
}

interface FoundProps {
  readonly wanted: Wanted;
  readonly first: Found;
  readonly waiting: boolean;
}

function FoundStudies({ wanted, first, waiting }: FoundProps) {
  const [more, setMore] = useState<Found>({ studies: [], total: null, next: first.next });
  const [fault, setFault] = useState("");
  const studies = [...first.studies, ...more.studies];
  const load = async () => {
    try {
      const page = await list(wanted, more.next);
      setMore({ studies: [...more.studies, ...page.studies], total: null, next: page.next });
      setFault("");
    } catch (error) {
      setFault(refusalOf(error).message);
    }
  };
  if (studies.length === 0) {
    return (
      <Empty title="Nothing was found">
        <p>Use other words, search by meaning, or take a filter away. An industry must be one that the index knows.</p>
      </Empty>
    );
  }
  return (
    <section aria-label="Results" aria-busy={waiting} class={waiting ? "stale" : undefined}>
      <p class="faint" role="status">
        {first.total === null
          ? `The ${withQuota(studies.length, "best match", "best matches")}`
          : `${withQuota(first.total, "case study", "case studies")}, newest first`}
      </p>
      <div class="results">
        {studies.map((study) => (
          <StudyCard key={study.id} study={study} />
        ))}
      </div>
      {fault && (
        <p class="error" role="alert">
          {fault}
        </p>
      )}
      {more.next && (
        <button type="button" class="button" onClick={load}>
          Show more
        </button>
      )}
    </section>
  );
}
