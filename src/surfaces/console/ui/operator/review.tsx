import { useState } from "preact/hooks";
import type { StudyDetail } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Told } from "../parts/states.tsx";
import { useAnswer } from "../use-answer.ts";
import { counted, minuteOf, worded } from "../wording.ts";
import { Corrections } from "./corrections.tsx";
import { LookFor } from "./look-for.tsx";
import { Source } from "./source.tsx";

/** A case study beside the text that it was read from. */
export function Review({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  if (id === "") return <LookFor company={query.get("company") ?? ""} />;
  return <Detail id={id} />;
}

function Detail({ id }: { readonly id: string }) {
  const path = `/console/admin/casestudies/${encodeURIComponent(id)}`;
  const [answer, again] = useAnswer((signal) => askAsOperator<StudyDetail>(path, { signal }), [path]);
  const [sentences, point] = useState<readonly string[]>([]);
  return (
    <>
      <p>
        <a href="/operator/studies">Choose another</a>
      </p>
      <Told answer={answer} again={again} lines={9}>
        {(detail) => (
          <>
            <header>
              <h2 class="section-title">{detail.study.title}</h2>
              <p class="faint">
                {worded(detail.origin)}
                {detail.page && `, page ${detail.page.state} ${minuteOf(detail.page.fetched_at)}`}
                {detail.versions.length > 0 && `, ${counted(detail.versions.length, "earlier version")}`}
                {" · "}
                <a href={detail.study.url} target="_blank" rel="noreferrer">
                  the original<span class="unseen"> (opens in a new tab)</span>
                </a>
                {" · "}
                <a href={`/studies/${encodeURIComponent(detail.study.id)}`}>as readers see it</a>
              </p>
            </header>
            <div class="review">
              <Corrections detail={detail} path={path} onSaved={again} onPoint={point} />
              <Source body={detail.body} sentences={sentences} />
            </div>
          </>
        )}
      </Told>
    </>
  );
}
